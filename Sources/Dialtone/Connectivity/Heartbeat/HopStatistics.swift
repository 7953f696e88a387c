// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The loss and the round trips of a hop's questions in a period.
package struct HopStatistics: Hashable, Sendable {
    /// The number of questions.
    package var sent: Int
    /// The number that were not answered.
    package var lost: Int
    /// The shortest round trip; nil if nothing was answered.
    package var minimum: Duration?
    /// The median round trip.
    package var median: Duration?
    /// The longest round trip.
    package var maximum: Duration?

    /// Computes the statistics of round trips; nil is a question that was not answered.
    ///
    /// The median of an even number is the lower of the two in the middle.
    package init(_ roundTrips: [Duration?]) {
        let answered = roundTrips.compactMap(\.self).sorted()
        sent = roundTrips.count
        lost = sent - answered.count
        (minimum, maximum) = (answered.first, answered.last)
        median = answered.isEmpty ? nil : answered[(answered.count - 1) / 2]
    }

    /// Merges the statistics of several periods, such as the minutes of an hour.
    ///
    /// The median is that of the periods' medians, each counted as often as it has answers: the single round trips are not kept.
    package init(merging periods: [HopStatistics]) {
        sent = periods.map(\.sent).reduce(0, +)
        lost = periods.map(\.lost).reduce(0, +)
        minimum = periods.compactMap(\.minimum).min()
        maximum = periods.compactMap(\.maximum).max()
        var rank = (sent - lost - 1) / 2
        median =
            periods.filter { $0.median != nil }.sorted { $0.median ?? .zero < $1.median ?? .zero }.first { period in
                rank -= period.sent - period.lost
                return rank < 0
            }?.median
    }

    /// The share of questions that were not answered: 0...1.
    package var loss: Double { sent == 0 ? 0 : Double(lost) / Double(sent) }

    /// The loss if it is worth a remark; nil if a single answer was late by chance, and if every question was lost.
    var notableLoss: PacketLoss? { lost >= 2 && lost < sent && loss >= 0.1 ? PacketLoss(sent - lost, of: sent) : nil }
}

/// The statistics of all hops in one minute.
package struct HopMinute: Hashable, Sendable {
    /// The start of the minute, by the wall clock.
    package var start: Date
    /// The statistics of each hop that was asked.
    package var hops: [HeartbeatHop: HopStatistics]

    /// Creates a minute, also for tests.
    package init(start: Date, hops: [HeartbeatHop: HopStatistics]) { (self.start, self.hops) = (start, hops) }

    /// Collects observations until their minute is over.
    struct Collector: Sendable {
        private var minute: Int?
        private var roundTrips: [HeartbeatHop: [Duration?]] = [:]

        /// Adds an observation.
        ///
        /// - Parameter wall: the current time.
        /// - Returns: the minute before, if this is the first observation after it.
        mutating func add(_ observation: HopObservation, at wall: Date) -> HopMinute? {
            let new = Int((wall.timeIntervalSince1970 / 60).rounded(.down))
            defer {
                minute = new
                roundTrips[observation.hop, default: []].append(observation.roundTrip)
            }
            guard let minute, minute != new else { return nil }
            defer { roundTrips = [:] }
            return HopMinute(
                start: Date(timeIntervalSince1970: Double(minute) * 60),
                hops: roundTrips.mapValues { HopStatistics($0) })
        }
    }
}
