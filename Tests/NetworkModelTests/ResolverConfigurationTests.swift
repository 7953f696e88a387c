// SPDX-License-Identifier: Apache-2.0

import NetworkModel
import TestSupport
import Testing

/// resolv.conf(5), with the semantics of the C library.
struct ResolverConfigurationTests {
    static let servers: [(String, [ResolverConfiguration.Server])] = [
        ("", []),
        ("nameserver 192.0.2.1\n", [.init("192.0.2.1")]),
        ("nameserver\t192.0.2.1", [.init("192.0.2.1")]),
        ("nameserver   2001:db8::1   \n", [.init("2001:db8::1")]),
        ("nameserver 192.0.2.1 # office\n", [.init("192.0.2.1")]),
        ("nameserver 192.0.2.1\r\nnameserver 192.0.2.2\r\n", [.init("192.0.2.1"), .init("192.0.2.2")]),
        ("nameserver fe80::1%eth0\n", [.init("fe80::1", scope: "eth0")]),
        ("# nameserver 192.0.2.1\n; nameserver 192.0.2.2\n", []),
        (" nameserver 192.0.2.1\n", []),
        ("nameserver\n", []),
        ("nameserver example.org\n", []),
        ("nameserver 192.0.2.1.5\n", []),
        ("nameservers 192.0.2.1\n", []),
        ("NAMESERVER 192.0.2.1\n", []),
        ("options edns0\nnameserver 192.0.2.1\nsortlist 10.0.0.0\n", [.init("192.0.2.1")]),
        ("\u{FEFF}nameserver 192.0.2.1\n\0\0\nnameserver 192.0.2.2\n", [.init("192.0.2.2")]),
        ("\n\n\nnameserver 192.0.2.1\nnameserver 192.0.2.1\n", [.init("192.0.2.1"), .init("192.0.2.1")]),
    ]

    @Test(arguments: ResolverConfigurationTests.servers)
    func `name servers are read`(text: String, expected: [ResolverConfiguration.Server]) {
        #expect(ResolverConfiguration(parsing: text).servers == expected)
    }

    @Test(arguments: [
        ("search example.org corp\n", ["example.org", "corp"]),
        ("domain example.org\n", ["example.org"]),
        ("search one\nsearch two three\n", ["two", "three"]),
        ("search one\ndomain two\n", ["two"]),
        ("search\n", []),
    ])
    func `the last line with search domains applies`(text: String, expected: [String]) {
        #expect(ResolverConfiguration(parsing: text).searchDomains == expected)
    }

    @Test(arguments: [
        ("nameserver 127.0.0.53\n", true), ("nameserver 127.0.0.54\nnameserver 127.0.0.53\n", true), ("", false),
        ("nameserver 127.0.0.53\nnameserver 192.0.2.1\n", false), ("nameserver 127.0.0.1\n", false),
    ])
    func `systemd-resolved's stub is recognized`(text: String, isStub: Bool) {
        #expect(ResolverConfiguration(parsing: text).isResolvedStub == isStub)
    }
}
