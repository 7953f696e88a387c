// SPDX-License-Identifier: Apache-2.0

/// A routing table's number: `RTA_TABLE` (`/etc/iproute2/rt_tables` names some).
public struct RouteTable: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt32

    /// Creates a table number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// 0: in a filter, any table.
    public static let unspecified = Self(rawValue: 0)
    /// 253.
    public static let `default` = Self(rawValue: 253)
    /// 254, the table of routes that do not specify one.
    public static let main = Self(rawValue: 254)
    /// 255, the kernel's own: this host's addresses and broadcasts.
    public static let local = Self(rawValue: 255)
}

/// The action of a route: `rtm_type` (`linux/rtnetlink.h`).
public struct RouteType: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt8

    /// Creates a type from the kernel's number; unknown numbers are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Forwards the packet, to a gateway or directly.
    public static let unicast = Self(rawValue: 1)
    /// Delivers it to this host.
    public static let local = Self(rawValue: 2)
    /// Broadcasts it.
    public static let broadcast = Self(rawValue: 3)
    /// Multicasts it.
    public static let multicast = Self(rawValue: 5)
    /// Discards it silently.
    public static let blackhole = Self(rawValue: 6)
    /// Rejects it: host unreachable.
    public static let unreachable = Self(rawValue: 7)
    /// Rejects it: administratively prohibited.
    public static let prohibit = Self(rawValue: 8)
    /// Continues with the next rule.
    public static let `throw` = Self(rawValue: 9)
}

/// The distance of a destination or the range of an address: `rtm_scope`, `ifa_scope` (`linux/rtnetlink.h`).
///
/// Smaller values reach farther.
public struct RouteScope: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt8

    /// Creates a scope from the kernel's number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Anywhere.
    public static let universe = Self(rawValue: 0)
    /// IPv6 site.
    public static let site = Self(rawValue: 200)
    /// Directly on the link.
    public static let link = Self(rawValue: 253)
    /// This host.
    public static let host = Self(rawValue: 254)
    /// Nowhere.
    public static let nowhere = Self(rawValue: 255)
}

/// The origin of a route: `rtm_protocol` (`linux/rtnetlink.h`).
public struct RouteProtocol: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt8

    /// Creates a protocol number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Unspecified.
    public static let unspecified = Self(rawValue: 0)
    /// The kernel itself.
    public static let kernel = Self(rawValue: 2)
    /// The boot scripts.
    public static let boot = Self(rawValue: 3)
    /// The administrator.
    public static let `static` = Self(rawValue: 4)
    /// A router advertisement.
    public static let routerAdvertisement = Self(rawValue: 9)
    /// DHCP.
    public static let dhcp = Self(rawValue: 16)
}

/// The state of a next hop: `rtnh_flags` (`linux/rtnetlink.h`).
public struct NextHopFlags: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt32

    /// Creates flags from the kernel's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `RTNH_F_DEAD`: its link is gone or down.
    public static let dead = Self(rawValue: 1)
    /// `RTNH_F_ONLINK`: the gateway is treated as on-link, whatever the addresses are.
    public static let onLink = Self(rawValue: 4)
    /// `RTNH_F_LINKDOWN`: its link has no carrier.
    public static let linkDown = Self(rawValue: 16)
}
