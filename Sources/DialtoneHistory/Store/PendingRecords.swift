//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What was recorded and is not on the disk yet: bounded, in the order in which it came.
package struct PendingRecords: Hashable, Sendable {
    package private(set) var transitions: [HistoryTransition] = []
    package private(set) var checks: [CheckRecord] = []
    /// How many records were given up.
    package private(set) var discarded = 0
    private let maximumTransitions: Int
    private let maximumChecks: Int

    /// Makes an empty one.
    package init(maximumTransitions: Int = 200_000, maximumChecks: Int = 20_000) {
        self.maximumTransitions = max(2, maximumTransitions)
        self.maximumChecks = max(1, maximumChecks)
    }

    /// How many records there are.
    package var count: Int { transitions.count + checks.count }

    package mutating func append(_ records: [HistoryTransition]) { transitions += records }

    package mutating func append(_ check: CheckRecord) { checks.append(check) }

    /// Puts in front what belongs there.
    package mutating func prepend(_ records: [HistoryTransition]) { transitions = records + transitions }

    /// Forgets the oldest, which are on the disk now.
    package mutating func removeFirst(transitions: Int, checks: Int) {
        self.transitions.removeFirst(min(transitions, self.transitions.count))
        self.checks.removeFirst(min(checks, self.checks.count))
    }

    /// Gives up the oldest half of what has become too much; the time of the transitions given up is not known then.
    package mutating func trim() {
        if checks.count > maximumChecks {
            let count = checks.count - maximumChecks / 2
            checks.removeFirst(count)
            discarded += count
        }
        if transitions.count > maximumTransitions, let first = transitions.first {
            let count = transitions.count - maximumTransitions / 2
            transitions.removeFirst(count)
            transitions.insert(
                HistoryTransition(time: first.time, state: .unknown, cause: .discarded), at: 0)
            discarded += count
        }
    }
}
