//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink
import TestSupport
import Testing

@testable import NetworkState

/// The one thing that a person is told.
struct ObstacleExplainerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var interfaces: [NetworkInterface]
        var expected: Obstacle
        var hasRejectingRule = false

        init(_ name: String, _ interfaces: [NetworkInterface], _ expected: Obstacle, hasRejectingRule: Bool = false) {
            (testDescription, self.interfaces, self.expected) = (name, interfaces, expected)
            self.hasRejectingRule = hasRejectingRule
        }
    }

    private static let off: LinkFlags = []
    private static let pulled: LinkFlags = [.up]
    private static let bridge = NetworkInterface(
        index: 5, name: "docker0", type: .wiredEthernet, linkKind: "bridge", flags: [.up],
        addresses: [InterfaceAddress("172.17.0.1/16")])

    private static let runningBridge = NetworkInterface(
        index: 5, name: "docker0", type: .wiredEthernet, linkKind: "bridge",
        addresses: [InterfaceAddress("172.17.0.1/16")])

    private static func port(
        _ index: Int32, _ kind: String?, flags: LinkFlags = [.up, .running, .lowerUp]
    ) -> NetworkInterface {
        NetworkInterface(
            index: index, name: "port\(index)", type: .wiredEthernet, linkKind: kind, flags: flags, controllerIndex: 5,
            controllerKind: "bridge")
    }

    private static func pair(_ index: Int32, flags: LinkFlags = [.up, .running, .lowerUp]) -> NetworkInterface {
        NetworkInterface(index: index, name: "veth\(index)", type: .wiredEthernet, linkKind: "veth", flags: flags)
    }

    private static let macsec = NetworkInterface(
        index: 10, name: "macsec0", type: .wiredEthernet, linkKind: "macsec", flags: off)

    private static let radioThatIsOff = NetworkInterface(
        index: 3, name: "wlan0", type: .wifi, flags: off, radioBlock: .software)

    static let cases = [
        Case("nothing but loopback", [], Obstacle(.noInterface)),
        Case("one that is off", [.wired(2, flags: off)], Obstacle(.allDown, interface: "eth2")),
        Case("two that are off", [.wired(2, flags: off), .wired(3, flags: off)], Obstacle(.allDown)),
        Case(
            "one off, one pulled", [.wired(2, flags: off), .wired(3, flags: pulled)],
            Obstacle(.noCarrier, interface: "eth3")),
        Case(
            "one pulled, one without an address", [.wired(2, flags: pulled), .wired(3, addresses: [])],
            Obstacle(.noAddress, interface: "eth3")),
        Case(
            "only a link-local address", [.wired(addresses: [InterfaceAddress("fe80::2/64")])],
            Obstacle(.noAddress, interface: "eth2")),
        Case(
            "an address being checked", [.wired(addresses: [InterfaceAddress("2001:db8::2/64", flags: .tentative)])],
            Obstacle(.addressTentative, interface: "eth2")),
        Case(
            "a link-local address being checked",
            [.wired(addresses: [InterfaceAddress("fe80::2/64", flags: .tentative)])],
            Obstacle(.noAddress, interface: "eth2")),
        Case("an address but no route", [.wired()], Obstacle(.noRoute)),
        Case("a rule that rejects", [.wired()], Obstacle(.routeUnreachable), hasRejectingRule: true),
        Case(
            "a rule that rejects, but no address either", [.wired(addresses: [])],
            Obstacle(.noAddress, interface: "eth2"), hasRejectingRule: true),
        Case(
            "a bridge without ports beside a pulled cable", [.wired(2, flags: pulled), bridge],
            Obstacle(.noCarrier, interface: "eth2")),
        Case("a bridge without ports alone", [bridge], Obstacle(.noCarrier, interface: "docker0")),
        Case(
            "a tunnel that is off counts for nothing",
            [NetworkInterface(index: 9, name: "wg9", type: .other, linkKind: "wireguard", flags: off)],
            Obstacle(.noInterface)),
        Case("a member of a bridge is not told of", [enslaved, bridge], Obstacle(.noCarrier, interface: "docker0")),
        Case(
            "a bridge of containers beside a pulled cable", [.wired(2, flags: pulled), runningBridge, port(6, "veth")],
            Obstacle(.noCarrier, interface: "eth2")),
        Case(
            "a bridge of virtual machines in flight mode", [radioThatIsOff, runningBridge, port(6, "tun")],
            Obstacle(.radioOff, interface: "wlan0")),
        Case(
            "a bridge with a cable beside a radio that is off",
            [radioThatIsOff, bridge, port(6, "veth"), port(7, nil, flags: pulled)],
            Obstacle(.noCarrier, interface: "docker0")),
        Case("a bridge of containers alone", [runningBridge, port(6, "veth")], Obstacle(.noRoute)),
        Case(
            "pairs without a bridge beside a pulled cable", [.wired(2, flags: pulled), pair(8)],
            Obstacle(.noCarrier, interface: "eth2")),
        Case("a pair, and what is made of it", [pair(8), macsec], Obstacle(.noAddress, interface: "veth8")),
        Case(
            "a container's pair beside a bridge of its own", [pair(8, flags: pulled), runningBridge, port(6, "veth")],
            Obstacle(.noCarrier, interface: "veth8")),
    ]

    private static var enslaved: NetworkInterface {
        var link = NetworkInterface.wired(3, addresses: [])
        (link.controllerIndex, link.controllerKind) = (5, "bridge")
        return link
    }

    @Test(arguments: cases)
    func `of the links`(example: Case) {
        var host = Host()
        host.interfaces += example.interfaces
        host.hasRejectingRule = example.hasRejectingRule
        #expect(host.path().obstacle == example.expected)
    }

    /// Links beside a Wi-Fi link that is switched off, and whether only a person can help.
    static let besideWiFi: [([NetworkInterface], Bool)] = [
        ([], true),
        ([runningBridge, port(6, "veth")], true),
        ([bridge], true),
        ([pair(8)], true),
        ([runningBridge, port(6, nil)], false),
        ([.wired(2, flags: pulled)], false),
    ]

    @Test(arguments: besideWiFi)
    func `only a person can help when Wi-Fi is the only way out`(others: [NetworkInterface], expected: Bool) {
        let snapshot = NetworkSnapshot(interfaces: [.loopback, Self.radioThatIsOff] + others, isWiFiSwitchedOff: true)
        #expect(snapshot.needsIntervention == expected)
    }

    @Test func `what got farthest says most`() {
        // IPv4 has a route over a dead link; IPv6 lacks only the end of the check.
        let link = NetworkInterface.wired(
            addresses: [InterfaceAddress("2001:db8::2/64", flags: .tentative)])
        let host = Host(.wired(3, flags: [.up]), link)
            .answering(.via("192.0.2.1", on: 3)).answering(.via("fe80::1"), for: .ipv6)
        #expect(host.path().obstacle == Obstacle(.addressTentative, interface: "eth2"))
    }

    @Test func `a rejected family is told when the links lack nothing`() {
        #expect(Host(.wired()).answering(.rejected).path().obstacle == Obstacle(.routeUnreachable))
    }

    @Test func `requirements leave out what they do not allow`() {
        let host = Host(.wired(2, flags: []))
        #expect(host.path(PathRequirements(requiredType: .wifi)).obstacle == Obstacle(.noInterface))
    }

    @Test func `an enslaved link of a VRF counts`() {
        var link = NetworkInterface.wired(addresses: [])
        (link.controllerIndex, link.controllerKind) = (7, "vrf")
        #expect(Host(link).path().obstacle == Obstacle(.noAddress, interface: "eth2"))
    }
}
