// SPDX-License-Identifier: Apache-2.0

package import Dialtone
package import DialtoneAgent

/// The current state as the page shows it.
package struct LiveState: Sendable {
    /// The monitor's value: path, checks and requests together.
    package var connectivity: Connectivity
    /// The time of the next check; nil if none is scheduled.
    package var nextCheck: Date?
    /// Whether a check is under way.
    package var isChecking = false
    package var hosts: [HostRow] = []
    /// The last request that a visitor started.
    package var request = RequestProgress()
    /// The scene that is played; nil for the real network.
    package var scene: ShownScene?

    package init(
        connectivity: Connectivity, nextCheck: Date? = nil, isChecking: Bool = false, hosts: [HostRow] = [],
        request: RequestProgress = RequestProgress(), scene: ShownScene? = nil
    ) {
        (self.connectivity, self.nextCheck, self.isChecking) = (connectivity, nextCheck, isChecking)
        (self.hosts, self.request, self.scene) = (hosts, request, scene)
    }
}
