// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

@testable import OpenSystemConfiguration

struct `Names that are addresses` {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("0177.0.0.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"), ("0x7F000001", "127.0.0.1"), ("017700000001", "127.0.0.1"),
        ("0", "0.0.0.0"), ("0.0", "0.0.0.0"), ("00", "0.0.0.0"), ("10.1.2", "10.1.0.2"), ("10.65537", "10.1.0.1"),
        ("255.255.255.255", "255.255.255.255"), ("4294967295", "255.255.255.255"), ("1.2.65535", "1.2.255.255"),
        ("1.16777215", "1.255.255.255"), ("192.0.2.1 ", "192.0.2.1"), ("192.0.2.1\tx", "192.0.2.1"),
        ("0XA.0", "10.0.0.0"), ("::1", "::1"), ("2001:db8::1", "2001:db8::1"), ("::", "::"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
    ])
    func `are parsed by the rules of inet_aton and RFC 4291`(text: String, address: String) throws {
        let literal = try #require(NumericHost.parse(text))
        #expect(literal == NetworkAddress(address))
    }

    @Test(arguments: [
        "", " ", "localhost", "example.com", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2", "256.1.1.1", "1.256.1.1",
        "1.2.65536", "1.16777216", "4294967296", "99999999999999999999", "08", "0x", "0xg", "1.2.3.x", "-1", "+1",
        "1.2.3.4x", "1e3", ":", ":::", "1:2:3:4:5:6:7", "fe80::1%", "fe80::1%no-such-link0", "fe80::1%-1", "%lo",
        "%fe80::1%lo", "fe80::1%2147483648", "fe80::1%4294967295", "fe80::1%+1", "::1%", "192.0.2.1%lo", "[::1]",
        "::1 ", "１２７.0.0.1", "0x1000000000", "٣",
    ])
    func `that are not addresses stay names`(text: String) {
        #expect(NumericHost.parse(text) == nil)
    }

    @Test func `an IPv6 address may have the name or index of a link`() throws {
        let address = NetworkAddress("fe80::1")
        #expect(NumericHost.parse("fe80::1%lo") == NetworkAddress(version: .ipv6, bits: address.bits, scope: 1))
        #expect(NumericHost.parse("fe80::1%1") == NetworkAddress(version: .ipv6, bits: address.bits, scope: 1))
    }
}
