// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

@testable import NetworkState

/// The kernel's information about a link, and the resulting type.
struct InterfaceClassifierTests {
    private func link(
        _ index: Int32, kind: String? = nil, hardware: HardwareType = .ethernet, lower: Int32? = nil,
        lowerNamespace: Int32? = nil, controller: Int32? = nil
    ) throws -> LinkMessage {
        var link = try LinkMessage.sample(index)
        (link.kind, link.hardwareType, link.lowerIndex) = (kind, hardware, lower)
        (link.lowerNamespace, link.controllerIndex) = (lowerNamespace, controller)
        return link
    }

    private func type(
        of index: Int32, among links: [LinkMessage], devices: LinkTable<InterfaceClassifier.DeviceType> = [:]
    ) -> InterfaceType {
        let known = LinkTable(links.map { ($0.index, $0) })
        return InterfaceClassifier(links: known, devices: devices).type(of: index)
    }

    static let kinds: [(String?, HardwareType, InterfaceType)] = [
        (nil, .loopback, .loopback),
        (nil, .ethernet, .wiredEthernet),
        (nil, .rawIP, .cellular),
        (nil, .none, .other),
        (nil, .ppp, .other),
        ("wwan", .none, .cellular),
        ("rmnet", .rawIP, .cellular),
        ("veth", .ethernet, .wiredEthernet),
        ("bridge", .ethernet, .wiredEthernet),
        ("bond", .ethernet, .wiredEthernet),
        ("vlan", .ethernet, .wiredEthernet),
        ("macvlan", .ethernet, .wiredEthernet),
        ("dummy", .ethernet, .other),
        ("tun", .none, .other),
        ("tun", .ethernet, .other),
        ("wireguard", .none, .other),
        ("vxlan", .ethernet, .other),
        ("ppp", .ppp, .other),
        ("ipip", .tunnel, .other),
        ("sit", .sit, .other),
        ("gre", .gre, .other),
        ("vrf", .ethernet, .other),
        ("a kind of tomorrow", .ethernet, .other),
    ]

    @Test(arguments: kinds)
    func `kind and hardware decide the type`(kind: String?, hardware: HardwareType, expected: InterfaceType) throws {
        #expect(type(of: 2, among: [try link(2, kind: kind, hardware: hardware)]) == expected)
    }

    @Test func `the device's own type takes precedence`() throws {
        let links = [try link(2)]
        #expect(type(of: 2, among: links, devices: [2: .wlan]) == .wifi)
        #expect(type(of: 2, among: links, devices: [2: .wwan]) == .cellular)
    }

    @Test(arguments: ["vlan", "macvlan", "ipvlan", "macsec"])
    func `a stacked link has the type of its lower link`(kind: String) throws {
        let links = [try link(2), try link(3, kind: kind, lower: 2), try link(4, kind: "vlan", lower: 3)]
        #expect(type(of: 3, among: links, devices: [2: .wlan]) == .wifi)
        #expect(type(of: 4, among: links, devices: [2: .wlan]) == .wifi)
    }

    @Test func `a link whose lower link is in another namespace, or gone, is Ethernet`() throws {
        let links = [try link(2), try link(3, kind: "macvlan", lower: 2, lowerNamespace: 0)]
        #expect(type(of: 3, among: links, devices: [2: .wlan]) == .wiredEthernet)
        #expect(type(of: 3, among: [try link(3, kind: "vlan", lower: 99)]) == .wiredEthernet)
    }

    @Test func `a bridge or bond has the common type of its members`() throws {
        let (wifi, wired) = (try link(2, controller: 5), try link(3, controller: 5))
        let tap = try link(4, kind: "tun", controller: 5)
        let bridge = try link(5, kind: "bridge")
        #expect(type(of: 5, among: [bridge]) == .wiredEthernet)
        #expect(type(of: 5, among: [bridge, wifi], devices: [2: .wlan]) == .wifi)
        #expect(type(of: 5, among: [bridge, wifi, tap], devices: [2: .wlan]) == .wifi)
        #expect(type(of: 5, among: [bridge, wifi, wired], devices: [2: .wlan]) == .wiredEthernet)
        #expect(type(of: 5, among: [bridge, tap]) == .wiredEthernet)
    }

    @Test func `links stacked in a cycle do not cause an endless loop`() throws {
        let links = [
            try link(2, kind: "vlan", lower: 3), try link(3, kind: "vlan", lower: 2),
            try link(4, kind: "vlan", lower: 4),
            try link(5, kind: "bridge", controller: 6), try link(6, kind: "bridge", controller: 5),
        ]
        for index: Int32 in 2...6 { #expect(type(of: index, among: links) == .wiredEthernet) }
    }

    @Test func `an unknown index has no known type`() {
        #expect(type(of: 2, among: []) == .other)
    }

    @Test(arguments: ["wireguard", "tun", "ppp", "sit", "vxlan", "ovpn"])
    func `tunnel kinds are recognized`(kind: String) { #expect(NetworkInterface.isTunnel(kind: kind)) }

    @Test(arguments: ["veth", "bridge", "vlan", "wwan", "dummy"])
    func `other kinds are not tunnels`(kind: String) { #expect(!NetworkInterface.isTunnel(kind: kind)) }
}
