// SPDX-License-Identifier: Apache-2.0

/// A network link as the kernel describes it: `RTM_NEWLINK`, `RTM_DELLINK` (`linux/if_link.h`, rtnetlink(7)).
///
/// A property is nil where the message did not contain it. Wireless events (`isWirelessEvent`) contain little more than flags;
/// the properties that they omit have not changed.
public struct LinkMessage: Hashable, Sendable {
    /// The link's index in its namespace.
    public var index: Int32
    /// `AF_UNSPEC` for the link itself; `AF_BRIDGE` for its role as a bridge port.
    public var family: AddressFamily
    /// The ARPHRD number.
    public var hardwareType: HardwareType
    /// The flags: up, running, carrier, dormant and the others.
    public var flags: LinkFlags
    /// The flags that this message changes, where the kernel reports them.
    public var changeMask: LinkFlags
    /// `IFLA_IFNAME`.
    public var name: String?
    /// `IFLA_MTU`, bytes.
    public var mtu: UInt32?
    /// `IFLA_OPERSTATE`.
    public var operationalState: OperationalState?
    /// `IFLA_CARRIER`.
    public var hasCarrier: Bool?
    /// `IFLA_ADDRESS`: the link-layer address.
    public var hardwareAddress: [UInt8]?
    /// `IFLA_LINK`: the link that this one is stacked on (VLAN, macvlan) or paired with (veth).
    public var lowerIndex: Int32?
    /// `IFLA_LINK_NETNSID`: the number of the other namespace that contains the lower or paired link.
    public var lowerNamespace: Int32?
    /// `IFLA_MASTER`: the bridge, bond, team or VRF that this link belongs to.
    public var controllerIndex: Int32?
    /// `IFLA_INFO_KIND`: such as `veth`, `bridge`, `wireguard`; nil for hardware.
    public var kind: String?
    /// `IFLA_INFO_SLAVE_KIND`: the kind of the controller.
    public var controllerKind: String?
    /// A tunnel's options in `IFLA_INFO_DATA`; nil for links that are not tunnels, and for tunnels without options.
    public var tunnel: TunnelOptions?
    /// `IFLA_PARENT_DEV_BUS_NAME`: such as `pci`, `usb`, `virtio`.
    public var parentBus: String?
    /// Whether this came from the wireless extensions (`IFLA_WIRELESS`) and is therefore partial.
    public var isWirelessEvent = false
    /// Attributes that have no property here.
    public var unknownAttributes: [UnknownAttribute] = []
}

extension LinkMessage {
    /// The size of `struct ifinfomsg`.
    static let headerSize = 16

    /// Reads a message's payload.
    ///
    /// - Parameters:
    ///   - payload: the bytes after the netlink header.
    ///   - keepingUnknown: whether attributes without a property are copied; a monitor avoids that cost.
    /// - Throws: `truncated` or `malformed`.
    public init(_ payload: RawSpan, keepingUnknown: Bool = true) throws(NetlinkError) {
        family = AddressFamily(rawValue: try payload.integer(at: 0))
        hardwareType = HardwareType(rawValue: try payload.integer(at: 2))
        index = try payload.integer(at: 4)
        flags = LinkFlags(rawValue: try payload.integer(at: 8))
        changeMask = LinkFlags(rawValue: try payload.integer(at: 12))
        try payload.forEachAttribute(from: Self.headerSize) { (type, value) throws(NetlinkError) in
            switch Attribute(rawValue: type) {
            case .address: hardwareAddress = value.array
            case .name: name = value.cString
            case .mtu: mtu = try value.exactly(UInt32.self)
            case .link: lowerIndex = try value.exactly(Int32.self)
            case .controller: controllerIndex = try value.exactly(Int32.self)
            case .wireless: isWirelessEvent = true
            case .operationalState: operationalState = OperationalState(rawValue: try value.exactly(UInt8.self))
            case .info: try readInfo(value)
            case .carrier: hasCarrier = try value.exactly(UInt8.self) != 0
            case .lowerNamespace: lowerNamespace = try value.exactly(Int32.self)
            case .parentBus: parentBus = value.cString
            case nil: if keepingUnknown { unknownAttributes.append(UnknownAttribute(type: type, value: value)) }
            }
        }
    }

    private mutating func readInfo(_ info: RawSpan) throws(NetlinkError) {
        try info.forEachAttribute { (type, value) throws(NetlinkError) in
            switch type {
            case InfoAttribute.kind: kind = value.cString
            case InfoAttribute.controllerKind: controllerKind = value.cString
            default: break
            }
        }
        guard let kind else { return }
        // The meaning of the options depends on the kind, which may come after them.
        try info.forEachAttribute { (type, value) throws(NetlinkError) in
            if type == InfoAttribute.data { tunnel = try TunnelOptions(kind: kind, value) }
        }
    }

    /// The attributes that have a property (`IFLA_…`).
    enum Attribute: UInt16, CaseIterable {
        case address = 1
        case name = 3
        case mtu = 4
        case link = 5
        case controller = 10
        case wireless = 11
        case operationalState = 16
        case info = 18
        case carrier = 33
        case lowerNamespace = 37
        case parentBus = 57
    }

    /// The attributes that only requests carry (`IFLA_…`).
    enum RequestAttribute {
        static let linkMode: UInt16 = 17
        static let namespaceDescriptor: UInt16 = 28
        static let extraMask: UInt16 = 29
        /// `RTEXT_FILTER_SKIP_STATS`, a bit of `extraMask`.
        static let skipStatistics: UInt32 = 1 << 3
        /// `VETH_INFO_PEER` (`linux/veth.h`), inside a veth's `IFLA_INFO_DATA`.
        static let vethPeer: UInt16 = 1
        /// `IFLA_MACVLAN_MODE`, inside a macvlan's `IFLA_INFO_DATA`.
        static let macvlanMode: UInt16 = 1
        /// `MACVLAN_MODE_BRIDGE`.
        static let macvlanBridge: UInt32 = 4
        /// `IFLA_VLAN_ID`, inside a VLAN's `IFLA_INFO_DATA`.
        static let vlanIdentifier: UInt16 = 1
    }

    /// The attributes inside `IFLA_LINKINFO`.
    enum InfoAttribute {
        static let kind: UInt16 = 1
        static let data: UInt16 = 2
        static let controllerKind: UInt16 = 4
    }
}
