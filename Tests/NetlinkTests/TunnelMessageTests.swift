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

    @Test func `a peer whose addresses fill several messages is one peer`() throws {
        typealias Peer = WireGuardDevice.Peer
        /// A message with parts of peers, of which only the first has the endpoint and the counters.
        func message(_ parts: (prefix: NetworkPrefix, endpoint: NetworkAddress?)...) throws -> WireGuardDevice {
            var writer = MessageWriter.raw()
            GenericHeader.write(WireGuardDevice.Command.getDevice, version: 1, to: &writer)
            writer.attribute(WireGuardDevice.Attribute.index, Int32(9))
            writer.nested(WireGuardDevice.Attribute.peers) { peers in
                for part in parts {
                    peers.nested(0) { peer in
                        if let endpoint = part.endpoint {
                            peer.attribute(Peer.Attribute.receivedBytes, UInt64(0))
                            let port: [UInt8] = [UInt8(AddressFamily.ipv4.rawValue), 0, 0x12, 0x34]
                            peer.attribute(Peer.Attribute.endpoint, port + endpoint.bytes + [0, 0, 0, 0, 0, 0, 0, 0])
                        }
                        peer.nested(Peer.Attribute.allowed) { allowed in
                            allowed.nested(0) { entry in
                                entry.attribute(Peer.AllowedAttribute.address, part.prefix.address)
                                entry.attribute(Peer.AllowedAttribute.length, part.prefix.length)
                            }
                        }
                    }
                }
            }
            let bytes = writer.bytes
            let device = try WireGuardDevice(bytes.span.bytes)
            return try #require(device)
        }
        var device = try message(("10.0.0.0/8", "203.0.113.1"), ("11.0.0.0/8", "203.0.113.2"))
        device.append(try message(("12.0.0.0/8", nil)))
        device.append(try message(("13.0.0.0/8", nil), ("14.0.0.0/8", "203.0.113.3")))
        let expected = [
            Peer(endpoint: "203.0.113.1", allowed: ["10.0.0.0/8"]),
            Peer(endpoint: "203.0.113.2", allowed: ["11.0.0.0/8", "12.0.0.0/8", "13.0.0.0/8"]),
            Peer(endpoint: "203.0.113.3", allowed: ["14.0.0.0/8"]),
        ]
        #expect(device.peers == expected)
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
