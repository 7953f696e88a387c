// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The packets of a heartbeat to a hop in a time.
package struct HopCount: Codable, Hashable, Sendable {
    package var hop: HeartbeatHop
    package var sent: Int
    package var answered: Int

    package init(_ hop: HeartbeatHop, sent: Int, answered: Int) {
        self.hop = hop
        self.sent = sent
        self.answered = answered
    }
}

/// A time in which nothing beyond the router answered a heartbeat, although several operators were asked twice.
///
/// It says nothing of the state, which follows checks only. One that meets an outage gives that outage's counts; otherwise it was too
/// short for a check to conclude in it.
package struct Silence: Hashable, Sendable {
    /// The start at the earliest: when the last question was sent that was answered; nil if that is not known.
    package var earliestStart: Date?
    /// The start at the latest: when the first question was missed.
    package var start: Date
    /// The end at the earliest: when the last question was sent that was not answered.
    package var earliestEnd: Date
    /// The end at the latest: when an answer arrived.
    package var end: Date
    /// Whether it is a drop: the router answered meanwhile, and a chance of the loss before is less likely than 1 in 10,000.
    package var isDrop: Bool
    /// The counts of each hop that was asked.
    package var counts: [HopCount]

    package init(earliestStart: Date?, start: Date, earliestEnd: Date, end: Date, isDrop: Bool, counts: [HopCount]) {
        self.earliestStart = earliestStart
        self.start = start
        self.earliestEnd = earliestEnd
        self.end = end
        self.isDrop = isDrop
        self.counts = counts
    }

    /// The duration in seconds, from the latest start to the latest end, as that of an outage.
    package var length: Double { (end.timeIntervalSince(start) * 1000).rounded() / 1000 }
}

/// Finds the silences in the observations of a heartbeat.
///
/// A value on the heartbeat's clock. It gets each observation once, when its question was answered or can no longer be, and looks at
/// them in the order in which their questions were sent: a late answer therefore ends a silence where it belongs.
struct SilenceCollector: Sendable {
    /// A silence that lasts, or has ended.
    private struct Run {
        let earliest: Duration?
        let first: Duration
        let missed: Duration
        var last: Duration
        var end = Duration.zero
        var rounds = 0
        /// The number of rounds in which the router answered.
        var confirmed = 0
        /// The number of questions beyond the router in the latter.
        var asked = 0
        /// The number of questions beyond the router that were not of a round.
        var beats = 0
        var counts: [HeartbeatHop: (sent: Int, answered: Int)] = [:]
        /// The loss before it.
        let loss: Double

        /// Whether it is a drop, with a loss after it.
        func isDrop(_ later: Double) -> Bool {
            guard confirmed > 1 else { return false }
            let loss = max(loss, later)
            return (0..<asked).reduce(1.0) { chance, _ in chance * loss } < SilenceCollector.chance
        }
    }

    /// The observations that questions sent before may still precede.
    private var waiting: [HopObservation] = []
    /// The beats beyond the router of the last minutes, without those of silences.
    ///
    /// The questions of a round do not count: it is asked because a beat was missed, and one cause loses all of it.
    private var recent: [(sent: Duration, isLost: Bool)] = []
    private var lastAnswered: Duration?
    /// The start and the end of the latest checks that have passed.
    private var checks: [(start: Duration, end: Duration)] = []
    private var run: Run?
    /// The silences that have ended, while the loss after them is not known.
    private var ended: [Run] = []

    /// The time before a silence in which the loss counts.
    private static let memory = Duration.seconds(300)
    /// The time after it in which the loss counts: where it has just begun, a silence is a chance of it.
    private static let outlook = Duration.seconds(60)
    /// The chance above which the loss explains a silence.
    fileprivate static let chance = 1e-4
    /// One packet of twelve is taken for lost before anything is known of a network: a minute of beats.
    private static let unknown = 12.0

    mutating func add(_ observation: HopObservation) { waiting.append(observation) }

    /// Notes a check that has passed: a later silence began after its start.
    mutating func addCheck(from start: Duration, to end: Duration) {
        checks = checks.filter { $0.start > end - Self.memory } + [(start, end)]
    }

    /// Returns the silences that have ended, as far as that is known now.
    mutating func silences(at now: Duration, wall: Date) -> [Silence] {
        note(before: now - HeartbeatMachine.latest)
        return dequeue(before: now - HeartbeatMachine.latest - Self.outlook, at: now, wall)
    }

