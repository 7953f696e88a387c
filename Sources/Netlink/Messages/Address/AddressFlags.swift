// SPDX-License-Identifier: Apache-2.0

/// An address's flags: `IFA_FLAGS` (`linux/if_addr.h`).
public struct AddressFlags: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt32

    /// Creates flags from the kernel's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `IFA_F_SECONDARY`: IPv4, not the first of its network; `IFA_F_TEMPORARY`: IPv6, a privacy address.
    public static let secondary = Self(rawValue: 0x01)
    /// `IFA_F_NODAD`: usable without duplicate address detection.
    public static let noDuplicateDetection = Self(rawValue: 0x02)
    /// `IFA_F_OPTIMISTIC`: usable while duplicate address detection runs (RFC 4429).
    public static let optimistic = Self(rawValue: 0x04)
    /// `IFA_F_DADFAILED`: another host has the address.
    public static let duplicateDetected = Self(rawValue: 0x08)
    /// `IFA_F_DEPRECATED`: works, but is not chosen for new connections if there is another.
    public static let deprecated = Self(rawValue: 0x20)
    /// `IFA_F_TENTATIVE`: duplicate address detection has not finished (RFC 4862); not usable yet.
    public static let tentative = Self(rawValue: 0x40)
    /// `IFA_F_PERMANENT`: set by the administrator, without lifetime.
    public static let permanent = Self(rawValue: 0x80)
}
