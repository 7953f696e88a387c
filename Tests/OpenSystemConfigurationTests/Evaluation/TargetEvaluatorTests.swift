// SPDX-License-Identifier: Apache-2.0

import Netlink
import NetworkState
import TestSupport
import Testing

@testable import OpenSystemConfiguration

struct `Reachability of a destination` {
    @Test(
        arguments: [
            // Through a gateway, on-link, own address, loopback, no route, rejected; IPv4 then IPv6.
            ("198.51.100.1", 0x2), ("192.0.2.9", 0x20002), ("192.0.2.1", 0x30002), ("127.0.0.1", 0x10002),
            ("203.0.113.1", 0), ("203.0.113.2", 0), ("2001:db8:1::9", 0x20002), ("2001:db8:2::1", 0x2),
            ("::1", 0x10002),
            // Over a VPN, a plain tunnel, a mobile network; link-local; broadcast; over a dormant link; over a dead one.
            ("10.8.0.1", 0x3), ("10.9.0.1", 0x2), ("10.10.0.1", 0x40003), ("169.254.1.1", 0x20002),
            ("255.255.255.255", 0x20002), ("10.11.0.1", 0xF), ("10.12.0.1", 0), ("10.13.0.1", 0),
        ] as [(String, UInt32)])
    func `an address is evaluated by the kernel's answer`(text: String, flags: UInt32) throws {
        let address = try #require(NetworkAddress(text))
        #expect(try evaluate(.address(address)).flags.rawValue == flags)
        // A name with only this address, and one that has addresses without a route before it.
        let name = Destination.name(RawHostName("host.example"))
        #expect(try evaluate(name, .resolved([address])).flags.rawValue == flags)
    }

    @Test func `the default path gives the flags for the zero address`() throws {
        #expect(try evaluate(.defaultPath) == Reachability(flags: .reachable, interfaceIndex: 2))
    }

    @Test func `a name has the flags of the default path until the resolver has answered`() throws {
        let name = Destination.name(RawHostName("host.example"))
        #expect(try evaluate(name).flags == .reachable)
        #expect(try evaluate(name, .pending).flags == .reachable)
        #expect(try evaluate(name, .resolved([])) == Reachability(addressCount: 0))
    }

    @Test func `localhost is this host, whatever the network`() throws {
        let name = Destination.name(RawHostName("localhost"))
        for state in [TargetEvaluator.NameState.unscheduled, .pending, .resolved([])] {
            #expect(try evaluate(name, state).flags.rawValue == 0x10002)
        }
    }

    @Test func `the best of a name's addresses counts, and the first among equals`() throws {
        func flags(_ texts: String...) throws -> UInt32 {
            let addresses = try texts.map { try #require(NetworkAddress($0)) }
            let found = try evaluate(.name(RawHostName("host.example")), .resolved(addresses))
            #expect(found.addressCount == addresses.count)
            return found.flags.rawValue
        }
        #expect(try flags("203.0.113.1", "192.0.2.9", "192.0.2.1") == 0x20002)
        #expect(try flags("192.0.2.1", "192.0.2.9") == 0x30002)
        #expect(try flags("203.0.113.1", "10.11.0.1") == 0xF)
        #expect(try flags("10.11.0.1", "198.51.100.1") == 0x2)
        #expect(try flags("203.0.113.1", "203.0.113.2") == 0)
    }

    @Test func `there are no flags before the kernel has answered`() throws {
        let unasked = NetworkAddress(10, 99, 0, 1)
        let evaluator = TargetEvaluator(evaluated: EvaluatedSnapshot(Fixture.snapshot))
        #expect(evaluator.evaluate(.address(unasked)) == nil)
        #expect(evaluator.evaluate(.name(RawHostName("host.example")), .resolved([unasked])) == nil)
        #expect(evaluator.evaluate(.pair(local: unasked, remote: nil)) == nil)
    }

    @Test func `an unavailable network counts as reachable`() throws {
        let unseen = NetworkSnapshot(visibility: .unavailable(because: Fixture.refusal))
        var switchedOff = unseen
        switchedOff.interfaces = [NetworkInterface(index: 2, name: "wlan0", type: .wifi, flags: [])]
        switchedOff.isWiFiSwitchedOff = true
        #expect(switchedOff.needsIntervention)
        for evaluated in [unseen, switchedOff].map({ EvaluatedSnapshot($0) }) {
            for destination in [
                Destination.defaultPath, .address(NetworkAddress(10, 0, 0, 1)), .name(RawHostName("a")),
            ] {
                #expect(TargetEvaluator(evaluated: evaluated).evaluate(destination)?.flags == .reachable)
            }
        }
    }

    @Test func `a pair is looked up from its local address, which must be this host's`() throws {
        let remote = NetworkAddress(198, 51, 100, 1)
        let own = NetworkAddress(192, 0, 2, 1)
        let foreign = NetworkAddress(192, 0, 2, 77)
        let ipv6 = NetworkAddress("2001:db8:1::1")
        #expect(try evaluate(.pair(local: own, remote: remote)).flags == .reachable)
        #expect(try evaluate(.pair(local: foreign, remote: remote)).flags == [])
        #expect(try evaluate(.pair(local: ipv6, remote: remote)).flags == [])
        #expect(try evaluate(.pair(local: nil, remote: remote)).flags == .reachable)
        #expect(try evaluate(.pair(local: own, remote: nil)).flags == .reachable)
        #expect(try evaluate(.pair(local: foreign, remote: nil)).flags == [])
        #expect(try evaluate(.pair(local: NetworkAddress(0, 0, 0, 0), remote: nil)).flags == .reachable)
    }

    @Test func `a link that only waits to be connected makes every target require a connection`() throws {
        var snapshot = NetworkSnapshot(interfaces: [Fixture.loopback, Fixture.waiting])
        #expect(TargetEvaluator(evaluated: EvaluatedSnapshot(snapshot)).evaluate(.defaultPath)?.flags.rawValue == 0xF)
        let address = NetworkAddress(198, 51, 100, 1)
        snapshot.hosts[RouteLookup(to: address)] = RouteAnswer(address, .noRoute)
        #expect(
            TargetEvaluator(evaluated: EvaluatedSnapshot(snapshot)).evaluate(.address(address))?.flags.rawValue == 0xF)
        snapshot.hosts[RouteLookup(to: address)] = RouteAnswer(address, .rejected)
        #expect(TargetEvaluator(evaluated: EvaluatedSnapshot(snapshot)).evaluate(.address(address))?.flags == [])
    }

