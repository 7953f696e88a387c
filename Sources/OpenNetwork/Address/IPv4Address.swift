// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import FoundationEssentials
import NetworkModel

/// An IPv4 address, optionally scoped to an interface.
///
/// Mirrors Apple's `IPv4Address`. Two addresses are equal when both their bytes and their interfaces are.
public struct IPv4Address: IPAddress, Hashable, CustomDebugStringConvertible {
    /// The address as a number, with the first byte as the most significant one.
    let bits: UInt32

    /// The interface that the address is scoped to, if any.
    public let interface: NWInterface?

    init(bits: UInt32, interface: NWInterface? = nil) {
        self.bits = bits
        self.interface = interface
    }

    /// Creates an address from four bytes in network order; any other number of bytes returns `nil`.
    public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
        guard rawValue.count == 4 else { return nil }
        self.init(bits: rawValue.reduce(0) { $0 << 8 | UInt32($1) }, interface: interface)
    }

    /// Creates an address from a literal such as `192.0.2.1` or `169.254.8.8%eth0`.
    ///
    /// The numbers follow `inet_aton`, as `getaddrinfo` with `AI_NUMERICHOST` reads them: one to four parts, the last
    /// filling the remaining bytes, each decimal, octal (`010`) or hexadecimal (`0x7f`). So `127.1` is `127.0.0.1`.
    /// Text that is not a literal, or a scope that is not an interface of this host, returns `nil`.
    public init?(_ string: String) {
        guard let address = AddressLiteral(string).ipv4 else { return nil }
        self = address
    }

    /// The four bytes of the address in network order.
    public var rawValue: Data {
        Data(NetworkAddress(version: .ipv4, bits: AddressBits(bits)).bytes)
    }

    /// Whether the address is exactly 127.0.0.1, whatever its scope; the rest of 127.0.0.0/8 does not count.
    public var isLoopback: Bool { bits == Self.loopback.bits }

    /// Whether the address is in 169.254.0.0/16 (RFC 3927).
    public var isLinkLocal: Bool { bits >> 16 == 0xa9fe }

    /// Whether the address is in 224.0.0.0/4.
    public var isMulticast: Bool { bits >> 28 == 0xe }

    /// The dotted decimal form, followed by `%` and the interface's name if scoped.
    public var debugDescription: String {
        let text = "\(bits >> 24).\(bits >> 16 & 0xff).\(bits >> 8 & 0xff).\(bits & 0xff)"
        return text.scoped(to: interface)
    }
}

extension IPv4Address {
    /// The unspecified address, 0.0.0.0.
    public static let any = IPv4Address(bits: 0)

    /// The limited broadcast address, 255.255.255.255.
    public static let broadcast = IPv4Address(bits: 0xffff_ffff)

    /// The loopback address, 127.0.0.1.
    public static let loopback = IPv4Address(bits: 0x7f00_0001)

    /// The group of all hosts on the link, 224.0.0.1 (RFC 1112).
    public static let allHostsGroup = IPv4Address(bits: 0xe000_0001)

    /// The group of all routers on the link, 224.0.0.2.
    public static let allRoutersGroup = IPv4Address(bits: 0xe000_0002)

    /// The group that IGMPv3 membership reports go to, 224.0.0.22 (RFC 3376).
    public static let allReportsGroup = IPv4Address(bits: 0xe000_0016)

    /// The multicast DNS group, 224.0.0.251 (RFC 6762).
    public static let mdnsGroup = IPv4Address(bits: 0xe000_00fb)
}

#endif
