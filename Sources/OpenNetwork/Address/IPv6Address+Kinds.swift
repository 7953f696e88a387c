// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

extension IPv6Address {
    /// How far a multicast packet may travel (RFC 4291, section 2.7).
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
    public var isIPv4Compatabile: Bool { bits >> 32 == 0 && bits > 1 }

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
        return IPv4Address(bits: UInt32(truncatingIfNeeded: bits), interface: interface)
    }

    /// The scope of a multicast address; `nil` for other addresses and for scopes without a name in ``Scope``.
    public var multicastScope: Scope? {
        guard isMulticast else { return nil }
        return Scope(rawValue: UInt8(truncatingIfNeeded: bits >> 112) & 0x0f)
    }
}

#endif
