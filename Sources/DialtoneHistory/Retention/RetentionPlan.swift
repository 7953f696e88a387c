// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The cutoffs of one retention round, decided independently of the database.
struct RetentionPlan: Hashable, Sendable {
    /// Transitions whose state ended before this time are removed.
    var transitionsBefore: Date
    /// Single checks before this time become summaries of minutes; the end of a minute.
    var checksBefore: Date
    /// Summaries of minutes before this time become summaries of hours; the end of an hour.
    var minutesBefore: Date
    /// Minutes of hops before this time are merged to hours; the end of an hour.
    var hopMinutesBefore: Date
    /// Summaries of hours, of checks and of hops, before this time are removed.
    var hoursBefore: Date

    /// The length of a minute's and an hour's summary, in milliseconds.
    static let (minute, hour): (Int64, Int64) = (60_000, 3_600_000)

    /// Computes the cutoffs by age.
    init(_ policy: RetentionPolicy, now: Date) {
        func cutoff(_ age: Double, whole length: Int64 = 1) -> Date {
            let time = (now - max(0, age)).milliseconds
            return Date(milliseconds: Int64((Double(time) / Double(length)).rounded(.down)) * length)
        }
        transitionsBefore = cutoff(policy.transitions)
        checksBefore = cutoff(policy.checks, whole: Self.minute)
        minutesBefore = cutoff(policy.minutes, whole: Self.hour)
        hopMinutesBefore = cutoff(policy.checks, whole: Self.hour)
        hoursBefore = cutoff(policy.hours, whole: Self.hour)
    }
}

/// The number of records of each kind.
struct RecordCounts: Hashable, Sendable {
    var transitions: Int
    var checks: Int
    var minutes: Int
    var hours: Int
    /// Changes of watched hosts.
    var hosts = 0
    /// Minutes and hours of hops.
    var hops = 0
}

/// One step towards a smaller database: the number of oldest records of one kind to remove.
enum RemovalStep: Hashable, Sendable {
    case checks(Int)
    case minutes(Int)
    case hours(Int)
    case hops(Int)
    case hosts(Int)
    case transitions(Int)

    /// Decides by size: a tenth of the least important kind; checks before transitions, the finest resolution first.
    ///
    /// - Returns: nil when nothing may be removed any more; the last transition stays, because it is the current state, and the
    ///   last change of a host, because its number must not be used again.
    static func step(_ counts: RecordCounts) -> RemovalStep? {
        func tenth(_ count: Int) -> Int { max(1, count / 10) }
        if counts.checks > 0 { return .checks(tenth(counts.checks)) }
        if counts.minutes > 0 { return .minutes(tenth(counts.minutes)) }
        if counts.hops > 0 { return .hops(tenth(counts.hops)) }
        if counts.hours > 0 { return .hours(tenth(counts.hours)) }
        if counts.hosts > 1 { return .hosts(min(tenth(counts.hosts), counts.hosts - 1)) }
        if counts.transitions > 1 { return .transitions(min(tenth(counts.transitions), counts.transitions - 1)) }
        return nil
    }
}
