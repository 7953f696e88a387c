// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The loss and the round trips of a hop's questions in a period.
package struct HopStatistics: Hashable, Sendable {
    /// The number of questions.
    package var sent: Int
    /// The number that were not answered.
    package var lost: Int
    /// The number that were answered after they had been given up; their round trips count as others do.
    package var late: Int
    /// The shortest round trip; nil if nothing was answered.
    package var minimum: Duration?
    package var median: Duration?
    package var maximum: Duration?

    /// Computes the statistics of round trips; nil is a question that was not answered.
    ///
    /// The median of an even number is the lower of the two in the middle.
    package init(_ roundTrips: [Duration?], late: Int = 0) {
        let answered = roundTrips.compactMap(\.self).sorted()
        sent = roundTrips.count
        self.late = late
        lost = sent - answered.count
        minimum = answered.first
        maximum = answered.last
        median = answered.isEmpty ? nil : answered[(answered.count - 1) / 2]
    }

    /// Merges the statistics of several periods, such as the minutes of an hour.
    ///
    /// The median is that of the periods' medians, each counted as often as it has answers: the single round trips are not kept.
    package init(merging periods: [HopStatistics]) {
        sent = periods.map(\.sent).reduce(0, +)
        lost = periods.map(\.lost).reduce(0, +)
        late = periods.map(\.late).reduce(0, +)
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
    package init(start: Date, hops: [HeartbeatHop: HopStatistics]) {
        self.start = start
        self.hops = hops
    }

    /// Collects observations until their minute is over.
    struct Collector: Sendable {
        /// The observations of each minute by its number since 1970.
        private var minutes: [Int: [HeartbeatHop: [HopObservation]]] = [:]

        /// Adds an observation, to the minute in which its question was sent.
        ///
        /// - Parameter wall: the current time.
        /// - Returns: the minutes whose questions have ended, in order.
        mutating func add(_ observation: HopObservation, at wall: Date) -> [HopMinute] {
            let sent = wall - (observation.ended - observation.sent) / .seconds(1)
            minutes[Self.minute(of: sent), default: [:]][observation.hop, default: []].append(observation)
            // The clock may have been set back.
            let first = Self.minute(of: wall - HeartbeatMachine.latest / .seconds(1))
            return remove { $0 < first || $0 > Self.minute(of: wall) }
        }

        /// Returns the minutes that are under way, as far as their questions have ended.
        mutating func cut() -> [HopMinute] { remove { _ in true } }

        private mutating func remove(_ isOver: (Int) -> Bool) -> [HopMinute] {
            minutes.keys.filter(isOver).sorted().map { number in
                let hops = minutes.removeValue(forKey: number) ?? [:]
                return HopMinute(
                    start: Date(timeIntervalSince1970: Double(number) * 60),
                    hops: hops.mapValues { observations in
                        HopStatistics(observations.map(\.roundTrip), late: observations.count(where: \.isLate))
                    })
            }
        }

        private static func minute(of time: Date) -> Int { Int((time.timeIntervalSince1970 / 60).rounded(.down)) }
    }
}
