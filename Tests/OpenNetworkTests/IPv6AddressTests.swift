// SPDX-License-Identifier: Apache-2.0

import OpenNetwork
import Testing

struct IPv6AddressTests {
    @Test(arguments: [("fc00::1", true), ("fdff:ffff::", true), ("fe00::", false), ("fb00::", false), ("::1", false)])
    func `a unique local address begins with fc or fd`(text: String, isUniqueLocal: Bool) {
        #expect(IPv6Address(text)?.isUniqueLocal == isUniqueLocal)
    }

    @Test(arguments: [
        ("::", "::"), ("::0", "::"), ("::1", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8::5", "2001:db8::5"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("fe80::1", "fe80::1"), ("::ffff:1.2.3.4", "::ffff:1.2.3.4"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"),
    ])
    func `a literal is parsed, and printed in its shortest form`(literal: String, expected: String) throws {
        #expect(try #require(IPv6Address(literal)).debugDescription == expected)
    }

    @Test(arguments: [
        "", ":", ":::", "1", "127.0.0.1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "::g", "::1::", "[::1]",
        " ::1", "::1 ", "::1\0", "::1\0%lo", "::ffff:127.1", "::ffff:256.1.1.1", "fe80::1/64", "localhost", "fe80::1%",
        "fe80::1%no-such-if", "fe80::1%4294967295", "fe80::1%99999999999999999999", "fe80::1%+1", "fe80::1%0", "%lo",
    ])
    func `text that is not a literal is rejected`(text: String) {
        #expect(IPv6Address(text) == nil)
    }

    @Test(arguments: [0, 4, 15, 17, 32])
    func `only sixteen bytes make an address`(count: Int) {
        #expect(IPv6Address(Data(repeating: 1, count: count)) == nil)
    }

    @Test func `bytes are in network order, and may be a slice`() throws {
        let bytes: [UInt8] = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2]
        let address = try #require(IPv6Address(Data([7] + bytes + [7])[1...16]))
        #expect(address == IPv6Address("2001:db8::102"))
        #expect(address.rawValue == Data(bytes))
        #expect(address.interface == nil)
    }

    @Test(arguments: [
        (IPv6Address.any, "::"), (.broadcast, "::"), (.loopback, "::1"), (.nodeLocalNodes, "ff01::1"),
        (.linkLocalNodes, "ff02::1"), (.linkLocalRouters, "ff02::2"),
    ])
    func `a constant has the address in its name`(address: IPv6Address, expected: String) {
        #expect(address.debugDescription == expected)
        #expect(address == IPv6Address(expected))
    }

    struct Kinds: OptionSet, Sendable {
        let rawValue: Int
        static let any = Kinds(rawValue: 1)
        static let loopback = Kinds(rawValue: 2)
        static let compatible = Kinds(rawValue: 4)
        static let mapped = Kinds(rawValue: 8)
        static let sixToFour = Kinds(rawValue: 16)
        static let linkLocal = Kinds(rawValue: 32)
        static let multicast = Kinds(rawValue: 64)

        init(rawValue: Int) { self.rawValue = rawValue }

        init(of address: IPv6Address) {
            self = []
            if address.isAny { insert(.any) }
            if address.isLoopback { insert(.loopback) }
            if address.isIPv4Compatabile { insert(.compatible) }
            if address.isIPv4Mapped { insert(.mapped) }
            if address.is6to4 { insert(.sixToFour) }
            if address.isLinkLocal { insert(.linkLocal) }
            if address.isMulticast { insert(.multicast) }
        }
    }

    @Test(
        arguments: [
            ("::", .any), ("::1", .loopback), ("::2", .compatible), ("::1.2.3.4", .compatible), ("::1:0:0", []),
            ("::ffff:1.2.3.4", .mapped), ("::ffff:0:0", .mapped), ("::fffe:1.2.3.4", []), ("1::ffff:1.2.3.4", []),
            ("2002::1", .sixToFour), ("2003::1", []), ("2001:ffff::", []), ("fe80::", .linkLocal),
            ("febf:ffff::", .linkLocal), ("fec0::", []), ("fe7f::", []), ("ff00::", .multicast), ("feff::", []),
        ] as [(String, Kinds)])
    func `address ranges have exact bounds`(literal: String, kinds: Kinds) throws {
        #expect(Kinds(of: try #require(IPv6Address(literal))) == kinds)
    }

    @Test(arguments: [
        ("::ffff:192.0.2.1", "192.0.2.1"), ("::192.0.2.1", "192.0.2.1"), ("::ffff:0:0", "0.0.0.0"), ("::", nil),
        ("::1", nil), ("2002:c000:201::", nil), ("fe80::1", nil),
    ])
    func `mapped and compatible addresses contain an IPv4 address`(literal: String, inner: String?) throws {
        let address = try #require(IPv6Address(literal))
        #expect(address.asIPv4?.debugDescription == inner)
    }

    @Test(
        arguments: [
            ("ff01::1", .nodeLocal), ("ff02::1", .linkLocal), ("ff05::1", .siteLocal), ("ff08::1", .organizationLocal),
            ("ff0e::1", .global), ("ff12::1", .linkLocal), ("ff03::1", nil), ("ff0f::1", nil), ("fe02::1", nil),
            ("::", nil),
        ] as [(String, IPv6Address.Scope?)])
    func `only multicast addresses have a scope`(literal: String, scope: IPv6Address.Scope?) throws {
        #expect(try #require(IPv6Address(literal)).multicastScope == scope)
    }

    @Test(
        arguments: [
            (IPv6Address.Scope.nodeLocal, 1), (.linkLocal, 2), (.siteLocal, 5), (.organizationLocal, 8), (.global, 14),
        ] as [(IPv6Address.Scope, UInt8)])
    func `scopes have their wire values`(scope: IPv6Address.Scope, number: UInt8) {
        #expect(scope.rawValue == number)
        #expect(IPv6Address.Scope(rawValue: number) == scope)
    }
}
