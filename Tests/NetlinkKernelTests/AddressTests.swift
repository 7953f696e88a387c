// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct AddressTests {
    @Test func `an added address is read back unchanged`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let ipv4 = try #require(try lab.kernel.addresses(.ipv4).first { $0.index == lab.a })
        #expect(ipv4.prefix.description == "192.0.2.1/24")
        #expect(ipv4.peer == nil)
        #expect(ipv4.scope == .universe)
        #expect(ipv4.flags.contains(.permanent))
        #expect(ipv4.validLifetime == nil)
        let ipv6 = try #require(
            try lab.kernel.addresses(.ipv6).first { $0.index == lab.a && !$0.prefix.address.isLinkLocal })
        #expect(ipv6.prefix.description == "2001:db8::1/64")
        #expect(ipv6.flags.contains(.noDuplicateDetection))
        #expect(ipv6.flags.isDisjoint(with: [.tentative, .duplicateDetected]))
    }

    @Test func `a dump of one family contains only that family, and the full dump both`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let (ipv4, ipv6) = (try lab.kernel.addresses(.ipv4), try lab.kernel.addresses(.ipv6))
        #expect(ipv4.allSatisfy { $0.prefix.address.family == .ipv4 })
        #expect(ipv6.allSatisfy { $0.prefix.address.family == .ipv6 })
        let all = try lab.kernel.addresses()
        #expect(all.count == ipv4.count + ipv6.count)
    }

    @Test func `without the flag an IPv6 address is tentative at first`() async throws {
        var lab = try await Lab()
        try lab.kernel.addAddress(prefix("2001:db8::2/64"), to: lab.a)
        let all = try lab.kernel.addresses(.ipv6)
        #expect(all.contains { $0.prefix.description == "2001:db8::2/64" && $0.flags.contains(.tentative) })
    }

    @Test(arguments: ["192.0.2.9/24", "2001:db8::9/64"]) func `the kernel counts down a lifetime`(
        text: String
    ) async throws {
        var lab = try await Lab()
        try lab.kernel.addAddress(prefix(text), to: lab.a, validLifetime: 600)
        let found = try #require(try lab.kernel.addresses().first { $0.prefix.description == text })
        let valid = try #require(found.validLifetime)
        #expect((590...600).contains(valid))
        #expect(!found.flags.contains(.permanent))
    }

    @Test func `a second address of a network is secondary, and its scope is kept`() async throws {
        var lab = try await Lab()
        try lab.kernel.addAddress(prefix("192.0.2.1/24"), to: lab.a)
        try lab.kernel.addAddress(prefix("198.51.100.1/24"), to: lab.a, scope: .link)
        try lab.kernel.addAddress(prefix("192.0.2.3/24"), to: lab.a)
        let all = try lab.kernel.addresses(.ipv4)
        #expect(all.first { $0.prefix.description == "198.51.100.1/24" }?.scope == .link)
        #expect(all.first { $0.prefix.description == "192.0.2.3/24" }?.flags.contains(.secondary) == true)
    }

    @Test(arguments: [("192.0.2.1/32", "192.0.2.77"), ("2001:db8::1/128", "2001:db8::77")])
    func `a point-to-point address has a peer, and can be deleted`(own: String, other: String) async throws {
        var lab = try await Lab()
        let (own, other) = (try prefix(own), try address(other))
        try lab.kernel.addAddress(own, to: lab.a, peer: other, flags: .noDuplicateDetection)
        let found = try lab.kernel.addresses().first { $0.prefix.address == own.address }
        #expect(found?.prefix == own)
        #expect(found?.peer == other)
        try lab.kernel.deleteAddress(own, from: lab.a, peer: other)
        let left = try lab.kernel.addresses()
        #expect(!left.contains { $0.prefix.address == own.address })
    }

    @Test func `rejections are typed errors`() async throws {
        var lab = try await Lab()
        let own = try prefix("192.0.2.1/24")
        try lab.kernel.addAddress(own, to: lab.a)
        let twice = try refusal { try lab.kernel.addAddress(own, to: lab.a) }
        #expect(twice.errno == .exists)
        let nowhere = try refusal { try lab.kernel.addAddress(own, to: 999) }
        #expect(nowhere.errno == .noSuchDevice)
        try lab.kernel.deleteAddress(own, from: lab.a)
        let gone = try refusal { try lab.kernel.deleteAddress(own, from: lab.a) }
        #expect(gone.errno?.rawValue == 99)
    }
}
#endif
