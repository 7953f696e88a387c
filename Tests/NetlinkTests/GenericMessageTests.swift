// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Netlink

struct GenericMessageTests {
    /// The payload of the capture's only message.
    static func family(_ bytes: [UInt8]) throws(NetlinkError) -> GenericFamily {
        try GenericFamily(bytes.span.bytes.extracting(16..<bytes.count))
    }

    @Test func `a family and its groups`() throws {
        #expect(
            try Self.family(GenericCaptures.controller.bytes)
                == GenericFamily(type: MessageType(rawValue: 16), name: "nlctrl", version: 2, groups: ["notify": 16]))
    }

    @Test func `a family without a number or a name is rejected`() {
        let error = #expect(throws: NetlinkError.self) {
            try GenericFamily([1, 2, 0, 0, 8, 0, 3, 0, 2, 0, 0, 0].span.bytes)
        }
        #expect(error?.code == .malformed)
    }

    /// The payload of an `NL80211_CMD_NEW_INTERFACE`, built according to `linux/nl80211.h`.
    static func interface(
        command: UInt8 = 7, index: UInt32? = 3, name: String? = "wlan0", type: UInt32 = 2, ssid: [UInt8]? = nil,
        frequency: UInt32? = nil
    ) throws -> WiFiInterface? {
        var writer = MessageWriter.raw()
        writer.append([command, 1, 0, 0])
        // NL80211_ATTR_IFINDEX, _IFNAME, _WIPHY, _IFTYPE, _WDEV, _MAC, _GENERATION.
        if let index { writer.attribute(3, index) }
        if let name { writer.attribute(4, name) }
        writer.attribute(1, UInt32(0))
        writer.attribute(5, type)
        writer.attribute(153, UInt64(1))
        writer.attribute(6, [2, 0, 0, 0, 0, 1])
        writer.attribute(46, UInt32(5))
        // NL80211_ATTR_WIPHY_FREQ, _CHANNEL_WIDTH, _SSID.
        if let frequency {
            writer.attribute(38, frequency)
            writer.attribute(159, UInt32(1))
        }
        if let ssid { writer.attribute(52, ssid) }
        return try WiFiInterface(writer.bytes.span.bytes)
    }

    @Test func `a station that has joined a network`() throws {
        let interface = try #require(try Self.interface(ssid: Array("Café".utf8), frequency: 5180))
        #expect((interface.index, interface.name, interface.radio) == (3, "wlan0", 0))
        #expect(interface.type == .station)
        #expect(interface.ssid == [0x43, 0x61, 0x66, 0xC3, 0xA9])
        #expect(interface.frequency == 5180)
        #expect(interface.hardwareAddress == [2, 0, 0, 0, 0, 1])
    }

    @Test func `a station that has not joined a network`() throws {
        let interface = try #require(try Self.interface())
        #expect(interface.ssid == nil && interface.frequency == nil)
    }

    static let types: [(UInt32, WiFiInterfaceType)] = [
        (0, .unspecified), (2, .station), (3, .accessPoint), (6, .monitor), (8, .directClient),
        (77, WiFiInterfaceType(rawValue: 77)),
    ]

    @Test(arguments: types) func `known and unknown interface types`(number: UInt32, type: WiFiInterfaceType) throws {
        #expect(try Self.interface(type: number)?.type == type)
    }

    @Test func `a network's name may be any bytes, or empty`() throws {
        #expect(try Self.interface(ssid: [0xFF, 0, 0x41])?.ssid == [0xFF, 0, 0x41])
        #expect(try Self.interface(ssid: [])?.ssid == [])
    }

    @Test func `an interface without a link is left out`() throws {
        #expect(try Self.interface(index: nil, name: nil, type: 10) == nil)
        #expect(try Self.interface(command: 8) == nil)
    }

    @Test(arguments: 0..<4) func `a message shorter than its header is truncated`(count: Int) {
        let bytes = [UInt8](repeating: 7, count: count)
        for read: (RawSpan) throws -> Void in [{ _ = try WiFiInterface($0) }, { _ = try GenericFamily($0) }] {
            let error = #expect(throws: NetlinkError.self) { try read(bytes.span.bytes) }
            #expect(error?.code == .truncated)
        }
    }
}
