// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Netlink

struct OtherMessageTests {
    static func rule(_ capture: Capture) throws -> RuleMessage {
        guard case .newRule(let rule) = try capture.message() else {
            throw NetlinkError.malformed("not a new rule")
        }
        return rule
    }

    static func object(_ capture: Capture) throws -> NextHopObjectMessage {
        guard case .newNextHop(let object) = try capture.message() else {
            throw NetlinkError.malformed("not a new nexthop object")
        }
        return object
    }

    static func neighbor(_ capture: Capture) throws -> NeighborMessage {
        guard case .newNeighbor(let neighbor) = try capture.message() else {
            throw NetlinkError.malformed("not a new neighbour")
        }
        return neighbor
    }

    @Test func `the rules of a WireGuard tunnel`() throws {
        let marked = try Self.rule(RuleCaptures.marked)
        #expect((marked.action, marked.table.rawValue, marked.priority) == (.lookup, 51820, 32764))
        #expect(marked.isInverted)
        #expect((marked.firewallMark, marked.firewallMask) == (51820, .max))
        #expect(marked.suppressedPrefixLength == nil)
        let suppressing = try Self.rule(RuleCaptures.suppressing)
        #expect((suppressing.table, suppressing.suppressedPrefixLength) == (.main, 0))
        #expect(!suppressing.isInverted && suppressing.firewallMark == nil)
    }

    @Test func `a rule with all selectors`() throws {
        let rule = try Self.rule(RuleCaptures.selective)
        #expect(rule.source?.description == "192.0.2.0/24")
        #expect(rule.destination?.description == "198.51.100.0/25")
        #expect((rule.incomingInterface, rule.outgoingInterface) == ("veth0", "veth1"))
        #expect((rule.table.rawValue, rule.priority) == (100, 900))
    }

    @Test func `a rule that rejects, and the first rule`() throws {
        let rejecting = try Self.rule(RuleCaptures.ipv6Unreachable)
        #expect((rejecting.family, rejecting.action, rejecting.priority) == (.ipv6, .unreachable, 901))
        #expect(rejecting.action.rejects)
        let local = try Self.rule(RuleCaptures.local)
        #expect((local.table, local.priority) == (.local, nil))
        #expect(!local.action.rejects)
    }

    @Test func `nexthop objects`() throws {
        let single = try Self.object(NextHopCaptures.single)
        #expect((single.id, single.family) == (1, .ipv4))
        #expect(single.hop == NextHop(interface: 3, gateway: NetworkAddress("192.0.2.2")))
        #expect(try Self.object(NextHopCaptures.singleIPv6).hop?.gateway?.description == "2001:db8::5")
        let group = try Self.object(NextHopCaptures.group)
        #expect(group.group == [.init(id: 1, weight: 10), .init(id: 5, weight: 256)])
        #expect(group.hop == nil && !group.isBlackhole)
        let blackhole = try Self.object(NextHopCaptures.blackhole)
        #expect(blackhole.isBlackhole && blackhole.hop == nil && blackhole.group.isEmpty)
    }

    @Test func `weights of 16 bits are written and read`() throws {
        let members = [1, 256, 257, 1000, UInt16.max].map { NextHopObjectMessage.Member(id: 7, weight: $0) }
        var writer = MessageWriter.raw()
        NextHopObjectMessage(id: 3, family: .unspecified, group: members).write(to: &writer)
        let bytes = writer.bytes
        #expect(try NextHopObjectMessage(bytes.span.bytes).group == members)
    }

    @Test func `neighbours`() throws {
        let permanent = try Self.neighbor(NeighborCaptures.ipv4Permanent)
        #expect(permanent.address?.description == "192.0.2.9")
        #expect((permanent.index, permanent.state) == (3, .permanent))
        #expect(permanent.hardwareAddress == [2, 0, 0, 0, 0, 9])
        let router = try Self.neighbor(NeighborCaptures.ipv6StaleRouter)
        #expect((router.address?.description, router.state) == ("2001:db8::9", .stale))
        // NTF_ROUTER.
        #expect(router.flags == 0x80)
        let entry = try Self.neighbor(NeighborCaptures.forwarding)
        #expect((entry.family, entry.address) == (.bridge, nil))
        #expect(entry.hardwareAddress == [2, 0, 0, 0, 0, 7])
    }

    /// `ip monitor netconf` shows these: a new link's settings, and one setting of all links.
    static let settings: [(String, ConfigurationMessage)] = [
        (
            """
            44 00 00 00 50 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 08 00 01 00 05 00 00 00 08 00 02 00 01 00 00 00
            08 00 03 00 00 00 00 00 08 00 04 00 00 00 00 00 08 00 05 00 00 00 00 00 08 00 06 00 01 00 00 00
            """, ConfigurationMessage(family: .ipv4, index: 5, isForwarding: true, ignoresRoutesWithoutCarrier: true)
        ),
        (
            """
            24 00 00 00 50 00 00 00 00 00 00 00 00 00 00 00 0a 00 00 00 08 00 01 00 ff ff ff ff 08 00 06 00 00 00 00 00
            """, ConfigurationMessage(family: .ipv6, index: -1, ignoresRoutesWithoutCarrier: false)
        ),
    ]

    @Test(arguments: settings) func `settings of a link and of all links`(text: String, expected: ConfigurationMessage)
        throws
    {
        #expect(try Capture(text).message() == .newConfiguration(expected))
    }

    @Test func `settings without a link's index are malformed`() throws {
        let bytes: [UInt8] = [2, 0, 0, 0, 8, 0, 6, 0, 1, 0, 0, 0]
        let error = #expect(throws: NetlinkError.self) { try ConfigurationMessage(bytes.span.bytes) }
        #expect(error?.code == .malformed)
    }

    @Test func `a message of an unknown type is kept`() throws {
        let bytes: [UInt8] = [20, 0, 0, 0, 0xE7, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
        #expect(try Capture.messages(in: bytes) == [.other(MessageType(rawValue: 999), [1, 2, 3, 4])])
    }
}
