// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
public import Netlink

/// A virtual link to create.
public enum NewLink: Hashable, Sendable {
    /// A pair of connected Ethernet links; the second may be created in another namespace.
    case veth(name: String, peer: String)
    /// A software Ethernet switch.
    case bridge(name: String)
    /// Another Ethernet address on an existing link, in bridge mode.
    case macvlan(name: String, on: Int32)
    /// An IEEE 802.1Q VLAN on an existing link; 1 to 4094.
    case vlan(name: String, on: Int32, identifier: UInt16)
    /// A link that discards all packets.
    case dummy(name: String)
    /// Any other kind that needs no options, such as `ifb`.
    case other(name: String, kind: String)

    /// The name of the link.
    public var name: String {
        switch self {
        case .veth(let name, _), .bridge(let name), .macvlan(let name, _), .vlan(let name, _, _), .dummy(let name),
            .other(let name, _):
            name
        }
    }
}

extension RouteNetlink {
    /// Creates a link.
    ///
    /// - Throws: `kernel` with `exists`, with `notSupported` for a kind that this kernel does not have, or `notPermitted`.
    public mutating func createLink(_ link: NewLink) throws(NetlinkError) {
        try Self.check(name: link.name)
        if case .veth(_, let peer) = link { try Self.check(name: peer) }
        try change(.newLink, [.create, .exclusive], "RTM_NEWLINK \(link.name)") {
            Self.writeLinkHeader(&$0)
            $0.attribute(LinkMessage.Attribute.name.rawValue, link.name)
            switch link {
            case .macvlan(_, let lower), .vlan(_, let lower, _):
                $0.attribute(LinkMessage.Attribute.link.rawValue, lower)
            default: break
            }
            $0.nested(LinkMessage.Attribute.info.rawValue) { link.writeInfo(to: &$0) }
        }
    }

    /// Deletes a link; for a veth, the pair.
    ///
    /// - Throws: `kernel` with `noSuchDevice`.
    public mutating func deleteLink(_ index: Int32) throws(NetlinkError) {
        try change(.deleteLink, [], "RTM_DELLINK \(index)") { Self.writeLinkHeader(&$0, index: index) }
    }

    /// Switches a link on or off.
    public mutating func setLink(_ index: Int32, up: Bool) throws(NetlinkError) {
        try change(.newLink, [], "RTM_NEWLINK \(index)") {
            Self.writeLinkHeader(&$0, index: index, flags: up ? .up : [], mask: .up)
        }
    }

    /// Sets the size of the largest packet that a link sends, in bytes.
    public mutating func setLink(_ index: Int32, mtu: UInt32) throws(NetlinkError) {
        try change(.newLink, [], "RTM_NEWLINK \(index)") {
            Self.writeLinkHeader(&$0, index: index)
            $0.attribute(LinkMessage.ChangeAttribute.mtu, mtu)
        }
    }

    /// Attaches a link to a bridge, bond, team or VRF, or (nil) detaches it.
    public mutating func setLink(_ index: Int32, controller: Int32?) throws(NetlinkError) {
        try change(.newLink, [], "RTM_NEWLINK \(index)") {
            Self.writeLinkHeader(&$0, index: index)
            $0.attribute(LinkMessage.Attribute.controller.rawValue, controller ?? 0)
        }
    }

    /// Moves a link into another namespace.
    ///
    /// It arrives switched off and without addresses.
    public mutating func setLink(_ index: Int32, namespace: NetworkNamespace) throws(NetlinkError) {
        try change(.newLink, [], "RTM_NEWLINK \(index)") {
            Self.writeLinkHeader(&$0, index: index)
            $0.attribute(LinkMessage.ChangeAttribute.namespaceDescriptor, namespace.descriptorNumber)
        }
    }

    /// Sets the operational state of a link whose driver leaves that to user space, such as `dormant` during authentication.
    public mutating func setLink(
        _ index: Int32, operationalState: OperationalState
    ) throws(NetlinkError) {
        try change(.newLink, [], "RTM_NEWLINK \(index)") {
            Self.writeLinkHeader(&$0, index: index)
            $0.attribute(LinkMessage.Attribute.operationalState.rawValue, operationalState.rawValue)
        }
    }

    /// Sets whether the link becomes `dormant` (true) or `up` when it gets carrier: `IFLA_LINKMODE`.
    public mutating func setLink(_ index: Int32, startsDormant: Bool) throws(NetlinkError) {
        try change(.newLink, [], "RTM_NEWLINK \(index)") {
            Self.writeLinkHeader(&$0, index: index)
            $0.attribute(LinkMessage.ChangeAttribute.linkMode, UInt8(startsDormant ? 1 : 0))
        }
    }
}

extension NewLink {
    fileprivate func writeInfo(to info: inout MessageWriter) {
        let (kind, data) = (LinkMessage.InfoAttribute.kind, LinkMessage.InfoAttribute.data)
        switch self {
        case .veth(_, let peer):
            info.attribute(kind, "veth")
            info.nested(data) {
                // The peer's ifinfomsg and attributes.
                $0.nested(LinkMessage.ChangeAttribute.vethPeer) {
                    RouteNetlink.writeLinkHeader(&$0)
                    $0.attribute(LinkMessage.Attribute.name.rawValue, peer)
                }
            }
        case .bridge: info.attribute(kind, "bridge")
        case .macvlan:
            info.attribute(kind, "macvlan")
            info.nested(data) {
                $0.attribute(LinkMessage.ChangeAttribute.macvlanMode, LinkMessage.ChangeAttribute.macvlanBridge)
            }
        case .vlan(_, _, let identifier):
            info.attribute(kind, "vlan")
            info.nested(data) { $0.attribute(LinkMessage.ChangeAttribute.vlanIdentifier, identifier) }
        case .dummy: info.attribute(kind, "dummy")
        case .other(_, let other): info.attribute(kind, other)
        }
    }
}
#endif
