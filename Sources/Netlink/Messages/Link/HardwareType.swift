// SPDX-License-Identifier: Apache-2.0

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
    /// `ARPHRD_TUNNEL6`.
    public static let tunnel6 = Self(rawValue: 769)
    /// `ARPHRD_LOOPBACK`.
    public static let loopback = Self(rawValue: 772)
    /// `ARPHRD_SIT`: IPv6 in IPv4.
    public static let sit = Self(rawValue: 776)
    /// `ARPHRD_IPGRE`.
    public static let gre = Self(rawValue: 778)
    /// `ARPHRD_NONE`: no link layer at all; tun, WireGuard, many modems.
    public static let none = Self(rawValue: 65534)
}