    /// Ends everything: the network may be another one, and questions that are closed have no observation.
    mutating func cut(at now: Duration, wall: Date) -> [Silence] {
        note(before: now + .nanoseconds(1))
        if let run { end(run, at: min(now, run.last + HeartbeatMachine.latest)) }
        let silences = dequeue(before: now + .nanoseconds(1), at: now, wall)
        run = nil
        recent = []
        lastAnswered = nil
        checks = []
        return silences
    }

    /// Handles the observations of questions that were sent before a time.
    private mutating func note(before end: Duration) {
        guard waiting.contains(where: { $0.sent < end }) else { return }
        let ready = waiting.filter { $0.sent < end }.sorted { $0.sent < $1.sent }
        waiting.removeAll { $0.sent < end }
        var rest = ready[...]
        while let first = rest.first {
            let group = rest.prefix { $0.sent == first.sent }
            rest = rest.dropFirst(group.count)
            note(group)
        }
    }

    /// Handles the observations of questions that were sent together.
    private mutating func note(_ group: ArraySlice<HopObservation>) {
        let beyond = group.filter { $0.hop == .beyond }
        let isRound = Set(beyond.compactMap(\.address).map(HeartbeatQuestion.operatorAddress)).count > 1
        if let answered = beyond.filter(\.isAnswered).map(\.ended).min() {
            if let run { end(run, at: answered) }
            run = nil
            lastAnswered = group.first?.sent
            if !isRound { recent += beyond.map { ($0.sent, !$0.isAnswered) } }
        } else if let first = beyond.first {
            let missed = beyond.map { $0.missed ?? $0.ended }.min() ?? first.ended
            let checked = checks.last { $0.end <= missed && $0.start <= first.sent }?.start
            var run =
                run
                ?? Run(
                    earliest: [lastAnswered, checked].compactMap(\.self).max(), first: first.sent, missed: missed,
                    last: first.sent, loss: loss(from: first.sent - Self.memory, to: first.sent, Self.unknown))
            run.last = first.sent
            if isRound {
                run.rounds += 1
                if group.contains(where: { $0.hop == .router && $0.isAnswered }) {
                    run.confirmed += 1
                    run.asked += beyond.count
                }
            } else {
                run.beats += beyond.count
            }
            self.run = run
        }
        if run != nil {
            for observation in group {
                let count = run?.counts[observation.hop] ?? (0, 0)
                run?.counts[observation.hop] = (count.sent + 1, count.answered + (observation.isAnswered ? 1 : 0))
            }
        }
    }

    /// The share of beats that were lost in a time.
    ///
    /// - Parameter unknown: the number of further beats of which one is taken for lost.
    private func loss(from start: Duration, to end: Duration, _ unknown: Double) -> Double {
        let counted = recent.filter { start <= $0.sent && $0.sent < end }
        return (Double(counted.count { $0.isLost }) + 1) / (Double(counted.count) + unknown)
    }

    /// Keeps a silence that has ended.
    private mutating func end(_ run: Run, at end: Duration) {
        recent.removeAll { $0.sent < run.first - Self.memory - Self.outlook }
        guard run.rounds > 1 else {
            recent += Array(repeating: (run.first, true), count: run.beats)
            return
        }
        var run = run
        run.end = end
        ended.append(run)
    }

    /// Returns the silences that ended before a time.
    private mutating func dequeue(before time: Duration, at now: Duration, _ wall: Date) -> [Silence] {
        func date(_ time: Duration) -> Date { wall - (now - time) / .seconds(1) }
        let ready = ended.filter { $0.end < time }
        ended.removeAll { $0.end < time }
        return ready.map { run in
            // A few beats after it show whether packets are lost; without any, one of twelve is taken for lost.
            let after = recent.contains { $0.sent > run.end }
            let later = loss(from: run.end, to: run.end + Self.outlook, after ? Self.unknown / 2 : Self.unknown)
            return Silence(
                earliestStart: run.earliest.map(date), start: date(min(run.missed, run.end)),
                earliestEnd: date(run.last), end: date(run.end), isDrop: run.isDrop(later),
                counts: HeartbeatHop.allCases.compactMap { hop in
                    run.counts[hop].map { HopCount(hop, sent: $0.sent, answered: $0.answered) }
                })
        }
    }
}
