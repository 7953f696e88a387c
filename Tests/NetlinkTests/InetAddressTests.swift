//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import Netlink

struct InetAddressTests {
    static let texts: [(String, [UInt8], String)] = [
        ("0.0.0.0", [0, 0, 0, 0], "0.0.0.0"),
        ("192.0.2.1", [192, 0, 2, 1], "192.0.2.1"),
        ("255.255.255.255", [255, 255, 255, 255], "255.255.255.255"),
        ("::", [UInt8](repeating: 0, count: 16), "::"),
        ("::1", [UInt8](repeating: 0, count: 15) + [1], "::1"),
        ("2001:DB8:0:0:0:0:0:1", [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [1], "2001:db8::1"),
        ("::ffff:192.0.2.1", [UInt8](repeating: 0, count: 10) + [255, 255, 192, 0, 2, 1], "::ffff:192.0.2.1"),
    ]

    @Test(arguments: texts) func `text, bytes and text again`(text: String, bytes: [UInt8], canonical: String) throws {
        let address = try #require(InetAddress(text))
        #expect(address.bytes == bytes)
        #expect(address.description == canonical)
        #expect(InetAddress(bytes: bytes) == address)
        #expect(address.family == (bytes.count == 4 ? .ipv4 : .ipv6))
        #expect((address.byteCount, address.bitCount) == (bytes.count, 8 * bytes.count))
        #expect(try bytes.span.bytes.address(address.family) == address)
    }

    @Test(arguments: [
        "", " ", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4/8", "fe80::1%lo",
        ":", ":::", "1::2::3", "12345::", "::1]", "g::", "localhost", "1.2.3.4\0", "::1\0x", "１.2.3.4",
    ]) func `what is no address is nil`(text: String) {
        #expect(InetAddress(text) == nil)
    }

    @Test(arguments: [0, 1, 3, 5, 15, 17]) func `only 4 or 16 bytes make an address`(count: Int) {
        #expect(InetAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
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

    @Test(arguments: kinds) func `kinds of addresses`(
        text: String, unspecified: Bool, loopback: Bool, linkLocal: Bool, multicast: Bool
    ) throws {
        let address = try #require(InetAddress(text))
        #expect(address.isUnspecified == unspecified)
        #expect(address.isLoopback == loopback)
        #expect(address.isLinkLocal == linkLocal)
        #expect(address.isMulticast == multicast)
    }

    @Test func `only a mapped address holds an IPv4 one`() throws {
        let mapped = "::ffff:192.0.2.1"
        #expect(try #require(InetAddress(mapped)).embeddedIPv4 == InetAddress(192, 0, 2, 1))
        for text in ["::192.0.2.1", "::fffe:192.0.2.1", "64:ff9b::192.0.2.1", "192.0.2.1"] {
            #expect(try #require(InetAddress(text)).embeddedIPv4 == nil)
        }
    }

    @Test func `families never make equal addresses`() {
        #expect(InetAddress.any(.ipv4) != InetAddress.any(.ipv6))
        #expect(InetAddress.any(.ipv4) == InetAddress(0, 0, 0, 0))
    }
}

struct InetPrefixTests {
    static let texts: [(String, String)] = [
        ("192.0.2.7/24", "192.0.2.7/24"), ("0.0.0.0/0", "0.0.0.0/0"), ("192.0.2.7", "192.0.2.7/32"),
        ("192.0.2.7/32", "192.0.2.7/32"), ("::/0", "::/0"), ("2001:db8::1/64", "2001:db8::1/64"),
        ("::1", "::1/128"), ("::1/128", "::1/128"),
    ]

    @Test(arguments: texts) func `text comes back`(text: String, canonical: String) {
        #expect(InetPrefix(text)?.description == canonical)
    }

    @Test(arguments: [
        "", "/", "/24", "192.0.2.7/", "192.0.2.7/33", "::/129", "192.0.2.7/-1", "192.0.2.7/+8", "192.0.2.7/ 8",
        "192.0.2.7/8/8", "192.0.2.7/256", "192.0.2.7/٨", "x/8",
    ]) func `what is no prefix is nil`(text: String) {
        #expect(InetPrefix(text) == nil)
    }

    static let contents: [(String, String, Bool)] = [
        ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::", false), ("::/0", "0.0.0.0", false),
        ("::/0", "ffff::", true), ("0.0.0.0/1", "127.255.255.255", true), ("0.0.0.0/1", "128.0.0.0", false),
        ("192.0.2.7/24", "192.0.2.0", true), ("192.0.2.7/24", "192.0.3.0", false), ("192.0.2.7/32", "192.0.2.7", true),
        ("192.0.2.7/32", "192.0.2.6", false), ("2001:db8::/33", "2001:db8:7fff::", true),
        ("2001:db8::/33", "2001:db8:8000::", false), ("::1/128", "::1", true), ("::1/128", "::", false),
    ]

    @Test(arguments: contents) func `what lies in a prefix`(text: String, address: String, lies: Bool) throws {
        let prefix = try #require(InetPrefix(text))
        #expect(prefix.contains(try #require(InetAddress(address))) == lies)
    }

    @Test func `a length beyond the bits is refused, and hosts and everything have theirs`() {
        #expect(InetPrefix(InetAddress(1, 2, 3, 4), length: 33) == nil)
        #expect(InetPrefix(host: InetAddress(1, 2, 3, 4)).length == 32)
        #expect(InetPrefix.all(.ipv6).description == "::/0")
    }
}
