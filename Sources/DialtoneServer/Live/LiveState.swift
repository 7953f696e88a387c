// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import SystemSupport

/// The current state as the page shows it.
struct LiveState: Sendable {
    /// The monitor's value: path, checks and requests together.
    var connectivity: Connectivity
    /// The time of the next check; nil if none is scheduled.
    var nextCheck: Date?
    /// Whether a check is under way.
    var isChecking = false
    var hosts: [HostRow] = []
}

extension Router {
    var live: LiveState {
        LiveState(
            connectivity: agent.monitor.current, nextCheck: agent.monitor.nextCheck,
            isChecking: agent.monitor.isChecking, hosts: agent.hosts.rows)
    }
}
