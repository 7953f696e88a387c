// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

@testable import NetworkState

/// The single reason that is reported.
struct DiagnosisFinderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var interfaces: [NetworkInterface]
        var expected: Cause
        var hasRejectingRule = false

        init(_ name: String, _ interfaces: [NetworkInterface], _ expected: Cause, hasRejectingRule: Bool = false) {
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
        Case("nothing but loopback", [], Cause(.noInterface)),
        Case("one that is off", [.wired(2, flags: off)], Cause(.allDown, interface: "eth2")),
        Case("two that are off", [.wired(2, flags: off), .wired(3, flags: off)], Cause(.allDown)),
        Case(
            "one off, one pulled", [.wired(2, flags: off), .wired(3, flags: pulled)],
            Cause(.noCarrier, interface: "eth3")),
        Case(
            "one pulled, one without an address", [.wired(2, flags: pulled), .wired(3, addresses: [])],
            Cause(.noAddress, interface: "eth3")),
        Case(
            "only a link-local address", [.wired(addresses: [InterfaceAddress("fe80::2/64")])],
            Cause(.noAddress, interface: "eth2")),
        Case(
            "an address being checked", [.wired(addresses: [InterfaceAddress("2001:db8::2/64", flags: .tentative)])],
            Cause(.addressTentative, interface: "eth2")),
        Case(
            "a link-local address being checked",
            [.wired(addresses: [InterfaceAddress("fe80::2/64", flags: .tentative)])],
            Cause(.noAddress, interface: "eth2")),
        Case("an address but no route", [.wired()], Cause(.noRoute)),
        Case("a rule that rejects", [.wired()], Cause(.routeUnreachable), hasRejectingRule: true),
        Case(
            "a rule that rejects, but no address either", [.wired(addresses: [])],
            Cause(.noAddress, interface: "eth2"), hasRejectingRule: true),
        Case(
            "a bridge without ports beside a pulled cable", [.wired(2, flags: pulled), bridge],
            Cause(.noCarrier, interface: "eth2")),
        Case("a bridge without ports alone", [bridge], Cause(.noCarrier, interface: "docker0")),
        Case(
            "a tunnel that is off counts for nothing",
            [NetworkInterface(index: 9, name: "wg9", type: .other, linkKind: "wireguard", flags: off)],
            Cause(.noInterface)),
        Case("a member of a bridge gives no reason", [enslaved, bridge], Cause(.noCarrier, interface: "docker0")),
        Case(
            "a bridge of containers beside a pulled cable", [.wired(2, flags: pulled), runningBridge, port(6, "veth")],
            Cause(.noCarrier, interface: "eth2")),
        Case(
            "a bridge of virtual machines in flight mode", [radioThatIsOff, runningBridge, port(6, "tun")],
            Cause(.radioOff, interface: "wlan0")),
        Case(
            "a bridge with a cable beside a radio that is off",
            [radioThatIsOff, bridge, port(6, "veth"), port(7, nil, flags: pulled)],
            Cause(.noCarrier, interface: "docker0")),
        Case("a bridge of containers alone", [runningBridge, port(6, "veth")], Cause(.noRoute)),
        Case(
            "pairs without a bridge beside a pulled cable", [.wired(2, flags: pulled), pair(8)],
            Cause(.noCarrier, interface: "eth2")),
        Case("a pair, and what is made of it", [pair(8), macsec], Cause(.noAddress, interface: "veth8")),
        Case(
            "a container's pair beside its own bridge", [pair(8, flags: pulled), runningBridge, port(6, "veth")],
            Cause(.noCarrier, interface: "veth8")),
    ]

    private static var enslaved: NetworkInterface {
        var link = NetworkInterface.wired(3, addresses: [])
        (link.controllerIndex, link.controllerKind) = (5, "bridge")
        return link
    }

    @Test(arguments: cases)
    func `the state of the links determines the reason`(example: Case) {
        var host = Host()
        host.interfaces += example.interfaces
        host.hasRejectingRule = example.hasRejectingRule
        #expect(host.path().diagnosis?.cause == example.expected)
    }

    /// Links beside a Wi-Fi link that is switched off, and whether the user must intervene.
    static let besideWiFi: [([NetworkInterface], Bool)] = [
        ([], true),
        ([runningBridge, port(6, "veth")], true),
        ([bridge], true),
        ([pair(8)], true),
        ([runningBridge, port(6, nil)], false),
        ([.wired(2, flags: pulled)], false),
    ]

    @Test(arguments: besideWiFi)
    func `the user must intervene if Wi-Fi is the only uplink`(others: [NetworkInterface], expected: Bool) {
        let snapshot = NetworkSnapshot(interfaces: [.loopback, Self.radioThatIsOff] + others, isWiFiSwitchedOff: true)
        #expect(snapshot.needsIntervention == expected)
    }

    @Test func `the family that is closest to usable gives the reason`() {
        // IPv4 has a route over a dead link; IPv6 only waits for duplicate address detection.
        let link = NetworkInterface.wired(
            addresses: [InterfaceAddress("2001:db8::2/64", flags: .tentative)])
        let host = Host(.wired(3, flags: [.up]), link)
            .answering(.via("192.0.2.1", on: 3)).answering(.via("fe80::1"), for: .ipv6)
        #expect(host.path().diagnosis?.cause == Cause(.addressTentative, interface: "eth2"))
    }

    @Test func `a rejecting route is reported when the links are fine`() {
        #expect(Host(.wired()).answering(.rejected).path().diagnosis?.cause == Cause(.routeUnreachable))
    }

    @Test func `links that the requirements exclude give no reason`() {
        let host = Host(.wired(2, flags: []))
        #expect(host.path(PathFilter(requiredType: .wifi)).diagnosis?.cause == Cause(.noInterface))
    }

    @Test func `a link in a VRF counts`() {
        var link = NetworkInterface.wired(addresses: [])
        (link.controllerIndex, link.controllerKind) = (7, "vrf")
        #expect(Host(link).path().diagnosis?.cause == Cause(.noAddress, interface: "eth2"))
    }
}
