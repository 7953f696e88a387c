// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Netlink
@testable import NetworkState

struct KernelTablesTests {
    private func tables(_ datagrams: [UInt8]...) throws -> KernelTables {
        var tables = KernelTables()
        for datagram in datagrams { _ = try tables.apply(datagram) }
        return tables
    }

    private func interfaces(_ tables: KernelTables) -> [NetworkInterface] { tables.interfaces(devices: [:]) }

    @Test func `a link and an address make an interface`() throws {
        let tables = try tables(Wire.link(name: "eth0", kind: "veth"), Wire.address())
        let expected = NetworkInterface(
            index: 2, name: "eth0", type: .wiredEthernet, linkKind: "veth",
            addresses: [InterfaceAddress("192.0.2.2/24")])
        #expect(interfaces(tables) == [expected])
    }

    @Test func `interfaces are sorted by index, whatever the order of the messages`() throws {
        let tables = try tables(Wire.link(.newLink, 7, name: "b"), Wire.link(.newLink, 3, name: "a"))
        #expect(interfaces(tables).map(\.index) == [3, 7])
    }

    @Test func `a new link requires its hardware and the routes to be read`() throws {
        var tables = KernelTables()
        #expect(try tables.apply(Wire.link(name: "eth0")) == [.hardware, .routing])
        #expect(try tables.apply(Wire.link(name: "eth0")) == [])
        #expect(try tables.apply(Wire.link(name: "eth0", flags: [.up])) == .routing)
        #expect(try tables.apply(Wire.link(name: "wan0", flags: [.up])) == [.hardware, .routing])
        #expect(interfaces(tables).map(\.name) == ["wan0"])
    }

    @Test func `a change that does not affect routing requires nothing`() throws {
        var tables = try tables(Wire.link(name: "eth0", mtu: 1500))
        #expect(try tables.apply(Wire.link(name: "eth0", mtu: 1400)) == [])
        #expect(try tables.apply(Wire.link(name: "eth0", flags: [.up, .running, .lowerUp, .multicast])) == [])
        #expect(try tables.apply(Wire.link(name: "eth0", state: .up)) == [])
    }

    @Test func `a wireless event leaves out what has not changed`() throws {
        var tables = try tables(Wire.link(name: "wlan0", mtu: 1500))
        #expect(interfaces(tables).first?.type == .wiredEthernet)
        #expect(try tables.apply(Wire.link(isWirelessEvent: true)) == .routing)
        #expect(interfaces(tables).map(\.name) == ["wlan0"])
        #expect(interfaces(tables).first?.type == .wifi)
        #expect(try tables.apply(Wire.link(isWirelessEvent: true)) == [])
        #expect(try tables.apply(Wire.link(flags: [.up], isWirelessEvent: true)) == .routing)
        #expect(interfaces(tables).first?.flags == [.up])
    }

    @Test func `a dormant operational state counts as the dormant flag`() throws {
        var tables = try tables(Wire.link(name: "wlan0", flags: [.up, .lowerUp]))
        #expect(interfaces(tables).first?.isDormant == false)
        #expect(try tables.apply(Wire.link(name: "wlan0", flags: [.up, .lowerUp], state: .dormant)) == .routing)
        #expect(interfaces(tables).first?.isDormant == true)
        #expect(try tables.apply(Wire.link(name: "wlan0", flags: [.up, .running, .lowerUp], state: .up)) == .routing)
        #expect(interfaces(tables).first?.isDormant == false)
    }

    @Test func `messages about bridge ports do not change links`() throws {
        var tables = try tables(Wire.link(name: "port0"))
        #expect(try tables.apply(Wire.link(flags: [], family: .bridge)) == [])
        #expect(try tables.apply(Wire.link(.deleteLink, family: .bridge)) == [])
        #expect(interfaces(tables).first?.isRunning == true)
    }

    @Test func `a port's bridge is known, and its removal`() throws {
        var tables = try tables(Wire.link(name: "port0"))
        #expect(try tables.apply(Wire.link(name: "port0", controller: 9)) == .routing)
        #expect(interfaces(tables).first?.isEnslaved == true)
        #expect(try tables.apply(Wire.link(name: "port0")) == .routing)
        #expect(interfaces(tables).first?.isEnslaved == false)
    }

    @Test func `only a modified address is a change, a repeated one is not`() throws {
        var tables = try tables(Wire.link(name: "eth0"), Wire.address(lifetime: 600))
        #expect(try tables.apply(Wire.address(lifetime: 599)) == [])
        #expect(tables.earliestAddressExpiry == 599)
        #expect(try tables.apply(Wire.address(flags: .permanent)) == [])
        #expect(try tables.apply(Wire.address(flags: .tentative)) == .routing)
        #expect(try tables.apply(Wire.address()) == .routing)
        #expect(interfaces(tables).first?.addresses.count == 1)
    }

