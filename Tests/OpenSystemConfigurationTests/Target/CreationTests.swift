// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

@testable import OpenSystemConfiguration

struct `Creating a target` {
    @Test func `an empty name is rejected`() {
        LastError.code = 0
        #expect(SCNetworkReachabilityCreateWithName(nil, "") == nil)
        #expect(SCError() == 1002)
    }

    @Test func `a name ends at its first NUL, as in C`() throws {
        #expect(SCNetworkReachabilityCreateWithName(nil, "\0example.com") == nil)
        let target = try #require(SCNetworkReachabilityCreateWithName(nil, "example.com\0.invalid"))
        #expect(target.destination == .name(RawHostName("example.com")))
    }

    @Test(arguments: [
        String(repeating: "a", count: 100_000), " ", "..", "-", "%", "é.example", "a b", "https://example.com", "\u{7}",
    ])
    func `any other name is accepted`(name: String) throws {
        let target = try #require(SCNetworkReachabilityCreateWithName(nil, name))
        #expect(target.destination == .name(RawHostName(name)))
    }

    @Test func `bytes that are not valid text are kept`() throws {
        let bytes: [CChar] = [-1, -2, 0]
        let target = try #require(SCNetworkReachabilityCreateWithName(nil, bytes))
        guard case .name(let name) = target.destination else { throw Missing() }
        #expect(name.cString == bytes)
    }

    @Test(arguments: ["0", "0.0.0.0", "::", "::ffff:0.0.0.0"])
    func `a name that is the zero address means the default path`(name: String) throws {
        #expect(try #require(SCNetworkReachabilityCreateWithName(nil, name)).destination == .defaultPath)
    }

    @Test func `a socket address is parsed by its family, whatever its port`() throws {
        for port: UInt16 in [0, 443] {
            let ipv4 = try #require(SocketAddress("192.0.2.1", port: port).target)
            #expect(ipv4.destination == .address(NetworkAddress(192, 0, 2, 1)))
            let ipv6 = try #require(SocketAddress("2001:db8::1", port: port).target)
            #expect(ipv6.destination == .address(NetworkAddress("2001:db8::1")))
        }
    }

    @Test func `an IPv4-mapped address is IPv4, and the zero address is the default path`() throws {
        #expect(
            try #require(SocketAddress("::ffff:192.0.2.1").target).destination
                == .address(NetworkAddress(192, 0, 2, 1)))
        for zero in ["0.0.0.0", "::", "::ffff:0.0.0.0"] {
            #expect(try #require(SocketAddress(zero).target).destination == .defaultPath)
        }
    }

    @Test func `only a link-local address keeps its scope`() throws {
        let linkLocal = try #require(SocketAddress("fe80::1", scope: 7).target)
        #expect(linkLocal.destination == .address(NetworkAddress("fe80::1%7")))
        let global = try #require(SocketAddress("2001:db8::1", scope: 7).target)
        #expect(global.destination == .address(NetworkAddress("2001:db8::1")))
    }

    @Test(arguments: [AF_UNSPEC, AF_UNIX, AF_NETLINK, 255, 65535] as [Int32])
    func `another family is rejected`(family: Int32) {
        var address = sockaddr()
        address.sa_family = sa_family_t(truncatingIfNeeded: family)
        LastError.code = 0
        #expect(SCNetworkReachabilityCreateWithAddress(nil, &address) == nil)
        #expect(SCError() == 1002)
        LastError.code = 0
        #expect(SCNetworkReachabilityCreateWithAddressPair(nil, &address, nil) == nil)
        #expect(SCError() == 1002)
        var good = sockaddr()
        good.sa_family = sa_family_t(AF_INET)
        LastError.code = 0
        #expect(SCNetworkReachabilityCreateWithAddressPair(nil, &good, &address) == nil)
        #expect(SCError() == 1002)
    }

    @Test func `a pair needs one of its addresses, and the zero address is not special`() throws {
        LastError.code = 0
        #expect(SCNetworkReachabilityCreateWithAddressPair(nil, nil, nil) == nil)
        #expect(SCError() == 1002)
        let zero = NetworkAddress(0, 0, 0, 0)
        #expect(try pair(nil, "0.0.0.0").destination == .pair(local: nil, remote: zero))
        #expect(try pair("0.0.0.0", nil).destination == .pair(local: zero, remote: nil))
        let (local, remote) = (NetworkAddress(192, 0, 2, 1), NetworkAddress(192, 0, 2, 2))
        #expect(try pair("192.0.2.1", "192.0.2.2").destination == .pair(local: local, remote: remote))
    }

    @Test func `a pair from loopback to another host is just that host's address`() throws {
        let remote = NetworkAddress(192, 0, 2, 2)
        #expect(try pair("127.0.0.1", "192.0.2.2").destination == .address(remote))
        let loopback = NetworkAddress(127, 0, 0, 1)
        #expect(try pair("127.0.0.1", "127.0.0.1").destination == .pair(local: loopback, remote: loopback))
        #expect(try pair("127.0.0.1", nil).destination == .pair(local: loopback, remote: nil))
    }

    private func pair(_ local: String?, _ remote: String?) throws -> SCNetworkReachability {
        try #require(
            SocketAddress.pair(try local.map { try SocketAddress($0) }, try remote.map { try SocketAddress($0) }))
    }

    private struct Missing: Error {}
}

struct `Well-known names` {
    @Test(arguments: ["localhost", "LocalHost", "localhost.", "a.localhost", "b.A.LOCALHOST."])
    func `localhost and names below it need no resolver`(name: String) throws {
        #expect(RawHostName(name).wellKnownAddresses?.map(\.description) == ["127.0.0.1", "::1"])
    }

    @Test(arguments: ["localhost.example", "notlocalhost", "localhost..", "", "."])
    func `other names need the resolver`(name: String) {
        #expect(RawHostName(name).wellKnownAddresses == nil)
    }
}
