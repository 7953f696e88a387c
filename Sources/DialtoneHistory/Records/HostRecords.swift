// SPDX-License-Identifier: Apache-2.0

package import SystemSupport

/// The number of checks of a watched host in a period of ten minutes.
package struct HostPeriod: Hashable, Sendable {
    /// The length of a period, in seconds.
    package static let length = 600.0

    /// The start of the period: a whole multiple of the length since 1970.
    package let start: Date
    package var checks: Int
    /// The number of checks that succeeded.
    package var succeeded: Int

    package init(containing time: Date, checks: Int = 0, succeeded: Int = 0) {
        let number = (Double(time.milliseconds) / 1000 / Self.length).rounded(.down)
        start = Date(timeIntervalSince1970: number * Self.length)
        self.checks = checks
        self.succeeded = succeeded
    }
}

/// The checks of the watched hosts in the database.
package struct StoredHosts: Hashable, Sendable {
    /// The periods of every watched host, by name, in order.
    package var periods: [String: [HostPeriod]] = [:]
    /// Whether each host was reachable, by the last change that was recorded.
    package var reachable: [String: Bool] = [:]

    package init() {}
}

/// The checks of the watched hosts that are not on disk yet: bounded, because the checks of a period are added up.
struct PendingHosts: Hashable, Sendable {
    private struct Place: Hashable {
        var host: String
        var start: Date
    }

    /// The counts of checks to add, by host and start of the period.
    private var periods: [Place: HostPeriod] = [:]
    /// The hosts that became reachable or unreachable, in order.
    private(set) var reachability: [HostChange] = []

    private static let mostPeriods = 20_000
    private static let mostReachability = 10_000

    mutating func add(_ host: String, at time: Date, succeeded: Bool) {
        insert(HostPeriod(containing: time, checks: 1, succeeded: succeeded ? 1 : 0), of: host)
        if periods.count > Self.mostPeriods { dropOldestHalf() }
    }

    mutating func add(_ change: HostChange) { reachability.append(change) }

    /// Drops the oldest half of the changes of reachability above the limit.
    ///
    /// - Returns: the number of them.
    mutating func trim() -> Int {
        guard reachability.count > Self.mostReachability else { return 0 }
        let count = reachability.count - Self.mostReachability / 2
        reachability.removeFirst(count)
        return count
    }

    /// Inserts earlier changes, after they could not be written.
    mutating func merge(earlier: PendingHosts) {
        for (place, period) in earlier.periods { insert(period, of: place.host) }
        reachability = earlier.reachability + reachability
    }

    private mutating func insert(_ period: HostPeriod, of host: String) {
        let place = Place(host: host, start: period.start)
        periods[place, default: HostPeriod(containing: period.start)].checks += period.checks
        periods[place]?.succeeded += period.succeeded
    }

    private mutating func dropOldestHalf() {
        let starts = periods.keys.map(\.start).sorted()
        let middle = starts[starts.count / 2]
        periods = periods.filter { $0.key.start > middle }
    }

    /// The counts to add, each with the name of its host.
    var counts: [(host: String, period: HostPeriod)] { periods.map { ($0.key.host, $0.value) } }
}
