// SPDX-License-Identifier: Apache-2.0

/// A link's RFC 2863 operational state: `IFLA_OPERSTATE` (`linux/if.h`).
public struct OperationalState: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt8

    /// Creates a state from the kernel's number; unknown numbers are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The driver does not report a state; carrier decides.
    public static let unknown = Self(rawValue: 0)
    /// The hardware is missing.
    public static let notPresent = Self(rawValue: 1)
    /// Not able to carry data.
    public static let down = Self(rawValue: 2)
    /// Down because the lower link is down.
    public static let lowerLayerDown = Self(rawValue: 3)
    /// In a test mode.
    public static let testing = Self(rawValue: 4)
    /// Waiting for an outside event, such as authentication.
    public static let dormant = Self(rawValue: 5)
    /// Able to carry data.
    public static let up = Self(rawValue: 6)
}
