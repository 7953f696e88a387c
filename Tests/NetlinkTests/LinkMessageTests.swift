// SPDX-License-Identifier: Apache-2.0

import NetlinkTesting
import Testing

@testable import Netlink

struct LinkMessageTests {
    static func link(_ capture: Capture) throws -> LinkMessage {
        guard case .newLink(let link) = try capture.message() else {
            throw NetlinkError.malformed("not a new link")
        }
        return link
    }

    @Test func `the loopback link`() throws {
        let link = try Self.link(LinkCaptures.loopback)
        #expect((link.index, link.name) == (1, "lo"))
        #expect(link.family == .unspecified)
        #expect(link.hardwareType == .loopback)
        #expect(link.flags == .loopback)
        #expect(link.operationalState == .down)
        #expect(link.hasCarrier == true)
        #expect(link.hardwareAddress == [0, 0, 0, 0, 0, 0])
        #expect(link.kind == nil && link.lowerIndex == nil && link.controllerIndex == nil)
        #expect(!link.isWirelessEvent)
    }

    @Test func `a veth with and without carrier`() throws {
        let up = try Self.link(LinkCaptures.vethUp)
        #expect((up.name, up.kind, up.lowerIndex) == ("veth0", "veth", 2))
        #expect(up.flags == [.up, .broadcast, .running, .multicast, .lowerUp])
        #expect((up.operationalState, up.hasCarrier) == (.up, true))
        let cut = try Self.link(LinkCaptures.vethWithoutCarrier)
        #expect(cut.flags == [.up, .broadcast, .multicast])
        #expect((cut.operationalState, cut.hasCarrier) == (.lowerLayerDown, false))
    }

    @Test func `a bridge port`() throws {
        let port = try Self.link(LinkCaptures.bridgePort)
        #expect((port.name, port.kind) == ("p0", "veth"))
        #expect((port.controllerIndex, port.controllerKind) == (4, "bridge"))
    }

    @Test func `a macvlan, and its deletion`() throws {
        let link = try Self.link(LinkCaptures.macvlan)
        #expect((link.name, link.kind, link.lowerIndex) == ("mac0", "macvlan", 3))
        guard case .deletedLink(let deleted) = try LinkCaptures.deletedMacvlan.message() else {
            Issue.record("not a deleted link")
            return
        }
        #expect((deleted.index, deleted.name) == (link.index, "mac0"))
    }

    @Test func `a tunnel without a program attached`() throws {
        let link = try Self.link(LinkCaptures.tun)
        #expect((link.name, link.kind) == ("tun0", "tun"))
        #expect(link.hardwareType == .none)
        #expect(link.flags == [.pointToPoint, .noARP, .multicast])
        #expect(link.hardwareAddress == nil)
    }

    /// The message is built according to `net/wireless/wext-core.c`: an `ifinfomsg`, a name, and `IFLA_WIRELESS`.
    @Test func `a wireless event is marked as partial`() throws {
        let event = Capture(
            """
            38 00 00 00 10 00 00 00 00 00 00 00 00 00 00 00
            # ifinfomsg
            00 00 01 00 03 00 00 00 43 10 01 00 00 00 00 00
            # IFLA_IFNAME
            0a 00 03 00 77 6c 61 6e 30 00 00 00
            # IFLA_WIRELESS: an iw_event
            0c 00 0b 00 08 00 15 8b 00 00 00 00
            """)
        let link = try Self.link(event)
        #expect(link.isWirelessEvent)
        #expect(link.name == "wlan0")
        #expect(link.operationalState == nil && link.hasCarrier == nil)
    }
}
