// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

@testable import OpenSystemConfiguration

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct `Flags from the real kernel` {
    /// A target's text, its flags with default routes, and its flags without.
    static let table: [(String, UInt32, UInt32)] = [
        ("0.0.0.0", 0x2, 0), ("::", 0x2, 0), ("0", 0x2, 0),
        ("198.51.100.1", 0x2, 0), ("::ffff:198.51.100.1", 0x2, 0), ("2001:db8:ffff::1", 0x2, 0),
        ("192.0.2.9", 0x20002, 0x20002), ("::ffff:192.0.2.9", 0x20002, 0x20002),
        ("2001:db8:1::9", 0x20002, 0x20002), ("fe80::9%up0", 0x20002, 0x20002),
        ("192.0.2.1", 0x30002, 0x30002), ("2001:db8:1::1", 0x30002, 0x30002),
        ("127.0.0.1", 0x10002, 0x10002), ("127.1", 0x10002, 0x10002), ("127.9.9.9", 0x10002, 0x10002),
        ("::1", 0x10002, 0x10002), ("::ffff:127.0.0.1", 0x10002, 0x10002),
        ("192.0.2.255", 0x20002, 0x20002),
        // The traditional address for the local Wi-Fi network.
        ("169.254.0.0", 0x20002, 0),
        ("host.example", 0x2, 0), ("localhost", 0x10002, 0x10002),
    ]

    @Test(arguments: table)
    func `each target has its flags, online and offline`(text: String, online: UInt32, offline: UInt32) async throws {
        let lab = try await Lab()
        try await lab.run { () throws -> Void in
            let target = try #require(SCNetworkReachabilityCreateWithName(nil, text))
            #expect(flags(target).rawValue == offline)
        }
        try lab.addDefaults()
        try await lab.run { () throws -> Void in
            let target = try #require(SCNetworkReachabilityCreateWithName(nil, text))
            #expect(flags(target).rawValue == online)
        }
    }

    @Test func `a socket address has the flags of its text`() async throws {
        let lab = try await Lab()
        try lab.addDefaults()
        try await lab.run { () throws -> Void in
            for (text, expected) in [
                ("0.0.0.0", 0x2), ("::", 0x2), ("198.51.100.1", 0x2), ("192.0.2.1", 0x30002),
                ("::ffff:192.0.2.9", 0x20002),
            ] as [(String, UInt32)] {
                #expect(flags(try #require(SocketAddress(text, port: 443).target)).rawValue == expected, "\(text)")
            }
        }
    }

    @Test func `a pair's flags depend on its local address`() async throws {
        let lab = try await Lab()
        try lab.addDefaults()
        // A source address that policy routing does not route.
        try lab.kernel { kernel in
            try kernel.addAddress("192.0.2.2/24", to: lab.link)
            try kernel.addRule(
                RuleMessage(family: .ipv4, action: .unreachable, priority: 100, source: "192.0.2.2/32"))
        }
        try await lab.run { () throws -> Void in
            func pair(_ local: String?, _ remote: String?) throws -> UInt32 {
                let target = SocketAddress.pair(
                    try local.map { try SocketAddress($0) }, try remote.map { try SocketAddress($0) })
                return flags(try #require(target)).rawValue
            }
            #expect(try pair("192.0.2.1", "198.51.100.1") == 0x2)
            #expect(try pair("192.0.2.2", "198.51.100.1") == 0)
            #expect(try pair("192.0.2.3", "198.51.100.1") == 0)
            #expect(try pair("192.0.2.1", "192.0.2.9") == 0x20002)
            #expect(try pair("127.0.0.1", "198.51.100.1") == 0x2)
            #expect(try pair("192.0.2.1", nil) == 0x2)
            #expect(try pair("192.0.2.2", nil) == 0)
            #expect(try pair("192.0.2.3", nil) == 0)
            #expect(try pair("2001:db8:1::1", nil) == 0x2)
            #expect(try pair("2001:db8:1::1", "198.51.100.1") == 0)
            #expect(try pair("2001:db8:1::1", "2001:db8:ffff::1") == 0x2)
            #expect(try pair("0.0.0.0", nil) == 0x2)
            #expect(try pair(nil, "198.51.100.1") == 0x2)
        }
    }

    @Test(.requires(.tunnels)) func `a VPN's flags are transient and not direct`() async throws {
        let lab = try await Lab()
        let tunnel = try await lab.run { try Tunnel(name: "tun0", carrying: .packets) }
        try lab.kernel { kernel in
            let index = try kernel.link(named: "tun0").index
            try kernel.setLink(index, up: true)
            try kernel.addAddress("10.8.0.2/24", to: index)
        }
        try await lab.run { () throws -> Void in
            #expect(flags(try #require(SCNetworkReachabilityCreateWithName(nil, "10.8.0.1"))).rawValue == 0x3)
            #expect(flags(try #require(SCNetworkReachabilityCreateWithName(nil, "10.8.0.2"))).rawValue == 0x10002)
        }
        withExtendedLifetime(tunnel) {}
    }

    @Test func `a dormant link requires a connection`() async throws {
        let lab = try await Lab()
        try lab.addDefaults()
        try await lab.waitForLink {
            try lab.kernel { try $0.setLink(lab.link, operationalState: .dormant) }
        } until: {
            $0.operationalState == .dormant
        }
        try await lab.run { () throws -> Void in
            for name in ["0.0.0.0", "198.51.100.1", "192.0.2.9", "host.example"] {
                #expect(flags(try #require(SCNetworkReachabilityCreateWithName(nil, name))).rawValue == 0xF, "\(name)")
            }
            #expect(flags(try #require(SCNetworkReachabilityCreateWithName(nil, "192.0.2.1"))).rawValue == 0x30002)
        }
    }

    @Test(arguments: [RouteType.unreachable, .prohibit, .blackhole])
    func `an address with a rejecting route has no flags`(type: RouteType) async throws {
        let lab = try await Lab()
        try lab.addDefaults()
        try lab.kernel { try $0.addRoute(NewRoute("198.51.100.0/24", type: type)) }
        try await lab.run { () throws -> Void in
            #expect(flags(try #require(SCNetworkReachabilityCreateWithName(nil, "198.51.100.1"))) == [])
            #expect(flags(try #require(SCNetworkReachabilityCreateWithName(nil, "198.51.101.1"))) == .reachable)
        }
    }
}
