// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import OpenNetwork
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RuleTopologyTests {
    private let table = RouteTable(rawValue: 51820)

    @Test func `a rule that selects a table with a default route`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        let table = table
        try await lab.change { try $0.addDefault(via: "192.0.2.1", on: index, table: table) }
        try await lab.expect(.unsatisfied(.noRoute))
        let rule = RuleMessage(family: .ipv4, table: table, priority: 1000)
        try await lab.change { try $0.addRule(rule) }
        let good = Seen.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"])
        try await lab.expect(good)
        try await lab.change { try $0.deleteRule(rule) }
        try await lab.expect(.unsatisfied(.noRoute))
    }

    @Test func `a rule for marked packets does not apply to ours`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        let table = table
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1", on: index, table: table)
            try kernel.addRule(RuleMessage(family: .ipv4, table: table, priority: 1000, firewallMark: 7))
        }
        try await lab.expect(.unsatisfied(.noRoute))
    }

    @Test(arguments: [RuleAction.unreachable, .prohibit, .blackhole])
    func `a rejecting rule before the main table`(action: RuleAction) async throws {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["192.0.2.2/24", "2001:db8::2/64"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1")
            try kernel.addDefault(via: "2001:db8::1")
            try kernel.addRule(RuleMessage(family: .ipv4, action: action, priority: 1000))
        }
        try await lab.expect(.satisfied("ipv6", over: ["up0"], gateways: ["2001:db8::1"]))
        try await lab.change { try $0.addRule(RuleMessage(family: .ipv6, action: action, priority: 1000)) }
        try await lab.expect(.unsatisfied(.routeUnreachable))
    }

    /// The kernel looks up a second time with the source that it has chosen: connecting fails, or uses another link.
    @Test(arguments: [RuleAction.prohibit, .unreachable, .blackhole])
    func `a rule that rejects the address that packets would have`(action: RuleAction) async throws {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["10.0.0.1/24"])
        try await lab.change { try $0.addDefault(via: "10.0.0.2") }
        let good = Seen.satisfied("ipv4", over: ["up0"], gateways: ["10.0.0.2"])
        try await lab.expect(good)
        let rule = RuleMessage(family: .ipv4, action: action, priority: 1000, source: "10.0.0.1/32")
        try await lab.change { try $0.addRule(rule) }
        try await lab.expect(.unsatisfied(.routeUnreachable))
        #expect(try await lab.run { Connection.source(to: "24.48.0.1") } == nil)
        try await lab.change { try $0.deleteRule(rule) }
        try await lab.expect(good)
    }

    @Test func `a rule that leads packets with an address to another link`() async throws {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["10.0.0.1/24"])
        let second = try await lab.cable("up1", addresses: ["10.0.1.1/24"])
        let table = table
        try await lab.change { kernel in
            try kernel.addDefault(via: "10.0.0.2")
            try kernel.addDefault(via: "10.0.1.2", on: second, table: table)
            try kernel.addRule(
                RuleMessage(family: .ipv4, table: table, priority: 1000, source: "10.0.0.1/32"))
        }
        // A socket that is bound to the first link does not meet a route of that table.
        try await lab.expect(.satisfied("ipv4", over: ["up1", "up0"], gateways: ["10.0.1.2"]))
        let host = try await lab.run {
            let lookup = RouteLookup(to: "24.48.0.1")
            return AddressEvaluator(KernelSource.currentSnapshot(hosts: [lookup])).evaluate(lookup)
        }
        #expect(host?.interface?.name == "up1" && host?.gateway == "10.0.1.2")
    }

    /// `wg-quick up` with `AllowedIPs = 0.0.0.0/0, ::/0` does this; a tun link replaces the WireGuard link.
    @Test(.requires(.tunnels))
    func `a tunnel for all traffic, by a rule for unmarked packets`() async throws {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["192.0.2.2/24", "2001:db8::2/64"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1")
            try kernel.addDefault(via: "2001:db8::1")
        }
        try await lab.expect(.satisfied("ipv4", "ipv6", over: ["up0"], gateways: ["192.0.2.1", "2001:db8::1"]))
        let tunnel = try await lab.run { try Tunnel(name: "wg0", carrying: .packets) }
        let table = table
        try await lab.change { kernel in
            let index = try kernel.link(named: "wg0").index
            try kernel.setLink(index, up: true)
            try kernel.add("10.8.0.2/32", to: index)
            try kernel.add("2001:db8:8::2/128", to: index)
            for family in [AddressFamily.ipv4, .ipv6] {
                try kernel.addRoute(NewRoute(.all(family.version ?? .ipv4), interface: index, table: table))
                try kernel.addRule(
                    RuleMessage(
                        family: family, table: table, priority: 32765, isInverted: true, firewallMark: 51820))
                try kernel.addRule(
                    RuleMessage(family: family, table: .main, priority: 32764, suppressedPrefixLength: 0))
            }
        }
        try await lab.expect(.satisfied("ipv4", "ipv6", over: ["wg0", "up0"]))
        #expect(lab.live.path.usedInterfaceTypes == [.other, .wiredEthernet])
        withExtendedLifetime(tunnel) {}
    }

    @Test(.requires(.tunnels))
    func `a tunnel for all traffic, by two half-space routes`() async throws {
        let lab = try await Lab()
        let uplink = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        let tunnel = try await lab.run { try Tunnel(name: "tun0", carrying: .packets) }
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1")
            let index = try kernel.link(named: "tun0").index
            try kernel.setLink(index, up: true)
            try kernel.add("10.8.0.2/24", to: index)
            try kernel.addRoute(NewRoute("203.0.113.9/32", via: "192.0.2.1", interface: uplink))
            for half: NetworkPrefix in ["0.0.0.0/1", "128.0.0.0/1"] {
                try kernel.addRoute(NewRoute(half, via: "10.8.0.1", interface: index))
            }
        }
        try await lab.expect(.satisfied("ipv4", over: ["tun0", "up0"], gateways: ["10.8.0.1"]))
        #expect(lab.live.path.usedInterfaceTypes == [.other, .wiredEthernet])
        withExtendedLifetime(tunnel) {}
    }

    /// As systemd-networkd makes it on a network with IPv6 only (464XLAT).
    @Test(.requires(.tunnels))
    func `the tunnel of a translator is named by the link that carries IPv6`() async throws {
        let lab = try await Lab()
        let uplink = try await lab.cable("up0", addresses: ["2001:db8::2/64"])
        let tunnel = try await lab.run { try Tunnel(name: "cl-up0", carrying: .packets) }
        try await lab.change { kernel in
            try kernel.addDefault(via: "fe80::1", on: uplink)
            let index = try kernel.link(named: "cl-up0").index
            try kernel.setLink(index, up: true)
            try kernel.add("192.0.0.1/32", to: index)
            try kernel.addRoute(NewRoute(.all(.ipv4), interface: index, priority: 2048))
        }
        try await lab.expect(.satisfied("ipv4", "ipv6", over: ["up0", "cl-up0"], gateways: ["fe80::1%up0"]))
        withExtendedLifetime(tunnel) {}
    }

    @Test(.requires(.linkKind("vrf")))
    func `an uplink inside a VRF does not serve programs outside it`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0")
        try await lab.change { kernel in
            try kernel.createLink(.other(name: "vrf0", kind: "vrf"))
            let vrf = try kernel.link(named: "vrf0").index
            try kernel.setLink(vrf, up: true)
            try kernel.setLink(index, controller: vrf)
            try kernel.add("192.0.2.2/24", to: index)
            try kernel.addDefault(via: "192.0.2.1", on: index, table: RouteTable(rawValue: 10))
        }
        try await lab.expect(.unsatisfied(.noRoute))
    }
}
#endif
