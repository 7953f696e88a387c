// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import NetworkState
import TestSupport

@testable import DialtoneNotifications
@testable import OpenSystemConfiguration

extension ScriptedUplink {
    func pathMonitor() -> NWPathMonitor { NWPathMonitor(PathFilter(), source: source) }

    /// Creates a listener to 198.51.100.1, or to the default route.
    func listener(toHost: Bool = true) throws -> ReachabilityListener {
        let hub = ReachabilityHub(
            source: source, everything: { [self] _ in snapshot }, answers: { [self] _, _ in snapshot.hosts },
            lookup: { _ in .temporaryFailure })
        let name = RawHostName(toHost ? "198.51.100.1" : "0.0.0.0")
        guard let destination = Destination(name) else { throw CancellationError() }
        return ReachabilityListener(SCNetworkReachability(destination, hub: hub))
    }
}

/// A queue that can check whether the current code runs on it.
final class KnownQueue: Sendable {
    let queue = DispatchQueue(label: "test")
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    init() { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    /// Waits until all earlier work items have finished.
    func drain() { queue.sync {} }
}

#endif
