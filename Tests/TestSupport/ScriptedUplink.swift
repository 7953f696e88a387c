// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Netlink
public import NetworkState
import Synchronization

/// A machine with one uplink under the test's control.
///
/// Online, it reaches everything through 192.0.2.1, including the host 198.51.100.1, which programs may look up.
public final class ScriptedUplink: Sendable {
    /// The source of its state.
    public let source: ScriptedSource
    private let current: Mutex<NetworkSnapshot>

    /// Creates a machine; nil is one without an uplink.
    package init(_ type: InterfaceType? = nil) {
        let snapshot = Self.snapshot(type)
        source = ScriptedSource(snapshot)
        current = Mutex(snapshot)
    }

    /// The current state.
    public var snapshot: NetworkSnapshot { current.withLock { $0 } }

    /// Sets the uplink's type; nil removes the uplink.
    package func become(_ type: InterfaceType?) { publish(Self.snapshot(type)) }

    /// Changes the current state.
    public func change(_ body: (inout NetworkSnapshot) -> Void) {
        var snapshot = snapshot
        body(&snapshot)
        publish(snapshot)
    }

    private func publish(_ snapshot: NetworkSnapshot) {
        current.withLock { $0 = snapshot }
        source.publish(snapshot)
    }

    private static func snapshot(_ type: InterfaceType?) -> NetworkSnapshot {
        let host = NetworkAddress(198, 51, 100, 1)
        var snapshot = NetworkSnapshot(resolver: ResolverConfiguration(servers: [.init(NetworkAddress(192, 0, 2, 1))]))
        guard let type else {
            snapshot.hosts[RouteLookup(to: host)] = RouteAnswer(host, .noRoute)
            return snapshot
        }
        snapshot.interfaces = [
            NetworkInterface(index: 2, name: "up0", type: type, addresses: [InterfaceAddress("192.0.2.2/24")])
        ]
        let route = FoundRoute(nextHops: [NextHop(interface: 2, gateway: NetworkAddress(192, 0, 2, 1))])
        snapshot.routing.general = AddressEvaluator.lookups(forPathFrom: .any(.ipv4)).map {
            RouteAnswer($0.destination, .route(route))
        }
        snapshot.hosts[RouteLookup(to: host)] = RouteAnswer(host, .route(route))
        return snapshot
    }
}

#endif
