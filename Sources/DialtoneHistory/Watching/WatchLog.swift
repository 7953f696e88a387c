//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Decides what is worth a record: a value, without a clock or a file of its own.
package struct WatchLog: Sendable {
    /// The last record.
    package private(set) var current: HistoryTransition
    /// What the clocks said at the last sign of life.
    package private(set) var last: ClockReading
    /// How many seconds there are at most between two signs of life.
    package let interval: Double

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - now: what the clocks say.
    ///   - previous: the last sign of life of the run before.
    ///   - interval: how many seconds there will be at most between two signs of life.
    /// - Returns: the log, and what to record first.
    package static func beginning(
        at now: ClockReading, after previous: Beat?, interval: Double
    ) -> (log: WatchLog, records: [HistoryTransition]) {
        let first = HistoryTransition(time: now.wall, state: .unknown, cause: .started)
        let gap = previous.map { GapRules.gap(after: $0, until: now) } ?? []
        return (WatchLog(current: first, last: now, interval: interval), gap + [first])
    }

    /// Hears a sign of life.
    ///
    /// - Returns: what to record: nothing, unless the host slept or its clock was set.
    package mutating func observe(_ now: ClockReading) -> [HistoryTransition] {
        let records = GapRules.changes(since: last, now: now, current: current)
        last = now
        if let newest = records.last { current = newest }
        return records
    }

    /// Hears of a transition, which is a sign of life too.
    ///
    /// - Returns: what to record: not a transition that says what the last one said.
    package mutating func record(_ transition: HistoryTransition, at now: ClockReading) -> [HistoryTransition] {
        var records = observe(now)
        if !transition.saysTheSame(as: current) {
            current = transition
            records.append(transition)
        }
        return records
    }

    /// The last sign of life, as it is kept.
    package func beat(isEnd: Bool = false) -> Beat { Beat(reading: last, isEnd: isEnd, interval: interval) }
}
