//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink
import NetworkState
import TestSupport
import Testing

@testable import OpenSystemConfiguration

struct `Reachability of a destination` {
    @Test(
        arguments: [
            // Gatewayed, on the link, own, loopback, no route, rejected; IPv4 then IPv6.
            ("198.51.100.1", 0x2), ("192.0.2.9", 0x20002), ("192.0.2.1", 0x30002), ("127.0.0.1", 0x10002),
            ("203.0.113.1", 0), ("203.0.113.2", 0), ("2001:db8:1::9", 0x20002), ("2001:db8:2::1", 0x2),
            ("::1", 0x10002),
            // Over a VPN, a plain tunnel, a mobile network; link-local; broadcast; over a link that waits; over a dead one.
            ("10.8.0.1", 0x3), ("10.9.0.1", 0x2), ("10.10.0.1", 0x40003), ("169.254.1.1", 0x20002),
            ("255.255.255.255", 0x20002), ("10.11.0.1", 0xF), ("10.12.0.1", 0), ("10.13.0.1", 0),
        ] as [(String, UInt32)])
    func `an address by the kernel's answer`(text: String, flags: UInt32) throws {
        let address = try HostAddress(#require(InetAddress(text)))
        #expect(try evaluate(.address(address)).flags.rawValue == flags)
        // A name that has only this address, and one that has none first.
        let name = Destination.name(HostName("host.example"))
        #expect(try evaluate(name, .resolved([address])).flags.rawValue == flags)
    }

    @Test func `anywhere has the flags of the way, and no more`() throws {
        #expect(try evaluate(.defaultPath) == Reachability(flags: .reachable, interfaceIndex: 2))
    }

    @Test func `a name is as reachable as anywhere until the resolver has answered`() throws {
        let name = Destination.name(HostName("host.example"))
        #expect(try evaluate(name).flags == .reachable)
        #expect(try evaluate(name, .pending).flags == .reachable)
        #expect(try evaluate(name, .resolved([])) == Reachability(addressCount: 0))
    }

    @Test func `localhost is this host, whatever the network`() throws {
        let name = Destination.name(HostName("localhost"))
        for state in [TargetEvaluator.NameState.unscheduled, .pending, .resolved([])] {
            #expect(try evaluate(name, state).flags.rawValue == 0x10002)
        }
    }

    @Test func `of a name's addresses the best counts, of equals the first`() throws {
        func flags(_ texts: String...) throws -> UInt32 {
            let addresses = try texts.map { HostAddress(try #require(InetAddress($0))) }
            let found = try evaluate(.name(HostName("host.example")), .resolved(addresses))
            #expect(found.addressCount == addresses.count)
            return found.flags.rawValue
        }
        #expect(try flags("203.0.113.1", "192.0.2.9", "192.0.2.1") == 0x20002)
        #expect(try flags("192.0.2.1", "192.0.2.9") == 0x30002)
        #expect(try flags("203.0.113.1", "10.11.0.1") == 0xF)
        #expect(try flags("10.11.0.1", "198.51.100.1") == 0x2)
        #expect(try flags("203.0.113.1", "203.0.113.2") == 0)
    }

    @Test func `nothing is said while the kernel has not answered`() throws {
        let unasked = HostAddress(InetAddress(10, 99, 0, 1))
        let evaluator = TargetEvaluator(world: World(Fixture.snapshot))
        #expect(evaluator.evaluate(.address(unasked)) == nil)
        #expect(evaluator.evaluate(.name(HostName("host.example")), .resolved([unasked])) == nil)
        #expect(evaluator.evaluate(.pair(local: unasked, remote: nil)) == nil)
    }

    @Test func `what cannot be seen is not denied`() throws {
        let world = World(NetworkSnapshot(visibility: .unavailable(because: Fixture.refusal)))
        for destination in [
            Destination.defaultPath, .address(HostAddress(InetAddress(10, 0, 0, 1))), .name(HostName("a")),
        ] {
            #expect(TargetEvaluator(world: world).evaluate(destination)?.flags == .reachable)
        }
    }

    @Test func `a pair asks from the local address, which must be this host's`() throws {
        let remote = HostAddress(InetAddress(198, 51, 100, 1))
        let own = HostAddress(InetAddress(192, 0, 2, 1))
        let foreign = HostAddress(InetAddress(192, 0, 2, 77))
        let ipv6 = HostAddress("2001:db8:1::1")
        #expect(try evaluate(.pair(local: own, remote: remote)).flags == .reachable)
        #expect(try evaluate(.pair(local: foreign, remote: remote)).flags == [])
        #expect(try evaluate(.pair(local: ipv6, remote: remote)).flags == [])
        #expect(try evaluate(.pair(local: nil, remote: remote)).flags == .reachable)
        #expect(try evaluate(.pair(local: own, remote: nil)).flags == .reachable)
        #expect(try evaluate(.pair(local: foreign, remote: nil)).flags == [])
        #expect(try evaluate(.pair(local: HostAddress(InetAddress(0, 0, 0, 0)), remote: nil)).flags == .reachable)
    }

    @Test func `a link that only waits to be connected makes everything require that`() throws {
        var snapshot = NetworkSnapshot(interfaces: [Fixture.loopback, Fixture.waiting])
        #expect(TargetEvaluator(world: World(snapshot)).evaluate(.defaultPath)?.flags.rawValue == 0xF)
        let address = HostAddress(InetAddress(198, 51, 100, 1))
        snapshot.hosts[address.lookup()] = RouteAnswer(address.address, .noRoute)
        #expect(TargetEvaluator(world: World(snapshot)).evaluate(.address(address))?.flags.rawValue == 0xF)
        snapshot.hosts[address.lookup()] = RouteAnswer(address.address, .rejected)
        #expect(TargetEvaluator(world: World(snapshot)).evaluate(.address(address))?.flags == [])
    }

    @Test func `a person must act when Wi-Fi is the only way out and switched off`() throws {
        var wifi = NetworkInterface(index: 2, name: "wlan0", type: .wifi, flags: [])
        func flags(_ interfaces: [NetworkInterface], isOff: Bool = true) -> UInt32? {
            let snapshot = NetworkSnapshot(interfaces: interfaces, isWiFiSwitchedOff: isOff)
            return TargetEvaluator(world: World(snapshot)).evaluate(.defaultPath)?.flags.rawValue
        }
        #expect(flags([Fixture.loopback, wifi]) == 0x14)
        #expect(flags([Fixture.loopback, wifi], isOff: false) == 0)
        let unplugged = NetworkInterface(index: 3, name: "eth0", type: .wiredEthernet, flags: [.up])
        #expect(flags([Fixture.loopback, wifi, unplugged]) == 0)
        #expect(flags([Fixture.loopback]) == 0)
        wifi.flags = [.up]
        #expect(flags([Fixture.loopback, wifi]) == 0)
    }

    @Test func `a name without addresses tells what anywhere tells where there is no path`() throws {
        let name = Destination.name(HostName("host.example"))
        func reachability(_ snapshot: NetworkSnapshot, _ addresses: [HostAddress] = []) -> Reachability? {
            TargetEvaluator(world: World(snapshot)).evaluate(name, .resolved(addresses))
        }
        let waiting = NetworkSnapshot(interfaces: [Fixture.loopback, Fixture.waiting])
        #expect(reachability(waiting)?.flags.rawValue == 0xF)
        #expect(reachability(waiting)?.addressCount == 0)
        let wifi = NetworkInterface(index: 2, name: "wlan0", type: .wifi, flags: [])
        var off = NetworkSnapshot(interfaces: [Fixture.loopback, wifi], isWiFiSwitchedOff: true)
        #expect(reachability(off)?.flags == [.connectionRequired, .interventionRequired])
        #expect(reachability(NetworkSnapshot(interfaces: [Fixture.loopback]))?.flags == [])
        // An address that cannot be reached is told for the same reason.
        let address = HostAddress(InetAddress(198, 51, 100, 1))
        off.hosts[address.lookup()] = RouteAnswer(address.address, .noRoute)
        #expect(reachability(off, [address])?.flags == [.connectionRequired, .interventionRequired])
        #expect(reachability(off, [address])?.addressCount == 1)
    }

    @Test func `a tunnel over a mobile network is both`() throws {
        var snapshot = NetworkSnapshot(
            interfaces: [
                Fixture.loopback,
                NetworkInterface(
                    index: 3, name: "wg0", type: .other, linkKind: "wireguard",
                    flags: [.up, .running, .lowerUp, .pointToPoint], addresses: [Fixture.address("10.8.0.2/24")]),
                NetworkInterface(
                    index: 4, name: "wwan0", type: .cellular, linkKind: "wwan",
                    addresses: [Fixture.address("10.20.0.2/24")]),
            ])
        snapshot.routing.general = Fixture.general(.ipv4, by: 3, gateway: nil)
        snapshot.routing.byInterface = [4: Fixture.general(.ipv4, by: 4, gateway: nil)]
        #expect(TargetEvaluator(world: World(snapshot)).evaluate(.defaultPath)?.flags.rawValue == 0x40003)
    }

    private func evaluate(
        _ destination: Destination, _ name: TargetEvaluator.NameState = .unscheduled
    ) throws -> Reachability {
        try #require(TargetEvaluator(world: World(Fixture.snapshot)).evaluate(destination, name))
    }
}
