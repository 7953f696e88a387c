// SPDX-License-Identifier: Apache-2.0

/// A group of rtnetlink notifications: `RTNLGRP_…` (`linux/rtnetlink.h`).
public struct MulticastGroup: RawRepresentable, Hashable, Sendable {
    /// The kernel's number; groups above 31 are supported too.
    public let rawValue: UInt32

    /// Creates a group from the kernel's number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Links, their flags and carrier.
    public static let link = Self(rawValue: 1)
    /// Neighbours.
    public static let neighbor = Self(rawValue: 3)
    /// IPv4 addresses.
    public static let ipv4Address = Self(rawValue: 5)
    /// IPv4 routes.
    public static let ipv4Route = Self(rawValue: 7)
    /// IPv4 rules.
    public static let ipv4Rule = Self(rawValue: 8)
    /// IPv6 addresses.
    public static let ipv6Address = Self(rawValue: 9)
    /// IPv6 routes.
    public static let ipv6Route = Self(rawValue: 11)
    /// IPv6 rules.
    public static let ipv6Rule = Self(rawValue: 19)
    /// Settings of IPv4 (`net.ipv4.conf`) that affect forwarding and routing.
    public static let ipv4Configuration = Self(rawValue: 24)
    /// Settings of IPv6 (`net.ipv6.conf`) that affect forwarding and routing.
    public static let ipv6Configuration = Self(rawValue: 25)
    /// Nexthop objects (Linux 5.3).
    public static let nextHop = Self(rawValue: 32)

    /// Everything that can change where packets go, except for neighbours, of which there may be thousands.
    public static let routing: [MulticastGroup] = [
        .link, .ipv4Address, .ipv6Address, .ipv4Route, .ipv6Route, .ipv4Rule, .ipv6Rule, .nextHop,
        .ipv4Configuration, .ipv6Configuration,
    ]
}
