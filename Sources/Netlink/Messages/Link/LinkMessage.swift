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
    /// `IFLA_IFNAME`.
    public var name: String?
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
    /// `IFLA_GROUP`: the number of the group that the administrator has put the link into; 0 by default.
    public var group: UInt32?
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
}

extension LinkMessage {
    /// The size of `struct ifinfomsg`.
    static let headerSize = 16

    /// Reads a message's payload.
    ///
    /// - Parameter payload: the bytes after the netlink header.
    /// - Throws: `truncated` or `malformed`.
    public init(_ payload: RawSpan) throws(NetlinkError) {
        family = AddressFamily(rawValue: try payload.integer(at: 0))
        hardwareType = HardwareType(rawValue: try payload.integer(at: 2))
        index = try payload.integer(at: 4)
        flags = LinkFlags(rawValue: try payload.integer(at: 8))
        try payload.forEachAttribute(from: Self.headerSize) { (type, value) throws(NetlinkError) in
            switch Attribute(rawValue: type) {
            case .address: hardwareAddress = value.array
            case .name: name = value.cString
            case .link: lowerIndex = try value.exactly(Int32.self)
            case .controller: controllerIndex = try value.exactly(Int32.self)
            case .wireless: isWirelessEvent = true
            case .operationalState: operationalState = OperationalState(rawValue: try value.exactly(UInt8.self))
            case .info: try readInfo(value)
            case .group: group = try value.exactly(UInt32.self)
            case .carrier: hasCarrier = try value.exactly(UInt8.self) != 0
            case .lowerNamespace: lowerNamespace = try value.exactly(Int32.self)
            case .parentBus: parentBus = value.cString
            case nil: break
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
    package enum Attribute: UInt16, CaseIterable {
        case address = 1
        case name = 3
        case link = 5
        case controller = 10
        case wireless = 11
        case operationalState = 16
        case info = 18
        case group = 27
        case carrier = 33
        case lowerNamespace = 37
        case parentBus = 57
    }

    /// The attributes that only requests carry (`IFLA_…`).
    enum RequestAttribute {
        static let extraMask: UInt16 = 29
        /// `RTEXT_FILTER_SKIP_STATS`, a bit of `extraMask`.
        static let skipStatistics: UInt32 = 1 << 3
    }

    /// The attributes inside `IFLA_LINKINFO`.
    package enum InfoAttribute {
        package static let kind: UInt16 = 1
        package static let data: UInt16 = 2
        static let controllerKind: UInt16 = 4
    }
}

/// A link's flags: `ifi_flags` (`linux/if.h`, netdevice(7)).
public struct LinkFlags: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt32

    /// Creates flags from the kernel's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `IFF_UP`: switched on by the administrator.
    public static let up = Self(rawValue: 1 << 0)
    /// `IFF_BROADCAST`.
    public static let broadcast = Self(rawValue: 1 << 1)
    /// `IFF_LOOPBACK`.
    public static let loopback = Self(rawValue: 1 << 3)
    /// `IFF_POINTOPOINT`.
    public static let pointToPoint = Self(rawValue: 1 << 4)
    /// `IFF_RUNNING`: operational (RFC 2863): there is carrier, and nothing such as authentication is pending.
    public static let running = Self(rawValue: 1 << 6)
    /// `IFF_NOARP`.
    public static let noARP = Self(rawValue: 1 << 7)
    /// `IFF_MULTICAST`.
    public static let multicast = Self(rawValue: 1 << 12)
    /// `IFF_LOWER_UP`: the driver has carrier.
    public static let lowerUp = Self(rawValue: 1 << 16)
    /// `IFF_DORMANT`: there is carrier, but the driver waits for an event, such as 802.1X or WPA keys.
    ///
    /// A user-space program that handles the authentication sets only the operational state, which is `dormant` in both cases.
    public static let dormant = Self(rawValue: 1 << 17)
}

/// A link's RFC 2863 operational state: `IFLA_OPERSTATE` (`linux/if.h`).
public struct OperationalState: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt8

    /// Creates a state from the kernel's number; unknown numbers are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The driver does not report a state; carrier decides.
    public static let unknown = Self(rawValue: 0)
    /// Not able to carry data.
    public static let down = Self(rawValue: 2)
    /// Down because the lower link is down.
    public static let lowerLayerDown = Self(rawValue: 3)
    /// Waiting for an outside event, such as authentication.
    public static let dormant = Self(rawValue: 5)
    /// Able to carry data.
    public static let up = Self(rawValue: 6)
}

/// The kind of hardware, real or virtual, of a link: `ifi_type`, the ARPHRD numbers (`linux/if_arp.h`).
public struct HardwareType: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt16

    /// Creates a type from the kernel's number; unknown numbers are kept.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `ARPHRD_ETHER`: Ethernet framing; also Wi-Fi, bridges, veth, tap.
    public static let ethernet = Self(rawValue: 1)
    /// `ARPHRD_PPP`.
    public static let ppp = Self(rawValue: 512)
    /// `ARPHRD_RAWIP`: a modem that carries raw IP packets.
    public static let rawIP = Self(rawValue: 519)
    /// `ARPHRD_TUNNEL`: IP in IP.
    public static let tunnel = Self(rawValue: 768)
    /// `ARPHRD_LOOPBACK`.
    public static let loopback = Self(rawValue: 772)
    /// `ARPHRD_SIT`: IPv6 in IPv4.
    public static let sit = Self(rawValue: 776)
    /// `ARPHRD_IPGRE`.
    public static let gre = Self(rawValue: 778)
    /// `ARPHRD_NONE`: no link layer at all; tun, WireGuard, many modems.
    public static let none = Self(rawValue: 65534)
}
