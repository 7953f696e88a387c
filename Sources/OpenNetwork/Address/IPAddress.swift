// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import FoundationEssentials

/// The common interface of IPv4 and IPv6 addresses.
///
/// Mirrors Apple's `IPAddress`.
public protocol IPAddress: Sendable {
    /// The bytes of the address in network order: four for IPv4, sixteen for IPv6.
    var rawValue: Data { get }

    /// Creates an address from its bytes in network order, or `nil` if their number does not fit the family.
    init?(_ rawValue: Data, _ interface: NWInterface?)

    /// Creates an address from a literal, or `nil` if the text is anything else.
    ///
    /// A trailing `%` and interface name scope the address to that interface; an interface that does not exist makes
    /// the literal invalid. Names are never resolved.
    init?(_ string: String)

    /// The interface that the address is scoped to, if any.
    var interface: NWInterface? { get }

    /// Whether this is the family's loopback address.
    var isLoopback: Bool { get }

    /// Whether the address is only meaningful on one link.
    var isLinkLocal: Bool { get }

    /// Whether the address names a multicast group.
    var isMulticast: Bool { get }
}

#endif
