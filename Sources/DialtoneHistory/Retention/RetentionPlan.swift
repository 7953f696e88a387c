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
    /// Summaries of hours before this time are removed.
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
}

/// One step towards a smaller database: the number of oldest records of one kind to remove.
enum RemovalStep: Hashable, Sendable {
    case checks(Int)
    case minutes(Int)
    case hours(Int)
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
        if counts.hours > 0 { return .hours(tenth(counts.hours)) }
        if counts.hosts > 1 { return .hosts(min(tenth(counts.hosts), counts.hosts - 1)) }
        if counts.transitions > 1 { return .transitions(min(tenth(counts.transitions), counts.transitions - 1)) }
        return nil
    }
}

/// The ages and the size up to which records are kept.
public struct RetentionPolicy: Codable, Hashable, Sendable {
    /// The time for which transitions and the changes of watched hosts are kept, in seconds; 400 days by default.
    public var transitions: Double = 400 * 86_400
    /// The time for which single checks are kept, in seconds; 2 days by default.
    ///
    /// After that, the checks of each minute are reduced to a summary.
    public var checks: Double = 2 * 86_400
    /// The time for which summaries of minutes are kept, in seconds; 14 days by default.
    ///
    /// After that, they are reduced to summaries of hours.
    public var minutes: Double = 14 * 86_400
    /// The time for which summaries of hours are kept, in seconds; 400 days by default.
    public var hours: Double = 400 * 86_400
    /// The maximum size of the history on disk, in bytes; 64 MiB by default.
    ///
    /// When the history exceeds it, the oldest records are removed, checks before transitions.
    public var bytes: Int = 64 << 20

    /// Creates the default policy.
    public init() {}
}
