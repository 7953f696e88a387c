// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RuleTests {
    @Test(arguments: [(AddressFamily.ipv4, [0, 32766, 32767]), (.ipv6, [0, 32766])])
    func `a new namespace has the default rules`(family: AddressFamily, priorities: [UInt32]) throws {
        var kernel = try RouteNetlink(in: NetworkNamespace())
        let rules = try kernel.rules(family)
        #expect(rules.map { $0.priority ?? 0 } == priorities)
        #expect(rules.allSatisfy { $0.action == .lookup && $0.family == family })
        #expect(rules.map(\.table).prefix(2) == [.local, .main])
    }

    @Test(arguments: [AddressFamily.ipv4, .ipv6])
    func `added rules are read back unchanged`(family: AddressFamily) throws {
        var kernel = try RouteNetlink(in: NetworkNamespace())
        let network = try prefix(family == .ipv4 ? "192.0.2.0/24" : "2001:db8::/32")
        var given = [
            RuleMessage(
                family: family, table: RouteTable(rawValue: 51820), priority: 100, isInverted: true,
                firewallMark: 51820),
            RuleMessage(family: family, table: .main, priority: 101, suppressedPrefixLength: 0),
            RuleMessage(family: family, table: RouteTable(rawValue: 7), priority: 102, source: network),
            RuleMessage(family: family, table: RouteTable(rawValue: 7), priority: 103, destination: network),
            RuleMessage(family: family, action: .unreachable, priority: 104),
            RuleMessage(family: family, action: .blackhole, priority: 105),
            RuleMessage(family: family, action: .prohibit, priority: 106),
            RuleMessage(family: family, table: .main, priority: 107, suppressedLinkGroup: 7),
        ]
        given[4].incomingInterface = "eth7"
        given[5].outgoingInterface = "eth8"
        for rule in given { try kernel.addRule(rule) }
        var found = try kernel.rules(family).filter { (100...107).contains($0.priority ?? 0) }
        #expect(found.first?.firewallMask == .max)
        found[0].firewallMask = nil
        #expect(found == given)
        for rule in given { try kernel.deleteRule(rule) }
        let left = try kernel.rules(family)
        #expect(!left.contains { (100...107).contains($0.priority ?? 0) })
    }

    @Test func `a firewall mark can have a mask`() throws {
        var kernel = try RouteNetlink(in: NetworkNamespace())
        var rule = RuleMessage(family: .ipv4, table: RouteTable(rawValue: 7), priority: 9, firewallMark: 0x10)
        rule.firewallMask = 0xF0
        try kernel.addRule(rule)
        let found = try kernel.rules(.ipv4).first { $0.priority == 9 }
        #expect(found == rule)
    }

    @Test func `rejections are typed errors`() throws {
        var kernel = try RouteNetlink(in: NetworkNamespace())
        let rule = RuleMessage(family: .ipv4, table: .main, priority: 9)
        try kernel.addRule(rule)
        let twice = try refusal { try kernel.addRule(rule) }
        #expect(twice.errno == .exists)
        try kernel.deleteRule(rule)
        let gone = try refusal { try kernel.deleteRule(rule) }
        #expect(gone.errno == .noSuchEntry)
    }
}
#endif
