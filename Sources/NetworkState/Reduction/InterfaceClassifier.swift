// SPDX-License-Identifier: Apache-2.0

import Netlink

/// Determines a link's type from its kind, its hardware and the links below it.
package struct InterfaceClassifier {
    /// The hardware behind a link, where netlink does not report it: `DEVTYPE` of its device.
    package enum DeviceType: Hashable, Sendable { case wlan, wwan }

    private let links: LinkTable<LinkMessage>
    private let devices: LinkTable<DeviceType>

    /// How deep links may be stacked: the kernel allows 8, and links across namespaces could form a cycle.
    private static let mostLayers = 8

    init(links: LinkTable<LinkMessage>, devices: LinkTable<DeviceType>) {
        self.links = links
        self.devices = devices
    }

    func type(of index: Int32) -> InterfaceType {
        links[index].map { type(of: $0, layersLeft: Self.mostLayers) } ?? .other
    }

    private func type(of link: LinkMessage, layersLeft: Int) -> InterfaceType {
        if link.flags.contains(.loopback) || link.hardwareType == .loopback { return .loopback }
        switch devices[link.index] {
        case .wlan: return .wifi
        case .wwan: return .cellular
        case nil: break
        }
        guard let kind = link.kind else {
            switch link.hardwareType {
            case .ethernet: return .wiredEthernet
            case .rawIP: return .cellular
            // Hardware without a link layer, on a bus that modems use.
            case .none where link.parentBus == "usb" || link.parentBus == "wwan": return .cellular
            default: return .other
            }
        }
        switch kind {
        case "wwan", "rmnet": return .cellular
        case "bridge", "bond", "team": return type(ofController: link, layersLeft: layersLeft)
        case "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec":
            return type(ofStacked: link, layersLeft: layersLeft)
        case "veth", "netkit", "hsr", "dsa", "virt_wifi": return kind == "virt_wifi" ? .wifi : .wiredEthernet
        default: return .other
        }
    }

    /// A stacked link has the type of the link below; if that one is not visible (another namespace), it is Ethernet.
    private func type(ofStacked link: LinkMessage, layersLeft: Int) -> InterfaceType {
        guard layersLeft > 0, link.lowerNamespace == nil, let index = link.lowerIndex, index != link.index,
            let lower = links[index]
        else { return .wiredEthernet }
        return type(of: lower, layersLeft: layersLeft - 1)
    }

    /// A bridge or bond has the type of all its members; if they differ or there are none, it counts as Ethernet.
    private func type(ofController link: LinkMessage, layersLeft: Int) -> InterfaceType {
        guard layersLeft > 0 else { return .wiredEthernet }
        var common: InterfaceType?
        for (index, member) in links.elements where member.controllerIndex == link.index && index != link.index {
            let type = type(of: member, layersLeft: layersLeft - 1)
            if type == .other { continue }
            guard common == nil || common == type else { return .wiredEthernet }
            common = type
        }
        return common ?? .wiredEthernet
    }
}
