// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Netlink

/// The kernel's information about where tunnels' packets go.
struct TunnelMessageTests {
    static let captures: [(String, Capture, TunnelOptions?)] = TunnelCaptures.links

    @Test(arguments: captures)
    func `a captured tunnel has its remote end`(kind: String, capture: Capture, expected: TunnelOptions?) throws {
        let bytes = capture.bytes
        let link = try LinkMessage(bytes.span.bytes.extracting(droppingFirst: MessageHeader.size))
        #expect(link.kind == kind)
        #expect(link.tunnel == expected)
    }

    @Test func `options before their kind are read`() throws {
        var info = MessageWriter.raw()
        info.nested(LinkMessage.InfoAttribute.data) { $0.attribute(7, NetworkAddress(203, 0, 113, 9)) }
        info.attribute(LinkMessage.InfoAttribute.kind, "gre")
        var link = MessageWriter.raw()
        RouteNetlink.writeLinkHeader(&link, index: 9)
        link.attribute(LinkMessage.Attribute.info.rawValue, info.bytes)
        let message = try LinkMessage(link.bytes.span.bytes)
        #expect(message.tunnel == TunnelOptions(remote: "203.0.113.9"))
    }

    @Test func `zero means no value, and an address of an invalid size is ignored`() throws {
        var data = MessageWriter.raw()
        data.attribute(1, UInt32(0))
        data.attribute(2, [1, 2, 3])
        data.attribute(3, NetworkAddress.any(.ipv4))
        data.attribute(20, UInt32(0))
        #expect(try TunnelOptions(kind: "ipip", data.bytes.span.bytes) == TunnelOptions())
        #expect(try TunnelOptions(kind: "bridge", data.bytes.span.bytes) == nil)
    }

    @Test func `a captured WireGuard device`() throws {
        let bytes = TunnelCaptures.wireGuard.bytes
        let device = try #require(try WireGuardDevice(bytes.span.bytes.extracting(droppingFirst: MessageHeader.size)))
        #expect(device.mark == 51820)
        #expect(
            device.peers.sorted { $0.allowed.count < $1.allowed.count } == [
                .init(endpoint: nil, allowed: ["10.66.0.0/16"]),
                .init(endpoint: "203.0.113.9", allowed: ["0.0.0.0/0", "::/0"]),
            ])
    }

    static let endpoints: [(NetworkAddress, NetworkAddress?)] = [
        ("24.48.0.1", "203.0.113.1"), ("10.1.2.3", "203.0.113.2"), ("10.1.9.9", nil), ("2001:db8::1", nil),
        ("2a00:d40::1", "2001:db8::3"),
    ]

    @Test(arguments: endpoints)
    func `the longest prefix selects the peer`(destination: NetworkAddress, expected: NetworkAddress?) {
        let device = WireGuardDevice(
            index: 9,
            peers: [
                .init(endpoint: "203.0.113.1", allowed: ["0.0.0.0/0"]),
                .init(endpoint: "203.0.113.2", allowed: ["10.0.0.0/8"]),
                .init(allowed: ["10.1.9.0/24", "2001:db8::/32"]),
                .init(endpoint: "2001:db8::3", allowed: ["::/0"]),
            ])
        #expect(device.endpoint(for: destination) == expected)
    }
}
