// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import OpenNetwork
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct AddressTopologyTests {
    @Test func `a link without an address`() async throws {
        let lab = try await Lab()
        try await lab.cable("up0")
        try await lab.expect(.unsatisfied(.noAddress, on: "up0"))
    }

    @Test func `a default route over a link without an address`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0")
        try await lab.change { try $0.addRoute(NewRoute(.all(.ipv4), interface: index)) }
        try await lab.expect(.unsatisfied(.noAddress, on: "up0"))
    }

    @Test func `link-local addresses alone give no path`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["169.254.7.7/16"])
        try await lab.change { try $0.addRoute(NewRoute(.all(.ipv4), interface: index)) }
        try await lab.expect(.unsatisfied(.noAddress, on: "up0"))
    }

    @Test func `a link-local address whose router translates it gives a path`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["169.254.76.1/23"])
        try await lab.change { try $0.addDefault(via: "169.254.76.2", on: index) }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["169.254.76.2%up0"]))
    }

    /// The kernel chooses no such address for packets to a router: they leave from 0.0.0.0.
    @Test(arguments: [RouteScope.link, .host])
    func `an IPv4 address of a smaller scope gives no path to a router`(scope: RouteScope) async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0")
        try await lab.change { kernel in
            try kernel.addAddress("10.0.0.1/24", to: index, scope: scope)
            let hop = NextHop(interface: index, gateway: "10.0.0.2", flags: .onLink)
            try kernel.addRoute(NewRoute(.all(.ipv4), nextHops: [hop]))
        }
        try await lab.expect(.unsatisfied(.noAddress, on: "up0"))
        #expect(try await lab.run { Connection.source(to: "24.48.0.1") } == "0.0.0.0")
    }

    @Test func `an IPv4 address of the link's scope serves a link without a router`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0")
        try await lab.change { kernel in
            try kernel.addAddress("10.0.0.1/24", to: index, scope: .link)
            try kernel.addRoute(NewRoute(.all(.ipv4), interface: index))
        }
        try await lab.expect(.satisfied("ipv4", over: ["up0"]))
        #expect(try await lab.run { Connection.source(to: "24.48.0.1") } == "10.0.0.1")
    }

    @Test func `a link-local address is no source for the Internet, whatever addresses loopback has`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["169.254.7.7/16"])
        try await lab.change { kernel in
            try kernel.addAddress("10.9.9.9/32", to: try kernel.link(named: "lo").index, scope: .host)
            try kernel.addRoute(NewRoute(.all(.ipv4), interface: index))
        }
        try await lab.expect(.unsatisfied(.noAddress, on: "up0"))
    }

    @Test func `an address without a route`() async throws {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["192.0.2.2/24", "2001:db8::2/64"])
        try await lab.expect(.unsatisfied(.noRoute))
    }

    @Test func `IPv4 only`() async throws {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
    }

    @Test func `IPv6 only`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["2001:db8::2/64"])
        try await lab.change { try $0.addDefault(via: "fe80::1", on: index) }
        try await lab.expect(.satisfied("ipv6", over: ["up0"], gateways: ["fe80::1%up0"]))
    }

    @Test func `both families`() async throws {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["192.0.2.2/24", "2001:db8::2/64"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1")
            try kernel.addDefault(via: "2001:db8::1")
        }
        try await lab.expect(.satisfied("ipv4", "ipv6", over: ["up0"], gateways: ["192.0.2.1", "2001:db8::1"]))
    }

    @Test func `the families over different links`() async throws {
        let lab = try await Lab()
        try await lab.cable("six0", addresses: ["2001:db8::2/64"])
        try await lab.cable("four0", addresses: ["192.0.2.2/24"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1")
            try kernel.addDefault(via: "2001:db8::1")
        }
        try await lab.expect(
            .satisfied("ipv4", "ipv6", over: ["four0", "six0"], gateways: ["192.0.2.1", "2001:db8::1"]))
    }

    @Test func `when the last address is deleted, the IPv4 default route vanishes silently`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
        try await lab.change { try $0.deleteAddress("192.0.2.2/24", from: index) }
        try await lab.expect(.unsatisfied(.noAddress, on: "up0"))
        let routes = try await lab.change { try $0.routes(.ipv4, table: .main).count }
        #expect(routes == 0)
    }

    @Test func `an IPv6 address is usable once duplicate address detection ends`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0")
        let tentative = Seen.unsatisfied(.addressTentative, on: "up0")
        let good = Seen.satisfied("ipv6", over: ["up0"], gateways: ["2001:db8::1"])
        let updates = try await lab.live.updates(until: { Seen($0) == good }) {
            try await lab.change { kernel in
                try kernel.addAddress("2001:db8::2/64", to: index)
                try kernel.addDefault(via: "2001:db8::1", on: index)
            }
        }
        // On a busy machine the source may read the address only when it has been checked.
        let seen = updates.map(Seen.init)
        #expect(seen == [tentative, good] || seen == [good])
        try await lab.expect(good)
    }

    @Test func `an IPv6 address that another host has`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0")
        try await lab.changeStreet { kernel in
            try kernel.add("2001:db8::2/64", to: try kernel.link(named: "far-up0").index)
        }
        try await lab.change { kernel in
            try kernel.addAddress("2001:db8::2/64", to: index)
            try kernel.addDefault(via: "2001:db8::1", on: index)
        }
        try await lab.live.snapshot { snapshot in
            snapshot.interface(index)?.addresses.contains { $0.flags.contains(.duplicateDetected) } ?? false
        }
        try await lab.expect(.unsatisfied(.noAddress, on: "up0"))
    }

    @Test func `an address that expires`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: [])
        try await lab.change { kernel in
            try kernel.addAddress(
                "2001:db8::2/64", to: index, flags: .noDuplicateDetection, validLifetime: 6)
            try kernel.addDefault(via: "2001:db8::1", on: index)
        }
        try await lab.live.path { $0.status == .satisfied }
        try await lab.expect(.unsatisfied(.noAddress, on: "up0"))
    }
}
#endif
