// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The cutoffs of one retention round, decided independently of the database.
struct RetentionPlan: Hashable, Sendable {
    /// Transitions whose state ended before this time are removed.
    var transitionsBefore: Date
    /// Single checks before this time are removed; the end of a minute.
    var checksBefore: Date
    /// Minutes of hops before this time are merged to hours; the end of an hour.
    var hopMinutesBefore: Date
    /// Hours of hops before this time are removed.
    var hoursBefore: Date

    /// The lengths of the periods of hops, in milliseconds.
    static let minute: Int64 = 60_000
    static let hour: Int64 = 3_600_000

    /// Computes the cutoffs by age.
    init(_ policy: RetentionPolicy, now: Date) {
        func cutoff(_ age: Double, whole length: Int64 = 1) -> Date {
            let time = (now - max(0, age)).milliseconds
            return Date(milliseconds: Int64((Double(time) / Double(length)).rounded(.down)) * length)
        }
        transitionsBefore = cutoff(policy.transitions)
        checksBefore = cutoff(policy.checks, whole: Self.minute)
        hopMinutesBefore = cutoff(policy.checks, whole: Self.hour)
        hoursBefore = cutoff(policy.hours, whole: Self.hour)
    }
}

/// The kinds of records that are removed by size, the least important first.
enum RecordKind: CaseIterable, Sendable {
    case checks, hops, silences, hosts, transitions

    /// The table, its key, and the columns by which the first rows to remove come first.
    var rows: (table: String, key: String, age: String) {
        switch self {
        case .checks: ("\"check\"", "id", "time")
        // The minutes before the hours.
        case .hops: ("hopPeriod", "length, start, hop", "length, start")
        case .silences: ("silence", "start", "start")
        case .hosts: ("hostChange", "id", "id")
        case .transitions: ("transition", "id", "id")
        }
    }

    /// The number of rows that stay: the last transition is the current state, and the number of the last change of a host must not be
    /// used again.
    var kept: Int { self == .hosts || self == .transitions ? 1 : 0 }
}

/// One step towards a smaller database: the number of oldest records of one kind to remove.
struct RemovalStep: Hashable, Sendable {
    var kind: RecordKind
    var count: Int

    /// Decides by size: a tenth of the least important kind that there is; nil when nothing may be removed any more.
    static func next(_ count: (RecordKind) throws -> Int) rethrows -> RemovalStep? {
        for kind in RecordKind.allCases {
            let count = try count(kind)
            if count > kind.kept { return RemovalStep(kind: kind, count: min(max(1, count / 10), count - kind.kept)) }
        }
        return nil
    }
}
