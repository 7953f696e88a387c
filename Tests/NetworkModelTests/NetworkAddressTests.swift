// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Netlink

struct NetworkAddressTests {
    static let texts: [(String, [UInt8], String)] = [
        ("0.0.0.0", [0, 0, 0, 0], "0.0.0.0"),
        ("192.0.2.1", [192, 0, 2, 1], "192.0.2.1"),
        ("255.255.255.255", [255, 255, 255, 255], "255.255.255.255"),
        ("::", [UInt8](repeating: 0, count: 16), "::"),
        ("::1", [UInt8](repeating: 0, count: 15) + [1], "::1"),
        ("2001:DB8:0:0:0:0:0:1", [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [1], "2001:db8::1"),
        ("::ffff:192.0.2.1", [UInt8](repeating: 0, count: 10) + [255, 255, 192, 0, 2, 1], "::ffff:192.0.2.1"),
    ]

    @Test(arguments: texts) func `text survives conversion to bytes`(text: String, bytes: [UInt8], canonical: String)
        throws
    {
        let address = try #require(NetworkAddress(text))
        #expect(address.bytes == bytes)
        #expect(address.description == canonical)
        #expect(NetworkAddress(bytes: bytes) == address)
        #expect(address.family == (bytes.count == 4 ? .ipv4 : .ipv6))
        #expect((address.byteCount, address.bitCount) == (bytes.count, 8 * bytes.count))
        #expect(try bytes.span.bytes.address(address.family) == address)
    }

    @Test(arguments: [
        "", " ", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4/8", "1.2.3.4%lo",
        "fe80::1%+1", "fe80::1%",
        ":", ":::", "1::2::3", "12345::", "::1]", "g::", "localhost", "1.2.3.4\0", "::1\0x", "１.2.3.4",
    ]) func `text that is not an address gives nil`(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test func `an address may have the interface that it belongs to`() throws {
        let (text, named, network) = ("fe80::1%7", "fe80::1%lo", "fe80::1%7/64")
        let address = try #require(NetworkAddress(text))
        #expect((address.scope, address.description, address.unscoped.description) == (7, "fe80::1%7", "fe80::1"))
        #expect(address != address.unscoped)
        #expect(RouteLookup(to: address) == RouteLookup(to: address.unscoped, interface: 7))
        #expect(RouteLookup(to: address, interface: 8).interface == 8)
        #expect(NetworkPrefix(network) == nil)
        #if os(Linux)
        #expect(NetworkAddress(named)?.scopedText == named)
        #endif
    }

    @Test(arguments: [0, 1, 3, 5, 15, 17]) func `only 4 or 16 bytes make an address`(count: Int) {
        #expect(NetworkAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    static let kinds: [(String, unspecified: Bool, loopback: Bool, linkLocal: Bool, multicast: Bool)] = [
        ("0.0.0.0", true, false, false, false), ("0.0.0.1", false, false, false, false),
        ("127.0.0.1", false, true, false, false), ("127.255.255.255", false, true, false, false),
        ("128.0.0.0", false, false, false, false), ("169.253.255.255", false, false, false, false),
        ("169.254.0.0", false, false, true, false), ("169.254.255.255", false, false, true, false),
        ("169.255.0.0", false, false, false, false), ("223.255.255.255", false, false, false, false),
        ("224.0.0.1", false, false, false, true), ("239.255.255.255", false, false, false, true),
        ("240.0.0.0", false, false, false, false), ("::", true, false, false, false),
        ("::1", false, true, false, false), ("::2", false, false, false, false),
        ("fe7f::1", false, false, false, false), ("fe80::1", false, false, true, false),
        ("febf::1", false, false, true, false), ("fec0::1", false, false, false, false),
        ("feff::1", false, false, false, false), ("ff02::1", false, false, false, true),
        ("::ffff:127.0.0.1", false, false, false, false),
    ]

    @Test(arguments: kinds) func `address ranges are recognized`(
        text: String, unspecified: Bool, loopback: Bool, linkLocal: Bool, multicast: Bool
    ) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.isUnspecified == unspecified)
        #expect(address.isLoopback == loopback)
        #expect(address.isLinkLocal == linkLocal)
        #expect(address.isMulticast == multicast)
    }

    @Test func `only a mapped address contains an IPv4 address`() throws {
        let mapped = "::ffff:192.0.2.1"
        #expect(try #require(NetworkAddress(mapped)).embeddedIPv4 == NetworkAddress(192, 0, 2, 1))
        for text in ["::192.0.2.1", "::fffe:192.0.2.1", "64:ff9b::192.0.2.1", "192.0.2.1"] {
            #expect(try #require(NetworkAddress(text)).embeddedIPv4 == nil)
        }
    }

    @Test func `addresses of different families are never equal`() {
        #expect(NetworkAddress.any(.ipv4) != NetworkAddress.any(.ipv6))
        #expect(NetworkAddress.any(.ipv4) == NetworkAddress(0, 0, 0, 0))
    }
}

struct InetPrefixTests {
    static let texts: [(String, String)] = [
        ("192.0.2.7/24", "192.0.2.7/24"), ("0.0.0.0/0", "0.0.0.0/0"), ("192.0.2.7", "192.0.2.7/32"),
        ("192.0.2.7/32", "192.0.2.7/32"), ("::/0", "::/0"), ("2001:db8::1/64", "2001:db8::1/64"),
        ("::1", "::1/128"), ("::1/128", "::1/128"),
    ]

    @Test(arguments: texts) func `text survives a round trip`(text: String, canonical: String) {
        #expect(NetworkPrefix(text)?.description == canonical)
    }

    @Test(arguments: [
        "", "/", "/24", "192.0.2.7/", "192.0.2.7/33", "::/129", "192.0.2.7/-1", "192.0.2.7/+8", "192.0.2.7/ 8",
        "192.0.2.7/8/8", "192.0.2.7/256", "192.0.2.7/٨", "x/8",
    ]) func `text that is not a prefix gives nil`(text: String) {
        #expect(NetworkPrefix(text) == nil)
    }

    static let contents: [(String, String, Bool)] = [
        ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::", false), ("::/0", "0.0.0.0", false),
        ("::/0", "ffff::", true), ("0.0.0.0/1", "127.255.255.255", true), ("0.0.0.0/1", "128.0.0.0", false),
        ("192.0.2.7/24", "192.0.2.0", true), ("192.0.2.7/24", "192.0.3.0", false), ("192.0.2.7/32", "192.0.2.7", true),
        ("192.0.2.7/32", "192.0.2.6", false), ("2001:db8::/33", "2001:db8:7fff::", true),
        ("2001:db8::/33", "2001:db8:8000::", false), ("::1/128", "::1", true), ("::1/128", "::", false),
    ]

    @Test(arguments: contents) func `a prefix contains what shares its bits`(text: String, address: String, lies: Bool)
        throws
    {
        let prefix = try #require(NetworkPrefix(text))
        #expect(prefix.contains(try #require(NetworkAddress(address))) == lies)
    }

    @Test func `a length beyond the number of bits is rejected, and hosts and whole families have prefixes`() {
        #expect(NetworkPrefix(NetworkAddress(1, 2, 3, 4), length: 33) == nil)
        #expect(NetworkPrefix(host: NetworkAddress(1, 2, 3, 4)).length == 32)
        #expect(NetworkPrefix.all(.ipv6).description == "::/0")
    }
}
