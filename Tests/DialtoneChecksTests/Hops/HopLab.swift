// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport

@testable import DialtoneChecks
import SystemSupport

/// A machine, its router, and the Internet behind the router, in both families.
///
/// | host | addresses |
/// | --- | --- |
/// | the machine, `up0` | 192.0.2.2, 2001:db8:1::2 |
/// | the router, `lan0` | 192.0.2.1, fe80::1, 2001:db8:1::1 |
/// | the Internet, `net0` | 203.0.113.1 and 203.0.113.2, 2001:db8:2::1 and 2001:db8:2::2 |
final class HopLab: Sendable {
    let machine: NetworkNamespace
    let router: NetworkNamespace
    let internet: NetworkNamespace

    static let gateways: [NetworkPath.Gateway] = [
        .init(NetworkAddress(192, 0, 2, 1), interface: "up0"),
        // The link's index is known when the lab exists.
        .init("fe80::1", interface: "up0"),
    ]
    static let ipv4 = [NetworkAddress(203, 0, 113, 1), NetworkAddress(203, 0, 113, 2)]
    static let ipv6: [NetworkAddress] = ["2001:db8:2::1", "2001:db8:2::2"]

    init() async throws {
        let (machine, router, internet) = (try NetworkNamespace(), try NetworkNamespace(), try NetworkNamespace())
        (self.machine, self.router, self.internet) = (machine, router, internet)
        try await Self.connect("up0", machine, "lan0", router)
        try await Self.connect("wan0", router, "net0", internet)
        try await router.run {
            for (file, value) in [("ipv4/ip_forward", "1"), ("ipv6/conf/all/forwarding", "1")] {
                try Self.set(file, value)
            }
        }
        // By default a host reports one error a second to each other host.
        for host in [router, internet] {
            try await host.run {
                try Self.set("ipv4/icmp_ratelimit", "0")
                try Self.set("ipv6/icmp/ratelimit", "0")
            }
        }
        try await Self.add(["192.0.2.2/24", "2001:db8:1::2/64"], "up0", machine)
        try await Self.add(["192.0.2.1/24", "fe80::1/64", "2001:db8:1::1/64"], "lan0", router)
        try await Self.add(["203.0.113.254/24", "2001:db8:2::fe/64"], "wan0", router)
        try await Self.add(
            ["203.0.113.1/24", "203.0.113.2/24", "2001:db8:2::1/64", "2001:db8:2::2/64"], "net0", internet)
        try await machine.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "up0").index
            try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1), interface: index))
            try kernel.addRoute(NewRoute(.all(.ipv6), via: "fe80::1", interface: index))
        }
        try await internet.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "net0").index
            try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(203, 0, 113, 254), interface: index))
            try kernel.addRoute(NewRoute(.all(.ipv6), via: "2001:db8:2::fe", interface: index))
        }
    }

    /// The routers, as the machine's path lists them.
    func gateways() throws -> [NetworkPath.Gateway] {
        let scope = try machine.run { InterfaceNames.index(of: "up0") ?? 0 }
        return Self.gateways.map { gateway in
            var gateway = gateway
            let address = gateway.address
            if address.isLinkLocal { gateway.address = .init(version: .ipv6, bits: address.bits, scope: scope) }
            return gateway
        }
    }

    /// Asks the routers, from the machine's namespace.
    func ask(
        towards destinations: [NetworkAddress] = HopLab.ipv4 + HopLab.ipv6, within patience: Duration = .seconds(1)
    ) async throws -> [RouterProbe.Answer] {
        let probe = RouterProbe(try gateways(), towards: destinations)
        return try await machine.run { probe.run(until: .now + patience, try WakeEvent()) }
    }

    /// Contacts addresses, from the machine's namespace.
    func contact(_ addresses: [NetworkAddress], within patience: Duration) async throws -> [PublicAddressProbe.Answer] {
        let probe = PublicAddressProbe(addresses)
        return try await machine.run { probe.run(until: .now + patience, try WakeEvent()) }
    }

    /// Makes the router treat all packets to the Internet in one way; nil is no route at all.
    func cutUplink(_ type: RouteType?) async throws {
        try await router.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "wan0").index
            for prefix in ["203.0.113.254/24", "2001:db8:2::fe/64"] as [NetworkPrefix] {
                try kernel.deleteAddress(prefix, from: index)
            }
            guard let type else { return }
            for family in [IPVersion.ipv4, .ipv6] { try kernel.addRoute(NewRoute(.all(family), type: type)) }
        }
    }

    /// Makes the router silent: it neither answers nor forwards, but its link stays up.
    func killRouter() async throws {
        try await router.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "lan0").index
            try Self.set("ipv4/ip_forward", "0")
            try kernel.deleteAddress("192.0.2.1/24", from: index)
            try Self.set("ipv6/conf/lan0/disable_ipv6", "1")
        }
    }

    /// Makes the router drop every packet that is addressed to itself, while it forwards others.
    ///
    /// It answers for its IPv4 address as a proxy, and discards what arrives there.
    func filterRouter() async throws {
        try await router.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "lan0").index
            let uplink = try kernel.link(named: "wan0").index
            try kernel.deleteAddress("192.0.2.1/24", from: index)
            try kernel.addAddress("192.0.2.254/24", to: index)
            try kernel.addRoute(NewRoute("192.0.2.1/32", interface: uplink))
            try Self.set("ipv4/conf/lan0/proxy_arp", "1")
            try Self.set("ipv4/neigh/lan0/proxy_delay", "0")
        }
    }

    static func set(_ file: String, _ value: String) throws {
        try value.write(toFile: "/proc/sys/net/\(file)", atomically: false, encoding: .utf8)
    }

    private static func connect(
        _ name: String, _ near: NetworkNamespace, _ farName: String, _ far: NetworkNamespace
    ) async throws {
        let events = try RouteEvents([.link], in: near)
        var kernel = try RouteNetlink(in: near)
        try kernel.createLink(.veth(name: name, peer: farName))
        try kernel.setLink(kernel.link(named: farName).index, namespace: far)
        var farKernel = try RouteNetlink(in: far)
        try farKernel.setLink(1, up: true)
        try farKernel.setLink(farKernel.link(named: farName).index, up: true)
        let index = try kernel.link(named: name).index
        try kernel.setLink(1, up: true)
        try kernel.setLink(index, up: true)
        for try await case .message(.newLink(let link)) in events
        where link.index == index && link.operationalState == .up { return }
    }

    /// Adds addresses, and waits until they can be used: the local route of an IPv6 address is the last object that the
    /// kernel creates for it.
    static func add(_ prefixes: [NetworkPrefix], _ link: String, _ namespace: NetworkNamespace) async throws {
        let events = try RouteEvents([.ipv6Route], in: namespace)
        var kernel = try RouteNetlink(in: namespace)
        let index = try kernel.link(named: link).index
        var missing: Set<NetworkPrefix> = []
        for prefix in prefixes {
            let isIPv6 = prefix.address.version == .ipv6
            try kernel.addAddress(prefix, to: index, flags: isIPv6 ? .noDuplicateDetection : [])
            if isIPv6 { missing.insert(NetworkPrefix(host: prefix.address)) }
        }
        if missing.isEmpty { return }
        for try await case .message(.newRoute(let route, _)) in events where route.type == .local {
            route.destination.map { _ = missing.remove($0) }
            if missing.isEmpty { return }
        }
    }
}
#endif
