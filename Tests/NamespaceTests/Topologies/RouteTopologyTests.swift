// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import OpenNetwork
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RouteTopologyTests {
    /// One uplink with an address of each family and no route.
    private func uplink() async throws -> (Lab, Int32) {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24", "2001:db8::2/64"])
        return (lab, index)
    }

    @Test(arguments: [RouteType.unreachable, .blackhole, .prohibit], [AddressFamily.ipv4, .ipv6])
    func `a default route that rejects`(type: RouteType, family: AddressFamily) async throws {
        let (lab, _) = try await uplink()
        try await lab.change { try $0.addRoute(NewRoute(.all(family.version ?? .ipv4), type: type)) }
        try await lab.expect(.unsatisfied(.routeUnreachable))
    }

    @Test func `a rejecting default route counts only if it has the better metric`() async throws {
        let (lab, _) = try await uplink()
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1", priority: 100)
            try kernel.addRoute(NewRoute(.all(.ipv4), type: .unreachable, priority: 200))
        }
        let good = Seen.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"])
        try await lab.expect(good)
        let blocker = NewRoute(.all(.ipv4), type: .blackhole, priority: 50)
        try await lab.change { try $0.addRoute(blocker) }
        try await lab.expect(.unsatisfied(.routeUnreachable))
        try await lab.change { try $0.deleteRoute(blocker) }
        try await lab.expect(good)
    }

    @Test func `two routes to the halves of the address space give a path`() async throws {
        let (lab, index) = try await uplink()
        try await lab.change { kernel in
            for half: NetworkPrefix in ["0.0.0.0/1", "128.0.0.0/1"] {
                try kernel.addRoute(NewRoute(half, via: "192.0.2.1", interface: index))
            }
        }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
    }

    @Test(arguments: ["0.0.0.0/1", "128.0.0.0/1"] as [NetworkPrefix])
    func `a route to one half alone gives no path`(half: NetworkPrefix) async throws {
        let (lab, index) = try await uplink()
        try await lab.change { try $0.addRoute(NewRoute(half, via: "192.0.2.1", interface: index)) }
        try await lab.expect(.unsatisfied(.noRoute))
    }

    @Test func `routes to IPv6's public space are enough`() async throws {
        let (lab, index) = try await uplink()
        try await lab.change { try $0.addRoute(NewRoute("2000::/3", via: "2001:db8::1", interface: index)) }
        try await lab.expect(.satisfied("ipv6", over: ["up0"], gateways: ["2001:db8::1"]))
    }

    @Test func `a default route in a table that no rule selects`() async throws {
        let (lab, index) = try await uplink()
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1", on: index, table: RouteTable(rawValue: 100))
            try kernel.addDefault(via: "2001:db8::1", on: index, table: RouteTable(rawValue: 100))
        }
        try await lab.expect(.unsatisfied(.noRoute))
    }

    @Test func `with two default routes, the smaller metric comes first`() async throws {
        let lab = try await Lab()
        try await lab.cable("slow0", addresses: ["198.51.100.2/24"])
        try await lab.cable("fast0", addresses: ["192.0.2.2/24"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "198.51.100.1", priority: 600)
            try kernel.addDefault(via: "192.0.2.1", priority: 100)
        }
        try await lab.expect(.satisfied("ipv4", over: ["fast0", "slow0"], gateways: ["192.0.2.1"]))
        try await lab.change { try $0.addDefault(via: "198.51.100.1", priority: 50) }
        try await lab.expect(.satisfied("ipv4", over: ["slow0", "fast0"], gateways: ["198.51.100.1"]))
    }

    @Test func `multipath uses both links`() async throws {
        let (lab, first, second) = try await twoUplinks()
        try await lab.change { kernel in
            try kernel.addRoute(
                NewRoute(
                    .all(.ipv4),
                    nextHops: [
                        NextHop(interface: first, gateway: "192.0.2.1"),
                        NextHop(interface: second, gateway: "198.51.100.1"),
                    ]))
        }
        try await lab.expect(
            .satisfied("ipv4", over: ["up0", "up1"], gateways: ["192.0.2.1", "198.51.100.1"]))
    }

    @Test func `multipath with a dead next hop uses the other one`() async throws {
        let (lab, first, second) = try await twoUplinks()
        try await lab.change { kernel in
            try kernel.addRoute(
                NewRoute(
                    .all(.ipv4),
                    nextHops: [
                        NextHop(interface: first, gateway: "192.0.2.1"),
                        NextHop(interface: second, gateway: "198.51.100.1"),
                    ]))
            try kernel.setLink(first, up: false)
        }
        try await lab.expect(.satisfied("ipv4", over: ["up1"], gateways: ["198.51.100.1"]))
        try await lab.change { try $0.setLink(second, up: false) }
        try await lab.expect(.unsatisfied(.allDown))
    }

    @Test(.requires(.nextHopObjects)) func `a nexthop object`() async throws {
        let (lab, index) = try await uplink()
        try await useNextHopObject(lab, index)
    }

    @Test(.requires(.nextHopObjects), .requires(.networkSettings))
    func `a nexthop object, without its hop in the routes that have it`() async throws {
        let (lab, index) = try await uplink()
        try await lab.set("ipv4/nexthop_compat_mode", 0)
        try await useNextHopObject(lab, index)
    }

    private func useNextHopObject(_ lab: Lab, _ index: Int32) async throws {
        try await lab.change { kernel in
            let hop = NextHop(interface: index, gateway: "192.0.2.1")
            try kernel.setNextHop(NextHopObjectMessage(id: 7, family: .ipv4, hop: hop))
            try kernel.addRoute(NewRoute(.all(.ipv4), nextHopID: 7))
        }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
        try await lab.change { kernel in
            let hop = NextHop(interface: index, gateway: "192.0.2.9")
            try kernel.setNextHop(NextHopObjectMessage(id: 7, family: .ipv4, hop: hop))
        }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.9"]))
        try await lab.change { try $0.deleteNextHop(id: 7) }
        try await lab.expect(.unsatisfied(.noRoute))
    }

    @Test func `IPv4 through an IPv6 router`() async throws {
        let (lab, index) = try await uplink()
        try await lab.change { try $0.addRoute(NewRoute(.all(.ipv4), via: "fe80::1", interface: index)) }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["fe80::1%up0"]))
    }

    @Test func `an on-link router outside the link's network`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/32"])
        try await lab.change {
            try $0.addRoute(NewRoute(.all(.ipv4), via: "198.51.100.1", interface: index, onLink: true))
        }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["198.51.100.1"]))
    }

    @Test func `a default route without a router`() async throws {
        let (lab, index) = try await uplink()
        try await lab.change { try $0.addRoute(NewRoute(.all(.ipv4), interface: index)) }
        try await lab.expect(.satisfied("ipv4", over: ["up0"]))
    }

    @Test func `a default route over loopback gives no path`() async throws {
        let (lab, _) = try await uplink()
        try await lab.change { kernel in
            try kernel.setLink(1, up: true)
            try kernel.addRoute(NewRoute(.all(.ipv4), interface: 1))
            try kernel.addRoute(NewRoute(.all(.ipv6), interface: 1))
        }
        try await lab.expect(.unsatisfied(.noRoute))
    }

    @Test func `routes to well-known hosts alone give no path`() async throws {
        let (lab, index) = try await uplink()
        try await lab.change { kernel in
            for host: NetworkPrefix in ["8.8.8.8/32", "8.8.4.4/32", "1.1.1.1/32", "9.9.9.9/32", "192.5.5.241/32"] {
                try kernel.addRoute(NewRoute(host, via: "192.0.2.1", interface: index))
            }
            for host: NetworkPrefix in ["2001:4860:4860::8888/128", "2606:4700:4700::1111/128"] {
                try kernel.addRoute(NewRoute(host, via: "2001:db8::1", interface: index))
            }
        }
        try await lab.expect(.unsatisfied(.noRoute))
    }

    @Test func `an IPv6 default route that expires is removed soon after, announced or not`() async throws {
        let (lab, index) = try await uplink()
        try await lab.change { kernel in
            let hop = NextHop(interface: index, gateway: "2001:db8::1")
            try kernel.addRoute(NewRoute(.all(.ipv6), nextHops: [hop], expires: 6))
        }
        let good = Seen.satisfied("ipv6", over: ["up0"], gateways: ["2001:db8::1"])
        try await lab.live.path { Seen($0) == good }
        // clock: it measures: the kernel may announce the change much later.
        let clock = ContinuousClock()
        let waited = try await clock.measure { try await lab.live.path { $0.status == .unsatisfied } }
        // The kernel's own announcement may take half a minute.
        #expect(waited < .seconds(20))
        try await lab.expect(.unsatisfied(.noRoute))
    }

    private func twoUplinks() async throws -> (Lab, Int32, Int32) {
        let lab = try await Lab()
        let first = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        let second = try await lab.cable("up1", addresses: ["198.51.100.2/24"])
        return (lab, first, second)
    }
}
#endif
