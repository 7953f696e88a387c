// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
@testable import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// Links that borrow their source address, and routes for some sources only: the path agrees with an ordinary program.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct SourceTopologyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The addresses of the uplink `wan` and of another link, `lan`, in the same namespace.
        var wan: [NetworkPrefix] = []
        var lan: [NetworkPrefix] = []
        /// The default routes over `wan`; the sources that they are limited to.
        var sources: [NetworkPrefix?] = [nil]
        var gateway: NetworkAddress = "fe80::99"
        var origin: RouteProtocol = .boot
        /// The source that connect(2) chooses; nil when it fails.
        var source: String?
        var expected: Seen
        /// Whether packets leave although there is no path, so that a check can show whether answers come back.
        var isBorrowed = false
    }

    private static let ipv6 = Seen.satisfied("ipv6", over: ["wan"], gateways: ["fe80::99%wan"])
    private static let ipv4 = Seen.satisfied("ipv4", over: ["wan"], gateways: ["10.0.0.2"])
    private static let lacksAddress = Seen.unsatisfied(.noAddress, on: "wan")

    static let rows = [
        Row(
            testDescription: "a router with a delegated prefix", lan: ["2001:db8:1::1/64"], source: "2001:db8:1::1",
            expected: ipv6),
        Row(
            testDescription: "a route for the delegated prefix only", lan: ["2001:db8:1::1/64"],
            sources: ["2001:db8:1::/64"], source: "2001:db8:1::1", expected: ipv6),
        Row(
            testDescription: "a route for the uplink's own prefix only", wan: ["2001:db8:1::1/64"],
            sources: ["2001:db8:1::/64"], source: "2001:db8:1::1", expected: ipv6),
        Row(
            testDescription: "routes for two prefixes", lan: ["2001:db8:1::1/64", "2001:db8:2::1/64"],
            sources: ["2001:db8:1::/64", "2001:db8:2::/64"], source: "2001:db8:2::1", expected: ipv6),
        Row(
            testDescription: "a route for another prefix than the kernel chooses",
            lan: ["2001:db8:1::1/64", "2001:db8:2::1/64"], sources: ["2001:db8:1::/64"],
            expected: .unsatisfied(.noRoute)),
        Row(
            testDescription: "private addresses behind a translator (NAT66)", wan: ["fd00:1::2/64"],
            source: "fd00:1::2", expected: ipv6),
        Row(
            testDescription: "another link's private IPv6 address", lan: ["fd00:2::1/64"], source: "fd00:2::1",
            expected: lacksAddress, isBorrowed: true),
        Row(
            testDescription: "an IPv4 address to which only the site's routers have a route", lan: ["10.77.0.1/24"],
            gateway: "10.0.0.2", source: "10.77.0.1", expected: lacksAddress, isBorrowed: true),
        Row(
            testDescription: "an IPv4 address on another Ethernet link", lan: ["203.0.113.5/32"],
            gateway: "10.0.0.2", source: "203.0.113.5", expected: ipv4),
        Row(
            testDescription: "a container bridge's private IPv4 address", lan: ["172.17.0.1/16"], gateway: "10.0.0.2",
            source: "172.17.0.1", expected: lacksAddress, isBorrowed: true),
        Row(
            testDescription: "a VPN's shared address (100.64/10)", lan: ["100.100.7.7/32"], gateway: "10.0.0.2",
            source: "100.100.7.7", expected: lacksAddress, isBorrowed: true),
        Row(
            testDescription: "a link-local address that a router translates", wan: ["169.254.76.1/23"],
            gateway: "169.254.76.2", source: "169.254.76.1",
            expected: .satisfied("ipv4", over: ["wan"], gateways: ["169.254.76.2%wan"])),
        Row(
            testDescription: "a default from a router advertisement, before DHCPv6 has an address",
            lan: ["2001:db8:9::2/128"], origin: .routerAdvertisement, source: "2001:db8:9::2",
            expected: lacksAddress),
    ]

    @Test(arguments: rows)
    func `the path agrees with a program that connects`(row: Row) async throws {
        let lab = try await Lab()
        let index = try await lab.cable("wan", addresses: row.wan)
        try await lab.cable("lan", addresses: row.lan)
        try await lab.change { kernel in
            for source in row.sources {
                let hop = NextHop(
                    interface: index, gateway: row.gateway, flags: row.gateway.version == .ipv4 ? .onLink : [])
                var route = NewRoute(.all(row.gateway.version), nextHops: [hop], source: source)
                route.protocol = row.origin
                try kernel.addRoute(route)
            }
        }
        try await lab.expect(row.expected)
        let borrowed = try await lab.freshPath().diagnosis?.borrowedAddress
        #expect(borrowed.map { "\($0)" } == (row.isBorrowed ? row.source : nil))
        for destination in row.gateway.version == .ipv4
            ? ["24.48.0.1", "203.104.0.1"] : ["2403:300::1", "2a00:d40::1"]
        {
            let source = try await lab.run { Connection.source(to: destination) }
            #expect(source == row.source, "to \(destination)")
            let address = try #require(NetworkAddress(destination))
            let host = try await lab.run {
                let lookup = RouteLookup(to: address)
                return AddressEvaluator(KernelSource.currentSnapshot(hosts: [lookup])).evaluate(lookup)
            }
            #expect(host?.status == row.expected.status)
            #expect(host?.diagnosis?.cause == row.expected.cause)
        }
    }

    @Test(.requires(.networkSettings))
    func `a router may use another link's address over an advertised default`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("wan")
        try await lab.cable("lan", addresses: ["2001:db8:9::2/64"])
        try await lab.change { kernel in
            var route = NewRoute(.all(.ipv6), via: "fe80::99", interface: index)
            route.protocol = .routerAdvertisement
            try kernel.addRoute(route)
        }
        try await lab.expect(Self.lacksAddress)
        try await lab.set("ipv6/conf/all/forwarding", 1)
        try await lab.expect(Self.ipv6)
        try await lab.set("ipv6/conf/all/forwarding", 0)
        try await lab.expect(Self.lacksAddress)
    }

    /// The kernel keeps IPv4 addresses of a link that is down, and the addresses of both families without carrier.
    @Test func `a lender without carrier lends its address, and one that is down only an IPv4 address`() async throws {
        for (address, gateway, expected) in [
            ("2001:db8:1::1/64" as NetworkPrefix, "fe80::99" as NetworkAddress, Self.ipv6),
            ("203.0.113.5/32", "10.0.0.2", Self.ipv4),
        ] {
            let isIPv4 = gateway.version == .ipv4
            let lab = try await Lab()
            let index = try await lab.cable("wan")
            let lender = try await lab.cable("lan", addresses: [address])
            try await lab.change { kernel in
                let hop = NextHop(interface: index, gateway: gateway, flags: isIPv4 ? .onLink : [])
                try kernel.addRoute(NewRoute(.all(gateway.version), nextHops: [hop]))
            }
            let destination = isIPv4 ? "24.48.0.1" : "2403:300::1"
            let source = "\(address.address)"
            try await lab.expect(expected)
            try await lab.setCarrier(of: "lan", false)
            try await lab.live.snapshot { $0.interface(lender)?.isRunning == false }
            try await lab.expect(expected)
            #expect(try await lab.run { Connection.source(to: destination) } == source)
            try await lab.change { try $0.setLink(lender, up: false) }
            try await lab.live.snapshot { $0.interface(lender)?.isUp == false }
            #expect(try await lab.run { Connection.source(to: destination) } == (isIPv4 ? source : nil))
            try await lab.expect(isIPv4 ? expected : Self.lacksAddress)
        }
    }

    @Test func `the path follows the kernel's choice when addresses come and go`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("wan")
        let lan = try await lab.cable("lan", addresses: ["2001:db8:1::1/64"])
        try await lab.change { kernel in
            try kernel.addRoute(
                NewRoute(
                    .all(.ipv6), nextHops: [NextHop(interface: index, gateway: "fe80::99")], source: "2001:db8:1::/64"))
        }
        try await lab.expect(Self.ipv6)
        // The kernel prefers the address that was added last, and has no route for it.
        try await lab.change { try $0.add("2001:db8:2::1/64", to: lan) }
        try await lab.expect(.unsatisfied(.noRoute))
        #expect(try await lab.run { Connection.source(to: "2403:300::1") } == nil)
        try await lab.change { try $0.deleteAddress("2001:db8:2::1/64", from: lan) }
        try await lab.expect(Self.ipv6)
        try await lab.change { try $0.deleteAddress("2001:db8:1::1/64", from: lan) }
        try await lab.expect(.unsatisfied(.noAddress, on: "wan"))
    }

    @Test(.requires(.tunnels))
    func `a tunnel's own address and a borrowed one give a path`() async throws {
        for address: NetworkPrefix? in ["192.0.0.4/29", nil] {
            let lab = try await Lab()
            try await lab.cable("lan", addresses: ["192.168.1.1/24"])
            let tunnel = try await lab.run { try Tunnel(name: "tun0", carrying: .packets) }
            try await lab.change { kernel in
                let index = try kernel.link(named: "tun0").index
                try kernel.setLink(index, up: true)
                if let address { try kernel.add(address, to: index) }
                try kernel.addRoute(NewRoute(.all(.ipv4), interface: index))
            }
            try await lab.expect(.satisfied("ipv4", over: ["tun0"]))
            let source = try await lab.run { Connection.source(to: "24.48.0.1") }
            #expect(source == address.map { "\($0.address)" } ?? "192.168.1.1")
            withExtendedLifetime(tunnel) {}
        }
    }

    @Test(.requires(.networkSettings))
    func `a setting that is not announced is noticed when the routes are looked up again`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("wan")
        try await lab.cable("lan", addresses: ["2001:db8:1::1/64"])
        try await lab.checkOfAddresses()
        try await lab.change { try $0.addDefault(via: "fe80::99", on: index) }
        try await lab.expect(Self.ipv6)
        try await lab.set("ipv6/conf/wan/use_oif_addrs_only", 1)
        lab.source.reread()
        try await lab.expect(Self.lacksAddress)
    }
}
#endif
