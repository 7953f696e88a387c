//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import DialtoneHistory

/// Everything that is told to those who measure, at one moment.
package struct MetricsSnapshot: Hashable, Sendable {
    /// Whether a host can be reached.
    package struct Host: Hashable, Sendable {
        /// The host, as it was configured.
        package var name: String
        /// Whether it can be reached; nil while that is not known.
        package var isReachable: Bool?

        package init(name: String, isReachable: Bool?) {
            self.name = name
            self.isReachable = isReachable
        }
    }

    /// The version of the program.
    package var version: String
    /// The state.
    package var state: HistoryState
    /// Since when, in seconds since 1970; nil when not known.
    package var stateSince: Double?
    /// Whether there is a path.
    package var isPathSatisfied: Bool
    /// The preferred interface and over what it carries data, as in the JSON report; nil without one.
    package var interface: Interface?
    /// What is counted; advanced to the moment.
    package var counters: MetricsCounters
    /// When the last check began, in seconds since 1970; nil before the first.
    package var lastCheck: Double?
    /// How long its quickest answer took, in seconds; nil without one.
    package var lastLatency: Double?
    /// The hosts that are watched.
    package var hosts: [Host]
    /// Whether the history reaches the disk.
    package var isHistoryHealthy: Bool
    /// How many records wait in memory.
    package var waitingRecords: Int
    /// How many streams of events there are; nil when that is not told.
    package var eventStreams: Int?

    /// An interface.
    package struct Interface: Hashable, Sendable {
        package var name: String
        package var type: String

        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    /// Makes a snapshot.
    package init(
        version: String, state: HistoryState, stateSince: Double? = nil, isPathSatisfied: Bool,
        interface: Interface? = nil, counters: MetricsCounters, lastCheck: Double? = nil, lastLatency: Double? = nil,
        hosts: [Host] = [], isHistoryHealthy: Bool = true, waitingRecords: Int = 0, eventStreams: Int? = nil
    ) {
        self.version = version
        self.state = state
        self.stateSince = stateSince
        self.isPathSatisfied = isPathSatisfied
        self.interface = interface
        self.counters = counters
        self.lastCheck = lastCheck
        self.lastLatency = lastLatency
        self.hosts = hosts
        self.isHistoryHealthy = isHistoryHealthy
        self.waitingRecords = waitingRecords
        self.eventStreams = eventStreams
    }
}
