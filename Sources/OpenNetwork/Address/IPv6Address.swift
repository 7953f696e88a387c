// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import FoundationEssentials
import NetworkModel

/// An IPv6 address, optionally scoped to an interface.
///
/// Mirrors Apple's `IPv6Address`. Two addresses are equal when both their bytes and their interfaces are.
public struct IPv6Address: IPAddress, Hashable, CustomDebugStringConvertible {
    /// The address as a number, with the first byte as the most significant one.
    let bits: UInt128

    /// The interface that the address is scoped to, if any.
    public let interface: NWInterface?

    init(bits: UInt128, interface: NWInterface? = nil) {
        self.bits = bits
        self.interface = interface
    }

    /// Creates an address from sixteen bytes in network order; any other number of bytes returns `nil`.
    public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
        guard rawValue.count == 16 else { return nil }
        self.init(bits: rawValue.reduce(0) { $0 << 8 | UInt128($1) }, interface: interface)
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
        withUnsafeBytes(of: bits.bigEndian) { Data($0) }
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

#endif
