// SPDX-License-Identifier: Apache-2.0

import Netlink
import NetworkState

@testable import OpenSystemConfiguration

/// A host with one link of each type, and its kernel's answers.
enum Fixture {
    static let refusal = NetlinkError(.system, operation: "socket")

    static let loopback = NetworkInterface(
        index: 1, name: "lo", type: .loopback, flags: [.up, .running, .lowerUp, .loopback],
        addresses: [address("127.0.0.1/8"), address("::1/128")])
    static let ethernet = NetworkInterface(
        index: 2, name: "eth0", type: .wiredEthernet,
        addresses: [address("192.0.2.1/24"), address("2001:db8:1::1/64")])
    static let waiting = NetworkInterface(
        index: 6, name: "wlan0", type: .wifi, flags: [.up, .lowerUp, .dormant], addresses: [address("10.11.0.2/24")])

    static let snapshot: NetworkSnapshot = {
        let interfaces = [
            loopback, ethernet,
            NetworkInterface(
                index: 3, name: "tun0", type: .other, linkKind: "tun", flags: [.up, .running, .lowerUp, .pointToPoint],
                addresses: [address("10.8.0.2/32")]),
            NetworkInterface(
                index: 4, name: "gre1", type: .other, linkKind: "gre", flags: [.up, .running, .lowerUp, .pointToPoint],
                addresses: [address("10.9.0.2/32")]),
            NetworkInterface(
                index: 5, name: "wwan0", type: .cellular, linkKind: "wwan",
                flags: [.up, .running, .lowerUp, .pointToPoint], addresses: [address("10.10.0.2/30")]),
            waiting,
            NetworkInterface(
                index: 7, name: "eth1", type: .wiredEthernet, flags: [.up], addresses: [address("10.12.0.2/24")]),
        ]
        var snapshot = NetworkSnapshot(interfaces: interfaces)
        snapshot.routing.general =
            general(.ipv4, by: 2, gateway: "192.0.2.254") + general(.ipv6, by: 2, gateway: "fe80::1")
        snapshot.hosts = [
            answer("198.51.100.1", by: 2, gateway: "192.0.2.254"), answer("192.0.2.9", 24, by: 2),
            answer("192.0.2.1", 32, .local, by: 2), answer("127.0.0.1", 8, .local, by: 1),
            answer("203.0.113.1", .rejected), answer("203.0.113.2", .rejected),
            answer("2001:db8:1::9", 64, by: 2), answer("2001:db8:2::1", by: 2, gateway: "fe80::1"),
            answer("::1", 128, .local, by: 1), answer("10.8.0.1", 24, by: 3), answer("10.9.0.1", 24, by: 4),
            answer("10.10.0.1", 30, by: 5), answer("169.254.1.1", by: 2, gateway: "192.0.2.254"),
            answer("255.255.255.255", 32, .broadcast, by: 2), answer("10.11.0.1", 24, by: 6),
            answer("10.12.0.1", 24, by: 7), answer("10.13.0.1", .noRoute),
        ].reduce(into: [:]) { $0[RouteLookup(to: $1.destination)] = $1 }
        for source in ["192.0.2.1", "192.0.2.77"].compactMap(NetworkAddress.init) {
            let destination = NetworkAddress(198, 51, 100, 1)
            snapshot.hosts[RouteLookup(to: destination, source: source)] =
                answer("198.51.100.1", by: 2, gateway: "192.0.2.254")
            for lookup in AddressEvaluator.lookups(forPathFrom: source) {
                snapshot.hosts[lookup] = answer("\(lookup.destination)", by: 2, gateway: "192.0.2.254")
            }
        }
        return snapshot
    }()

    /// Answers for the reference addresses of a family.
    static func general(_ family: AddressFamily, by interface: Int32, gateway: String?) -> [RouteAnswer] {
        AddressEvaluator.lookups(forPathFrom: .any(family.version ?? .ipv4)).map {
            answer("\($0.destination)", by: interface, gateway: gateway)
        }
    }

    static func answer(
        _ destination: String, _ length: UInt8 = 0, _ type: RouteType = .unicast, by interface: Int32,
        gateway: String? = nil
    ) -> RouteAnswer {
        let hop = NextHop(interface: interface, gateway: gateway.flatMap { NetworkAddress($0) })
        return answer(destination, .route(FoundRoute(prefixLength: length, type: type, nextHops: [hop])))
    }

    static func answer(_ destination: String, _ outcome: RouteAnswer.Outcome) -> RouteAnswer {
        RouteAnswer(NetworkAddress(destination) ?? .any(.ipv4), outcome)
    }

    static func address(_ text: String) -> InterfaceAddress {
        InterfaceAddress(NetworkPrefix(text) ?? .all(.ipv4))
    }
}
