// SPDX-License-Identifier: Apache-2.0

/// The records that are not on disk yet: bounded, in recording order.
package struct PendingRecords: Hashable, Sendable {
    package private(set) var transitions: [HistoryTransition] = []
    package private(set) var checks: [CheckRecord] = []
    /// The number of records that were discarded.
    package private(set) var discarded = 0
    /// The number of oldest records that are being written.
    private var writing = Writing()
    private struct Writing: Hashable { var transitions = 0, checks = 0 }
    private let maximumTransitions: Int
    private let maximumChecks: Int

    package init(maximumTransitions: Int = 200_000, maximumChecks: Int = 20_000) {
        self.maximumTransitions = max(2, maximumTransitions)
        self.maximumChecks = max(1, maximumChecks)
    }

    /// The number of records.
    package var count: Int { transitions.count + checks.count }

    package mutating func append(_ records: [HistoryTransition]) { transitions += records }

    package mutating func append(_ check: CheckRecord) { checks.append(check) }

    /// Inserts earlier records at the front.
    package mutating func prepend(_ records: [HistoryTransition]) { transitions = records + transitions }

    /// Returns the oldest records for writing.
    ///
    /// ``trim()`` keeps them until ``removeFirst(transitions:checks:)`` or ``stopWriting()``.
    package mutating func startWriting(_ size: Int) -> ([HistoryTransition], [CheckRecord]) {
        let batch = (Array(transitions.prefix(size)), Array(checks.prefix(size)))
        writing = Writing(transitions: batch.0.count, checks: batch.1.count)
        return batch
    }

    /// Ends a failed write: the records stay.
    package mutating func stopWriting() {
        writing = Writing()
        trim()
    }

    /// Removes the oldest records after they were written.
    package mutating func removeFirst(transitions: Int, checks: Int) {
        self.transitions.removeFirst(min(transitions, self.transitions.count))
        self.checks.removeFirst(min(checks, self.checks.count))
        writing = Writing()
    }

    /// Drops the oldest half of the records above the limits; the state during dropped transitions becomes unknown.
    package mutating func trim() {
        if checks.count - writing.checks > maximumChecks {
            let count = checks.count - writing.checks - maximumChecks / 2
            checks.removeSubrange(writing.checks..<(writing.checks + count))
            discarded += count
        }
        if transitions.count - writing.transitions > maximumTransitions {
            let first = transitions[writing.transitions]
            let count = transitions.count - writing.transitions - maximumTransitions / 2
            transitions.replaceSubrange(
                writing.transitions..<(writing.transitions + count),
                with: [HistoryTransition(time: first.time, state: .unknown, cause: .discarded)])
            discarded += count
        }
    }
}
