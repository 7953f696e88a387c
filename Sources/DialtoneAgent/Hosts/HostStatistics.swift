// SPDX-License-Identifier: Apache-2.0

package import DialtoneHistory
package import SystemSupport

/// The last checks of a watched host, and the figures that follow from them: a value of bounded size, without a clock.
package struct HostStatistics: Hashable, Sendable {
    package struct Check: Hashable, Sendable {
        /// The end of the check.
        package var time: Date
        /// The duration of the connection in seconds; nil if it failed.
        package var latency: Double?
    }

    /// The share of checks that succeeded, and the length of the time in which they were made, in seconds.
    package struct Availability: Hashable, Sendable {
        package var share: Double
        package var period: Double
    }

    /// The last checks, oldest first.
    package private(set) var recent: [Check] = []
    /// The number of checks of this run that succeeded.
    package private(set) var succeeded = 0
    /// The number of checks of this run that failed.
    package private(set) var failed = 0
    /// The checks of the last day, in order.
    private var periods: [HostPeriod] = []
    private var first: Date?

    /// The maximum number of recent checks.
    package static let recentLimit = 40
    /// The number of checks without which there is no availability.
    package static let fewestChecks = 10

    /// Creates the statistics of a host that was not checked yet, or of these checks.
    package init(_ checks: [Check] = []) { for check in checks { add(check) } }

    package mutating func add(_ check: Check) {
        recent.append(check)
        if recent.count > Self.recentLimit { recent.removeFirst() }
        if check.latency == nil { failed += 1 } else { succeeded += 1 }
        first = min(first ?? check.time, check.time)
        insert(HostPeriod(containing: check.time, checks: 1, succeeded: check.latency == nil ? 0 : 1))
        // Also drops the periods after this one, which are left if the clock was set back: their number stays bounded.
        periods.removeAll { $0.start > check.time || !Self.isCounted($0, at: check.time) }
    }

    /// Adds checks that an earlier run of the server recorded.
    package mutating func add(_ stored: [HostPeriod]) {
        for period in stored { insert(period) }
        first = [first, stored.first?.start].compactMap(\.self).min()
    }

    private mutating func insert(_ period: HostPeriod) {
        let index = periods.firstIndex { $0.start >= period.start } ?? periods.endIndex
        if index == periods.endIndex || periods[index].start != period.start {
            periods.insert(HostPeriod(containing: period.start), at: index)
        }
        periods[index].checks += period.checks
        periods[index].succeeded += period.succeeded
    }

    private static func isCounted(_ period: HostPeriod, at now: Date) -> Bool {
        now.timeIntervalSince(period.start) <= HistoryStore.hostWindow
    }

    /// The share of the recent checks that failed; nil without a check.
    package var loss: Double? {
        recent.isEmpty ? nil : Double(recent.count { $0.latency == nil }) / Double(recent.count)
    }

    /// The jitter in seconds; nil with fewer than two recent connections.
    ///
    /// It is the mean absolute difference between the latencies of successive connections: the quantity that RFC 3550,
    /// section 6.4.1, smooths, without the smoothing. Failed checks in between do not count.
    package var jitter: Double? {
        let latencies = recent.compactMap(\.latency)
        guard latencies.count > 1 else { return nil }
        return zip(latencies, latencies.dropFirst()).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(latencies.count - 1)
    }

    /// The availability in the last day, or since the first check; nil with too few checks.
    package func availability(at now: Date) -> Availability? {
        let counted = periods.filter { Self.isCounted($0, at: now) }
        let checks = counted.reduce(0) { $0 + $1.checks }
        guard checks >= Self.fewestChecks, let start = counted.first?.start, let first else { return nil }
        let period = now.timeIntervalSince(max(start, first))
        // The oldest period begins up to its length after the day.
        let isWhole = period > HistoryStore.hostWindow - HostPeriod.length
        return Availability(
            share: Double(counted.reduce(0) { $0 + $1.succeeded }) / Double(checks),
            period: isWhole ? HistoryStore.hostWindow : max(0, period))
    }
}
