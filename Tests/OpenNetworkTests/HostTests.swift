// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Testing

@testable import OpenNetwork

struct HostTests {
    @Test(arguments: ["192.0.2.1", "127.1", "0x7f.1", "0"])
    func `an IPv4 literal becomes an IPv4 host`(literal: String) throws {
        #expect(NWEndpoint.Host(literal) == .ipv4(try #require(IPv4Address(literal))))
    }

    @Test(arguments: ["::1", "2001:db8::2", "::1.2.3.4", "::"])
    func `an IPv6 literal becomes an IPv6 host`(literal: String) throws {
        #expect(NWEndpoint.Host(literal) == .ipv6(try #require(IPv6Address(literal))))
    }

    @Test(arguments: ["::ffff:198.51.100.2", "::ffff:c633:6402"])
    func `a v4-mapped literal becomes an IPv4 host`(literal: String) throws {
        #expect(NWEndpoint.Host(literal) == .ipv4(try #require(IPv4Address("198.51.100.2"))))
    }

    @Test(arguments: [
        "", "localhost", "www.example.com", "1.2.3.4.5", "[::1]", "fe80::1%no-such-if", "10.0.0.1%no-such-if", "host%",
        "127.0.0.1\0", "bücher.example", "%",
    ])
    func `any other text is a name`(text: String) {
        let host = NWEndpoint.Host(text)
        #expect(host == .name(text, nil))
        #expect(host.interface == nil)
        #expect(host.debugDescription == text)
    }

    @Test func `literals and names may have a scope`() throws {
        let lo = try #require(NWInterface("lo"))
        #expect(NWEndpoint.Host("127.0.0.1%lo") == .ipv4(try #require(IPv4Address("127.0.0.1%lo"))))
        #expect(NWEndpoint.Host("fe80::1%lo") == .ipv6(try #require(IPv6Address("fe80::1%lo"))))
        #expect(NWEndpoint.Host("printer.local%lo") == .name("printer.local", lo))
        for text in ["127.0.0.1%lo", "fe80::1%lo", "printer.local%lo", "::ffff:1.2.3.4%lo"] {
            #expect(NWEndpoint.Host(text).interface == lo)
        }
        #expect(NWEndpoint.Host("printer.local%lo").debugDescription == "printer.local%lo")
        #expect(NWEndpoint.Host("::ffff:1.2.3.4%lo").debugDescription == "1.2.3.4%lo")
    }

    @Test func `a string literal follows the same rules`() {
        let host: NWEndpoint.Host = "::ffff:198.51.100.2"
        #expect(host == NWEndpoint.Host("198.51.100.2"))
    }

    @Test func `hosts of different kinds differ`() {
        let hosts: Set<NWEndpoint.Host> = ["127.0.0.1", "::1", "localhost", .name("127.0.0.1", nil), "127.1"]
        #expect(hosts.count == 4)
    }
}

#endif
