// SPDX-License-Identifier: Apache-2.0

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