    @Test func `the same address with another prefix length is another address`() throws {
        var tables = try tables(Wire.link(name: "eth0"), Wire.address())
        #expect(try tables.apply(Wire.address(.newAddress, "192.0.2.2/25")) == .routing)
        #expect(try tables.apply(Wire.address(.deleteAddress, "192.0.2.2/24")) == .routing)
        #expect(interfaces(tables).first?.addresses == [InterfaceAddress("192.0.2.2/25")])
        #expect(try tables.apply(Wire.address(.deleteAddress, "192.0.2.2/24")) == [])
    }

    @Test func `the same IPv4 address with another peer is another address`() throws {
        var tables = try tables(Wire.link(name: "ppp0"), Wire.address(peer: "198.51.100.1"))
        #expect(try tables.apply(Wire.address(peer: "198.51.100.2")) == .routing)
        #expect(interfaces(tables).first?.addresses.count == 2)
        #expect(try tables.apply(Wire.address(.deleteAddress, peer: "198.51.100.1")) == .routing)
        #expect(interfaces(tables).first?.addresses == [InterfaceAddress("192.0.2.2/24")])
        #expect(try tables.apply(Wire.address(.deleteAddress, peer: "198.51.100.1")) == [])
    }

    @Test func `an IPv6 address that gets another peer stays the same`() throws {
        var tables = try tables(Wire.link(name: "ppp0"), Wire.address(.newAddress, "2001:db8::2/64"))
        #expect(try tables.apply(Wire.address(.newAddress, "2001:db8::2/64", peer: "2001:db8::1")) == [])
        #expect(interfaces(tables).first?.addresses.count == 1)
    }

    /// Rules, and whether they reject the packets of ordinary programs.
    static let rules: [(RuleMessage, Bool)] = [
        (RuleMessage(family: .ipv4), false),
        (RuleMessage(family: .ipv4, action: .unreachable), true),
        (RuleMessage(family: .ipv6, action: .blackhole), true),
        // Only a VPN's own packets, when its table has no route.
        (RuleMessage(family: .ipv4, action: .unreachable, firewallMark: 0x80000), false),
        // All packets but these.
        (RuleMessage(family: .ipv4, action: .prohibit, isInverted: true, firewallMark: 51820), true),
        (RuleMessage(family: .ipv4, action: .prohibit, isInverted: true), false),
        (RuleMessage(family: .ipv4, action: .unreachable, source: "198.51.100.0/24"), false),
        (RuleMessage(family: .ipv4, action: .unreachable, destination: "198.51.100.0/24"), false),
        (incoming, false),
        (outgoing, false),
    ]

    private static var incoming: RuleMessage {
        var rule = RuleMessage(family: .ipv4, action: .unreachable)
        rule.incomingInterface = "eth0"
        return rule
    }

    private static var outgoing: RuleMessage {
        var rule = RuleMessage(family: .ipv4, action: .unreachable)
        rule.outgoingInterface = "eth0"
        return rule
    }

    @Test(arguments: rules)
    func `only a rule for ordinary packets counts as rejecting`(rule: RuleMessage, rejects: Bool) {
        #expect(KernelTables(links: [], addresses: [], rules: [rule]).hasRejectingRule == rejects)
    }

    @Test func `deleting a link deletes its addresses and metadata`() throws {
        var tables = try tables(Wire.link(name: "wlan0"), Wire.link(isWirelessEvent: true), Wire.address())
        #expect(try tables.apply(Wire.link(.deleteLink, name: "wlan0")) == .routing)
        #expect(interfaces(tables) == [])
        #expect(try tables.apply(Wire.link(.deleteLink, name: "wlan0")) == [])
        // The index is reused for another link.
        _ = try tables.apply(Wire.link(name: "eth0"))
        #expect(interfaces(tables) == [NetworkInterface(index: 2, name: "eth0", type: .wiredEthernet)])
    }

    @Test func `an address that arrives before its link is kept`() throws {
        let tables = try tables(Wire.address(), Wire.link(name: "eth0"))
        #expect(interfaces(tables).first?.addresses.count == 1)
    }

    @Test(arguments: [MessageType.newRoute, .deleteRoute, .newNextHop, .deleteNextHop])
    func `routes require new lookups`(type: MessageType) throws {
        var tables = KernelTables()
        #expect(try tables.apply(Wire.empty(type)) == .routing)
    }

    @Test(arguments: [MessageType.newRoute, .deleteRoute])
    func `a route requires new lookups of its family only`(type: MessageType) throws {
        var tables = KernelTables()
        #expect(try tables.apply(Wire.route(type, .ipv4)) == .ipv4Routing)
        #expect(try tables.apply(Wire.route(type, .ipv6)) == .ipv6Routing)
        #expect(try tables.apply(Wire.route(type, .unspecified)) == .routing)
    }

    @Test(arguments: [MessageType.newRule, .deleteRule])
    func `rules require reading the rules and new lookups`(type: MessageType) throws {
        var tables = KernelTables()
        #expect(try tables.apply(Wire.empty(type)) == [.rules, .routing])
    }

