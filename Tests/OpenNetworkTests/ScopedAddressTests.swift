// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Testing

@testable import OpenNetwork

/// These tests look up the loopback link in the kernel, which every Linux network namespace has.
struct ScopedAddressTests {
    let eth0 = NWInterface(type: .wiredEthernet, name: "eth0", index: 2)

    @Test(arguments: ["127.0.0.1%lo", "169.254.8.8%lo", "0x7f.1%lo"])
    func `an IPv4 literal may have an interface name as its scope`(literal: String) throws {
        let address = try #require(IPv4Address(literal))
        #expect(address.interface?.name == "lo")
        #expect(address.interface?.type == .loopback)
        #expect(address.debugDescription.hasSuffix("%lo"))
    }

    @Test(arguments: ["::1%lo", "fe80::1%lo", "2001:db8::1%lo"])
    func `an IPv6 literal may have an interface name as its scope`(literal: String) throws {
        let address = try #require(IPv6Address(literal))
        #expect(address.interface?.name == "lo")
        #expect(address.debugDescription == literal)
    }

    @Test func `an IPv6 literal may have an interface index too, an IPv4 literal may not`() throws {
        let lo = try #require(NWInterface("lo"))
        #expect(IPv6Address("fe80::1%\(lo.index)") == IPv6Address("fe80::1%lo"))
        #expect(IPv4Address("169.254.8.8%\(lo.index)") == nil)
    }

    @Test func `only one scope is accepted`() {
        #expect(IPv6Address("fe80::1%lo%lo") == nil)
        #expect(IPv4Address("127.0.0.1%lo%lo") == nil)
    }

    @Test func `a scoped loopback address is still loopback`() throws {
        #expect(try #require(IPv4Address("127.0.0.1%lo")).isLoopback)
        #expect(try #require(IPv6Address("::1%lo")).isLoopback)
    }

    @Test func `bytes can have any interface as scope`() {
        let link = Data([169, 254, 8, 8])
        #expect(IPv4Address(link, eth0)?.debugDescription == "169.254.8.8%eth0")
        let bytes = Data([0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1])
        #expect(IPv6Address(bytes, eth0)?.debugDescription == "fe80::1%eth0")
    }

    @Test func `equality and hash include the interface`() {
        let eth1 = NWInterface(type: .wiredEthernet, name: "eth1", index: 3)
        let raw4 = IPv4Address.loopback.rawValue
        #expect(IPv4Address(raw4, eth0) == IPv4Address(raw4, eth0))
        #expect(Set([IPv4Address(raw4), IPv4Address(raw4, eth0), IPv4Address(raw4, eth1)]).count == 3)
        let raw6 = IPv6Address.loopback.rawValue
        #expect(IPv6Address(raw6, eth0) == IPv6Address(raw6, eth0))
        #expect(Set([IPv6Address(raw6), IPv6Address(raw6, eth0), IPv6Address(raw6, eth1)]).count == 3)
    }

    @Test func `the IPv4 address in a scoped address keeps its interface`() throws {
        let mapped = try #require(IPv6Address("::ffff:1.2.3.4"))
        #expect(IPv6Address(mapped.rawValue, eth0)?.asIPv4?.debugDescription == "1.2.3.4%eth0")
    }
}

#endif
