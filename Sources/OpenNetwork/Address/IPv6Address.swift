// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import FoundationEssentials
import NetworkModel

/// An IPv6 address, optionally scoped to an interface.
///
/// Mirrors Apple's `IPv6Address`. Two addresses are equal when both their bytes and their interfaces are.
public struct IPv6Address: IPAddress, Hashable, CustomDebugStringConvertible {
    /// The address as a number, with the first byte as the most significant one.
    let bits: AddressBits

    /// The interface that the address is scoped to, if any.
    public let interface: NWInterface?

    init(bits: AddressBits, interface: NWInterface? = nil) {
        self.bits = bits
        self.interface = interface
    }

    /// Creates an address from sixteen bytes in network order; any other number of bytes returns `nil`.
    public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
        guard rawValue.count == 16 else { return nil }
        self.init(bits: AddressBits(bytes: rawValue), interface: interface)
    }

    /// Creates an address from a literal such as `2001:db8::5` or `fe80::1%eth0` (RFC 4291, RFC 4007).
    ///
    /// The scope is the name of an interface or its index. Text that is not a literal, or a scope that is not an
    /// interface of this host, returns `nil`. An IPv4-mapped literal stays an IPv6 address here.
    public init?(_ string: String) {
        guard let address = AddressLiteral(string).ipv6 else { return nil }
        self = address
    }

    /// The sixteen bytes of the address in network order.
    public var rawValue: Data {
        Data(NetworkAddress(version: .ipv6, bits: bits).bytes)
    }

    /// The shortest text form, followed by `%` and the interface's name if scoped.
    public var debugDescription: String {
        NetworkAddress(version: .ipv6, bits: bits).description.scoped(to: interface)
    }
}

extension IPv6Address {
    /// The unspecified address, `::`.
    public static let any = IPv6Address(bits: 0)

    /// IPv6 has no broadcast; as in Apple's framework this is `::`.
    public static let broadcast = IPv6Address(bits: 0)

    /// The loopback address, `::1`.
    public static let loopback = IPv6Address(bits: 1)

    /// The group of all nodes within this host, `ff01::1`.
    public static let nodeLocalNodes = IPv6Address(bits: 0xff01 << 112 | 1)

    /// The group of all nodes on the link, `ff02::1`.
    public static let linkLocalNodes = IPv6Address(bits: 0xff02 << 112 | 1)

    /// The group of all routers on the link, `ff02::2`.
    public static let linkLocalRouters = IPv6Address(bits: 0xff02 << 112 | 2)
}

extension IPv6Address {
    /// How far a multicast packet may travel (RFC 4291, section 2.7).
    #if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
    #endif
    public enum Scope: UInt8, Sendable {
        /// Within this host.
        case nodeLocal = 1

        /// On one link.
        case linkLocal = 2

        /// Within one site.
        case siteLocal = 5

        /// Within one organization.
        case organizationLocal = 8

        /// Anywhere.
        case global = 0x0e
    }

    /// Whether this is the unspecified address, `::`.
    public var isAny: Bool { bits == 0 }

    /// Whether this is the loopback address, `::1`, whatever its scope.
    public var isLoopback: Bool { bits == 1 }

    /// Whether the address is `::a.b.c.d`, the deprecated IPv4-compatible form; `::` and `::1` are not.
    ///
    /// The spelling is Apple's.
    public var isIPv4Compatabile: Bool { bits >> 32 == 0 && bits.low > 1 }

    /// Whether the address is `::ffff:a.b.c.d`, an IPv4 address in IPv6 form.
    public var isIPv4Mapped: Bool { bits >> 32 == 0xffff }

    /// Whether the address is in 2002::/16, the 6to4 prefix (RFC 3056).
    public var is6to4: Bool { bits >> 112 == 0x2002 }

    /// Whether the address is in fe80::/10.
    public var isLinkLocal: Bool { bits >> 118 == 0xfe80 >> 6 }

    /// Whether the address is in fc00::/7, for use within a site (RFC 4193).
    public var isUniqueLocal: Bool { bits >> 121 == 0xfc >> 1 }

    /// Whether the address is in ff00::/8.
    public var isMulticast: Bool { bits >> 120 == 0xff }

    /// The IPv4 address inside a mapped or compatible one, with the same interface; otherwise `nil`.
    public var asIPv4: IPv4Address? {
        guard isIPv4Mapped || isIPv4Compatabile else { return nil }
        return IPv4Address(bits: UInt32(truncatingIfNeeded: bits.low), interface: interface)
    }

    /// The scope of a multicast address; `nil` for other addresses and for scopes without a name in ``Scope``.
    public var multicastScope: Scope? {
        guard isMulticast else { return nil }
        return Scope(rawValue: UInt8(truncatingIfNeeded: bits.high >> 48) & 0x0f)
    }
}

#endif
