// SPDX-License-Identifier: Apache-2.0

package import DialtoneHistory

/// The values of all metrics at one moment.
package struct MetricsSnapshot: Hashable, Sendable {
    /// The reachability of a host.
    package struct Host: Hashable, Sendable {
        /// The host as configured.
        package var name: String
        /// Whether the host is reachable; nil if unknown.
        package var isReachable: Bool?

        package init(name: String, isReachable: Bool?) {
            self.name = name
            self.isReachable = isReachable
        }
    }

    /// The version of the program.
    package var version: String
    /// The current state.
    package var state: HistoryState
    /// The start of the state, in seconds since 1970; nil if unknown.
    package var stateSince: Double?
    /// Whether there is a path.
    package var isPathSatisfied: Bool
    /// The preferred interface and the type of its underlying interface, as in the JSON report; nil without one.
    package var interface: Interface?
    /// The counters, advanced to this moment.
    package var counters: MetricsCounters
    /// The start of the last check, in seconds since 1970; nil before the first.
    package var lastCheck: Double?
    /// The latency of the fastest endpoint in the last check, in seconds; nil without one.
    package var lastLatency: Double?
    /// Whether the last check proved the Internet over HTTPS; nil before the first and without evidence.
    package var isHTTPSVerified: Bool?
    /// The watched hosts.
    package var hosts: [Host]
    /// Whether the history is being written to disk.
    package var isHistoryHealthy: Bool
    /// The number of records waiting in memory.
    package var waitingRecords: Int
    /// The number of event streams; nil to omit it.
    package var eventStreams: Int?
    /// The number of failed logins.
    package var loginFailures: UInt64
    /// The number of records dropped because too many were waiting.
    package var discardedRecords: Int

    /// The preferred interface's name and type.
    package struct Interface: Hashable, Sendable {
        package var name: String
        package var type: String

        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    package init(
        version: String, state: HistoryState, stateSince: Double? = nil, isPathSatisfied: Bool,
        interface: Interface? = nil, counters: MetricsCounters, lastCheck: Double? = nil, lastLatency: Double? = nil,
        isHTTPSVerified: Bool? = nil, hosts: [Host] = [], isHistoryHealthy: Bool = true, waitingRecords: Int = 0,
        eventStreams: Int? = nil, loginFailures: UInt64 = 0, discardedRecords: Int = 0
    ) {
        self.version = version
        self.state = state
        self.stateSince = stateSince
        self.isPathSatisfied = isPathSatisfied
        self.interface = interface
        self.counters = counters
        self.lastCheck = lastCheck
        self.lastLatency = lastLatency
        self.isHTTPSVerified = isHTTPSVerified
        self.hosts = hosts
        self.isHistoryHealthy = isHistoryHealthy
        self.waitingRecords = waitingRecords
        self.eventStreams = eventStreams
        self.loginFailures = loginFailures
        self.discardedRecords = discardedRecords
    }
}
