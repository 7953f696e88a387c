// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport

@testable import Dialtone
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
        // A router queries no neighbor while the link-local address of its link is tentative, and reports the neighbor as
        // unreachable after three seconds. On a busy machine duplicate address detection takes longer than that.
        for host in [machine, router, internet] {
            try await host.run { try Setting.write("ipv6/conf/default/accept_dad", 0) }
        }
        try await machine.connect("up0", to: router, as: "lan0")
        try await router.connect("wan0", to: internet, as: "net0")
        try await router.run {
            for setting in ["ipv4/ip_forward", "ipv6/conf/all/forwarding"] { try Setting.write(setting, 1) }
        }
        // By default a host reports one error a second to each other host.
        for host in [router, internet] {
            try await host.run {
                for setting in ["ipv4/icmp_ratelimit", "ipv6/icmp/ratelimit"] { try Setting.write(setting, 0) }
            }
        }
        try await machine.add(["192.0.2.2/24", "2001:db8:1::2/64"], to: "up0")
        try await router.add(["192.0.2.1/24", "fe80::1/64", "2001:db8:1::1/64"], to: "lan0")
        try await router.add(["203.0.113.254/24", "2001:db8:2::fe/64"], to: "wan0")
        try await internet.add(
            ["203.0.113.1/24", "203.0.113.2/24", "2001:db8:2::1/64", "2001:db8:2::2/64"], to: "net0")
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
        towards destinations: [NetworkAddress] = HopLab.ipv4 + HopLab.ipv6, within patience: Duration = .seconds(1),
        over binding: InternetCheck.Configuration.Binding = .none
    ) async throws -> [RouterProbe.Answer] {
        let probe = RouterProbe(routers: try gateways(), destinations: destinations, binding: binding)
        return try await machine.run { probe.run(until: TimeSource.system.now + patience, KernelSockets()) }
    }

    /// Contacts addresses, from the machine's namespace.
    func contact(_ addresses: [NetworkAddress], within patience: Duration) async throws -> [PublicAddressProbe.Answer] {
        let probe = PublicAddressProbe(addresses: addresses)
        return try await machine.run { probe.run(until: TimeSource.system.now + patience, KernelSockets()) }
    }

    /// What the router's kernel has counted of the errors that it reports, sends and withholds.
    func reportCounts() throws -> String {
        try router.run {
            try ["snmp", "snmp6"].flatMap { file in
                try String(contentsOfFile: "/proc/thread-self/net/\(file)", encoding: .utf8).split(separator: "\n")
                    .filter { $0.hasPrefix("Icmp") && !$0.hasSuffix("\t0") }
            }.joined(separator: "\n")
        }
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

    /// Makes the machine's kernel give up on a router within half a second, not after three.
    func giveUpSoon() async throws {
        try await machine.run {
            for family in ["ipv4", "ipv6"] { try Setting.write("\(family)/neigh/up0/retrans_time_ms", 100) }
        }
    }

    /// Makes the router silent: it neither answers nor forwards, but its link stays up.
    func killRouter() async throws {
        try await router.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "lan0").index
            try Setting.write("ipv4/ip_forward", 0)
            try kernel.deleteAddress("192.0.2.1/24", from: index)
            try Setting.write("ipv6/conf/lan0/disable_ipv6", 1)
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
            try Setting.write("ipv4/conf/lan0/proxy_arp", 1)
            try Setting.write("ipv4/neigh/lan0/proxy_delay", 0)
        }
    }
}
#endif