    @Test func `intervention is required when Wi-Fi is the only uplink and switched off`() throws {
        var wifi = NetworkInterface(index: 2, name: "wlan0", type: .wifi, flags: [])
        func flags(_ interfaces: [NetworkInterface], isOff: Bool = true) -> UInt32? {
            let snapshot = NetworkSnapshot(interfaces: interfaces, isWiFiSwitchedOff: isOff)
            return TargetEvaluator(evaluated: EvaluatedSnapshot(snapshot)).evaluate(.defaultPath)?.flags.rawValue
        }
        #expect(flags([Fixture.loopback, wifi]) == 0x14)
        #expect(flags([Fixture.loopback, wifi], isOff: false) == 0)
        let unplugged = NetworkInterface(index: 3, name: "eth0", type: .wiredEthernet, flags: [.up])
        #expect(flags([Fixture.loopback, wifi, unplugged]) == 0)
        #expect(flags([Fixture.loopback]) == 0)
        wifi.flags = [.up]
        #expect(flags([Fixture.loopback, wifi]) == 0)
    }

    @Test func `a name without addresses has the flags of the default path when there is no path`() throws {
        let name = Destination.name(RawHostName("host.example"))
        func reachability(_ snapshot: NetworkSnapshot, _ addresses: [NetworkAddress] = []) -> Reachability? {
            TargetEvaluator(evaluated: EvaluatedSnapshot(snapshot)).evaluate(name, .resolved(addresses))
        }
        let waiting = NetworkSnapshot(interfaces: [Fixture.loopback, Fixture.waiting])
        #expect(reachability(waiting)?.flags.rawValue == 0xF)
        #expect(reachability(waiting)?.addressCount == 0)
        let wifi = NetworkInterface(index: 2, name: "wlan0", type: .wifi, flags: [])
        var off = NetworkSnapshot(interfaces: [Fixture.loopback, wifi], isWiFiSwitchedOff: true)
        #expect(reachability(off)?.flags == [.connectionRequired, .interventionRequired])
        #expect(reachability(NetworkSnapshot(interfaces: [Fixture.loopback]))?.flags == [])
        // An unreachable address has the same flags, for the same reason.
        let address = NetworkAddress(198, 51, 100, 1)
        off.hosts[RouteLookup(to: address)] = RouteAnswer(address, .noRoute)
        #expect(reachability(off, [address])?.flags == [.connectionRequired, .interventionRequired])
        #expect(reachability(off, [address])?.addressCount == 1)
    }

    @Test func `a tunnel over a mobile network is transient and WWAN`() throws {
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
        snapshot.routing.byLink[4] = Fixture.general(.ipv4, by: 4, gateway: nil)
        #expect(
            TargetEvaluator(evaluated: EvaluatedSnapshot(snapshot)).evaluate(.defaultPath)?.flags.rawValue == 0x40003)
    }

    @Test(arguments: [(2, 5, 0x2), (5, 2, 0x40003), (nil, 5, 0x40003), (nil, 2, 0x2), (3, 5, 0x40003)])
    func `the link that carries a tunnel decides, and the path only if it is unknown`(
        carrier: Int32?, path: Int32, flags: UInt32
    ) {
        var snapshot = Fixture.snapshot
        snapshot.interfaces[3].carrierIndex = carrier
        snapshot.routing.general = Fixture.general(.ipv4, by: path, gateway: nil)
        let found = TargetEvaluator(evaluated: EvaluatedSnapshot(snapshot)).evaluate(.address("10.9.0.1"))
        #expect(found?.flags.rawValue == flags)
    }

    private func evaluate(
        _ destination: Destination, _ name: TargetEvaluator.NameState = .unscheduled
    ) throws -> Reachability {
        try #require(TargetEvaluator(evaluated: EvaluatedSnapshot(Fixture.snapshot)).evaluate(destination, name))
    }
}
