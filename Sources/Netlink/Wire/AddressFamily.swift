// SPDX-License-Identifier: Apache-2.0

@_exported public import NetworkModel

/// A protocol family as rtnetlink headers carry it: one byte.
///
/// Source: the kernel's `include/linux/socket.h`. The numbers are Linux's on every platform, so captures can be read anywhere.
public struct AddressFamily: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt8

    /// Creates a family from the kernel's number; unknown numbers are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `AF_UNSPEC`: every family, where a request allows that.
    public static let unspecified = Self(rawValue: 0)
    /// `AF_INET`.
    public static let ipv4 = Self(rawValue: 2)
    /// `AF_BRIDGE`: bridge ports and forwarding entries.
    public static let bridge = Self(rawValue: 7)
    /// `AF_INET6`.
    public static let ipv6 = Self(rawValue: 10)

    /// The family of an IP version.
    public init(_ version: NetworkAddress.Version) { self = version == .ipv4 ? .ipv4 : .ipv6 }

    /// The IP version; nil for any other family.
    public var version: NetworkAddress.Version? {
        switch self {
        case .ipv4: .ipv4
        case .ipv6: .ipv6
        default: nil
        }
    }
}

extension NetworkAddress {
    /// The kernel's number for the address's family.
    public var family: AddressFamily { AddressFamily(version) }
}

extension AddressFamily: CustomStringConvertible {
    /// `IPv4`, `IPv6`, or the number.
    public var description: String {
        switch self {
        case .unspecified: "unspecified"
        case .ipv4: "IPv4"
        case .bridge: "bridge"
        case .ipv6: "IPv6"
        default: "family \(rawValue)"
        }
    }
}
