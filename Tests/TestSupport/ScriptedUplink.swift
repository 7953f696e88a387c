//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink
public import NetworkState
import Synchronization

/// A machine with one uplink, which is as the test says.
///
/// Online, it reaches everything by 192.0.2.1, among it the host 198.51.100.1, about which programs may ask.
public final class ScriptedUplink: Sendable {
    /// The source of its state.
    public let source: ScriptedSource
    private let current: Mutex<NetworkSnapshot>

    /// Makes a machine; nil is one without an uplink.
    public init(_ type: InterfaceType? = nil) {
        let snapshot = Self.snapshot(type)
        source = ScriptedSource(snapshot)
        current = Mutex(snapshot)
    }

    /// The present state.
    public var snapshot: NetworkSnapshot { current.withLock { $0 } }

    /// Makes the uplink one of this type; nil takes it away.
    public func become(_ type: InterfaceType?) { publish(Self.snapshot(type)) }

    /// Changes something about the present state.
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
        let host = InetAddress(198, 51, 100, 1)
        var snapshot = NetworkSnapshot(resolver: ResolverConfiguration(servers: [.init(InetAddress(192, 0, 2, 1))]))
        guard let type else {
            snapshot.hosts[RouteLookup(to: host)] = RouteAnswer(host, .noRoute)
            return snapshot
        }
        snapshot.interfaces = [
            NetworkInterface(index: 2, name: "up0", type: type, addresses: [InterfaceAddress("192.0.2.2/24")])
        ]
        let route = FoundRoute(nextHops: [NextHop(interface: 2, gateway: InetAddress(192, 0, 2, 1))])
        snapshot.routing.general = HostEvaluator.questions(aboutPathFrom: .any(.ipv4)).map {
            RouteAnswer($0.destination, .route(route))
        }
        snapshot.hosts[RouteLookup(to: host)] = RouteAnswer(host, .route(route))
        return snapshot
    }
}
