// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// Decides which events need a record: a value type without clock or file access.
struct WatchLog: Sendable {
    /// The last record.
    private(set) var current: HistoryTransition
    /// The clock reading at the last heartbeat.
    private(set) var last: ClockReading
    /// The maximum number of seconds between two heartbeats.
    let interval: Double

    /// Starts a run.
    ///
    /// - Parameters:
    ///   - now: the current clock reading.
    ///   - previous: the last heartbeat of the previous run.
    ///   - interval: the maximum number of seconds between two heartbeats.
    /// - Returns: the log, and the first records.
    static func beginning(
        at now: ClockReading, after previous: Heartbeat?, interval: Double
    ) -> (log: WatchLog, records: [HistoryTransition]) {
        let first = HistoryTransition(time: now.wall, state: .unknown, cause: .started)
        let gap = previous.map { GapRules.gap(after: $0, until: now) } ?? []
        return (WatchLog(current: first, last: now, interval: interval), gap + [first])
    }

    /// Handles a heartbeat.
    ///
    /// - Returns: the records to write; empty unless the process was paused, the host slept, or its clock was set.
    mutating func observe(_ now: ClockReading) -> [HistoryTransition] {
        let records = GapRules.changes(since: last, now: now, current: current, interval: interval)
        last = now
        if let newest = records.last { current = newest }
        return records
    }

    /// Handles a transition, which also counts as a heartbeat.
    ///
    /// A fault that was found later replaces that of the last record from its time on, unless there is a record in between.
    mutating func record(_ transition: HistoryTransition, at now: ClockReading) -> [HistoryTransition] {
        let records = observe(now)
        var transition = transition
        if transition.time < current.time, transition.number != current.number {
            // The record before shows that it did not begin earlier, so its margin is not known.
            (transition.time, transition.earliest) = (now.wall, nil)
        }
        current = transition
        return records + [transition]
    }

    /// The last heartbeat in its stored form.
    func heartbeat(isEnd: Bool = false) -> Heartbeat {
        Heartbeat(reading: last, isEnd: isEnd, interval: interval)
    }
}

/// The last heartbeat of a run.
struct Heartbeat: Codable, Hashable, Sendable {
    /// The clock reading at the heartbeat.
    var reading: ClockReading
    /// Whether the run ended with a regular shutdown.
    var isEnd = false
    /// The maximum number of seconds between two heartbeats.
    var interval: Double

    /// Whether the run may still be active: its next heartbeat is not long overdue.
    func isAlive(at now: ClockReading) -> Bool {
        !isEnd && now.boot == reading.boot && now.monotonic - reading.monotonic <= GapRules.overdue(interval)
    }
}
