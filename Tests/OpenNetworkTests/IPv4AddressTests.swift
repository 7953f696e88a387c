// SPDX-License-Identifier: Apache-2.0

import OpenNetwork
import Testing

struct IPv4AddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"),
        ("0.0.0.0", "0.0.0.0"),
        ("255.255.255.255", "255.255.255.255"),
        ("127.1", "127.0.0.1"),
        ("10.1.515", "10.1.2.3"),
        ("2130706433", "127.0.0.1"),
        ("4294967295", "255.255.255.255"),
        ("0x7f.1", "127.0.0.1"),
        ("0X7F000001", "127.0.0.1"),
        ("010.0.0.010", "8.0.0.8"),
        ("0", "0.0.0.0"),
    ])
    func `a literal follows the rules of inet_aton`(literal: String, expected: String) throws {
        #expect(try #require(IPv4Address(literal)).debugDescription == expected)
    }

    @Test(arguments: [
        "", " ", ".", "1.2.3.4.5", "1.2.3.256", "256.1.1.1", "1.2.3.", ".1.2.3", "1..2", "08.0.0.1", "0x", "0xg",
        "4294967296", "1.16777216", "+1.2.3.4", "-1", " 127.0.0.1", "127.0.0.1 ", "127.0.0.1\n", "127.0.0.1\0",
        "127.0.0.1\0x", "127.0.0.1 and more", "localhost", "::1", "::ffff:1.2.3.4", "1.2.3.4/8", "1.2.3.4:80",
        "１.2.3.4", "127.0.0.1%", "127.0.0.1%no-such-if", "%lo", "127.0.0.1%%lo",
    ])
    func `text that is not a literal is rejected`(text: String) {
        #expect(IPv4Address(text) == nil)
    }

    @Test(arguments: [0, 1, 3, 5, 16])
    func `only four bytes make an address`(count: Int) {
        #expect(IPv4Address(Data(repeating: 1, count: count)) == nil)
    }

    @Test func `bytes are in network order, and may be a slice`() throws {
        let slice = Data([9, 9, 192, 0, 2, 1, 9])[2..<6]
        let address = try #require(IPv4Address(slice))
        #expect(address == IPv4Address("192.0.2.1"))
        #expect(address.rawValue == Data([192, 0, 2, 1]))
        #expect(address.interface == nil)
    }

    @Test(arguments: [
        (IPv4Address.any, "0.0.0.0"), (.broadcast, "255.255.255.255"), (.loopback, "127.0.0.1"),
        (.allHostsGroup, "224.0.0.1"), (.allRoutersGroup, "224.0.0.2"), (.allReportsGroup, "224.0.0.22"),
        (.mdnsGroup, "224.0.0.251"),
    ])
    func `a constant has the address in its name`(address: IPv4Address, expected: String) {
        #expect(address.debugDescription == expected)
        #expect(address == IPv4Address(expected))
    }

    @Test(arguments: [
        ("127.0.0.1", true, false, false), ("127.0.0.2", false, false, false), ("126.255.255.255", false, false, false),
        ("169.254.0.0", false, true, false), ("169.254.255.255", false, true, false),
        ("169.253.255.255", false, false, false), ("169.255.0.0", false, false, false),
        ("224.0.0.0", false, false, true), ("239.255.255.255", false, false, true),
        ("223.255.255.255", false, false, false), ("240.0.0.0", false, false, false),
    ])
    func `address ranges have exact bounds`(
        literal: String, isLoopback: Bool, isLinkLocal: Bool, isMulticast: Bool
    ) throws {
        let address = try #require(IPv4Address(literal))
        #expect(address.isLoopback == isLoopback)
        #expect(address.isLinkLocal == isLinkLocal)
        #expect(address.isMulticast == isMulticast)
    }

    @Test func `an address can be created through the protocol's initializer`() {
        func make<Address: IPAddress>(_ type: Address.Type, _ text: String) -> Address? { Address(text) }
        #expect(make(IPv4Address.self, "10.0.0.1")?.rawValue == Data([10, 0, 0, 1]))
        #expect(make(IPv6Address.self, "10.0.0.1") == nil)
    }
}
