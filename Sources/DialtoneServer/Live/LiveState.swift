// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// The current state as the page shows it.
struct LiveState: Sendable {
    /// The monitor's value: path, checks and requests together.
    var connectivity: Connectivity
    /// The time of the next check; nil if none is scheduled.
    var nextCheck: Date?
    /// Whether a check is under way.
    var isChecking = false
    /// The watched hosts.
    var hosts: [HostRow] = []
    /// The last request that a visitor started.
    var request = RequestProgress()
    /// The simulated scene; nil for the real network.
    var scene: DemoScene?
    /// The network by each class of the libraries; empty without the demonstration.
    var variants: [VariantRow] = []
}