    /// Settings, and what must be looked up again because of them.
    static let settings: [(AddressFamily, Int32, forwarding: Int32?, ignoring: Int32?, KernelTables.Hints)] = [
        (.ipv4, -1, nil, 1, .ipv4Routing), (.ipv6, -1, nil, 0, .ipv6Routing), (.ipv6, 2, nil, 1, .ipv6Routing),
        (.ipv6, -1, 1, nil, .ipv6Routing),
        // Whether a single link forwards has no effect on this host's packets.
        (.ipv6, 2, 1, nil, []),
        // A new link announces everything.
        (.ipv4, 2, 0, 1, []),
        (.ipv4, 2, nil, nil, []),
    ]

    @Test(arguments: settings)
    func `a setting requires new lookups of its family`(
        family: AddressFamily, index: Int32, forwarding: Int32?, ignoring: Int32?, hints: KernelTables.Hints
    ) throws {
        var tables = KernelTables()
        let message = try Wire.settings(family, of: index, forwarding: forwarding, ignoring: ignoring)
        #expect(try tables.apply(message) == hints)
    }

    @Test func `the group of a link requires new lookups`() throws {
        var tables = try tables(Wire.link(name: "eth0", group: 0))
        #expect(try tables.apply(Wire.link(name: "eth0", group: 0)) == [])
        #expect(try tables.apply(Wire.link(name: "eth0", group: 7)) == .routing)
    }

    @Test func `a router's failure and its return require new lookups, each once`() throws {
        var tables = try tables(Wire.link(name: "eth0"))
        #expect(try tables.apply(Wire.neighbor(.failed)) == .routing)
        #expect(try tables.apply(Wire.neighbor(.failed)) == [])
        #expect(try tables.apply(Wire.neighbor(.incomplete)) == [])
        #expect(tables.failedNeighbors.count == 1)
        #expect(try tables.apply(Wire.neighbor(.reachable)) == .routing)
        #expect(try tables.apply(Wire.neighbor(.stale)) == [])
        #expect(tables.failedNeighbors.isEmpty)
        _ = try tables.apply(Wire.neighbor(.failed))
        #expect(try tables.apply(Wire.neighbor(.failed, type: .deleteNeighbor)) == .routing)
        #expect(tables.failedNeighbors.isEmpty)
    }

    @Test func `a router that failed is remembered when everything is read again, but may have returned since`() throws
    {
        var tables = try tables(Wire.link(name: "eth0"))
        _ = try tables.apply(Wire.neighbor(.failed))
        let link = try LinkMessage.sample(2)
        tables.replaceAll(links: [link], addresses: [], rules: [])
        #expect(tables.failedNeighbors.count == 1)
        #expect(try tables.apply(Wire.neighbor(.failed)) == .routing)
        #expect(try tables.apply(Wire.neighbor(.failed)) == [])
        tables.replaceAll(links: [], addresses: [], rules: [])
        #expect(tables.failedNeighbors.isEmpty)
    }

    @Test func `the routers in use come before others that failed, of which only the last are remembered`() throws {
        var tables = KernelTables()
        for index in 1...40 { _ = try tables.apply(Wire.neighbor(.failed, on: Int32(index))) }
        #expect(tables.failedNeighbors.map(\.interface) == Array(9...40))
        let answers: [RouteAnswer.Outcome] = [.via("fe80::1", on: 40), .via("192.0.2.1", on: 2), .noRoute]
        let routers = tables.routers(of: RoutingAnswers(general: answers.map { RouteAnswer("24.48.0.1", $0) }))
        let inUse = [NeighborWatch("fe80::1", on: 40, hasFailed: true), NeighborWatch("192.0.2.1", on: 2)]
        #expect(Array(routers.prefix(2)) == inUse)
        #expect(routers.dropFirst(2).map(\.interface) == Array(9...39))
    }

    @Test func `the routers of a deleted link are forgotten`() throws {
        var tables = try tables(Wire.link(name: "eth0"))
        _ = try tables.apply(Wire.neighbor(.failed))
        _ = try tables.apply(Wire.link(.deleteLink, name: "eth0"))
        #expect(tables.failedNeighbors.isEmpty)
    }

    @Test(arguments: [MessageType.done, .deleteConfiguration, MessageType(rawValue: 9999)])
    func `other messages have no effect`(type: MessageType) throws {
        var tables = KernelTables()
        #expect(try tables.apply(Wire.empty(type)) == [])
    }

    @Test func `a truncated message is a typed error and does not change the state`() throws {
        var tables = try tables(Wire.link(name: "eth0"))
        var bytes = try Wire.link(name: "eth0", flags: [])
        bytes.removeLast(4)
        #expect(throws: NetlinkError.self) { try tables.apply(bytes) }
        #expect(interfaces(tables).first?.isRunning == true)
    }

    @Test func `rereading replaces all addresses`() throws {
        var tables = try tables(Wire.link(name: "eth0"), Wire.address(), Wire.address(.newAddress, "2001:db8::2/64"))
        tables.replaceAddresses([])
        #expect(interfaces(tables).first?.addresses == [])
    }
}
