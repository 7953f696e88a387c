// SPDX-License-Identifier: Apache-2.0

/// The short name within this package.
package typealias IPVersion = NetworkAddress.Version

/// A numeric IPv4 or IPv6 address, and the interface of a link-local one.
///
/// ```swift
/// let router = NetworkAddress("192.0.2.1")
/// ```
public struct NetworkAddress: Hashable, Sendable {
    /// A version of the Internet Protocol.
    public enum Version: String, Hashable, Sendable, CaseIterable {
        /// IPv4: addresses of 4 bytes.
        case ipv4
        /// IPv6: addresses of 16 bytes.
        case ipv6
    }

    /// The IP versions whose addresses are used.
    public enum Family: String, Hashable, Sendable, CaseIterable {
        /// IPv6 and IPv4, whichever connects first (RFC 8305).
        case any
        /// IPv4 only.
        case ipv4
        /// IPv6 only.
        case ipv6
    }

    /// The address as a number, with the first byte as the most significant one; an IPv4 address uses the low 32 bits.
    @usableFromInline package let bits: AddressBits
    /// The index of the interface that a link-local IPv6 address belongs to (RFC 4007); 0 means none.
    public let scope: UInt32
    /// The version of the Internet Protocol that the address belongs to.
    public let version: Version

    @inlinable package init(version: NetworkAddress.Version, bits: AddressBits, scope: UInt32 = 0) {
        self.bits = bits
        self.scope = scope
        self.version = version
    }

    /// Creates the IPv4 address `a.b.c.d`.
    public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
        self.init(version: .ipv4, bits: AddressBits(UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d)))
    }

    /// Creates an address from its bytes in network order: 4 for IPv4, 16 for IPv6.
    ///
    /// Any other count returns nil.
    public init?(bytes: some Collection<UInt8>, scope: UInt32 = 0) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.init(version: bytes.count == 4 ? .ipv4 : .ipv6, bits: AddressBits(bytes: bytes), scope: scope)
    }

    /// Returns the all-zero address of a version.
    public static func any(_ version: Version) -> Self { Self(version: version, bits: 0) }

    /// The addresses of `localhost`, IPv6 first.
    public static let loopbacks = [Self(version: .ipv6, bits: 1), Self(127, 0, 0, 1)]

    /// The 4 or 16 bytes of the address in network order.
    public var bytes: [UInt8] {
        unsafe withUnsafeBytes(of: (bits.high.bigEndian, bits.low.bigEndian)) { unsafe Array($0.suffix(byteCount)) }
    }

    /// The number of bytes: 4 or 16.
    public var byteCount: Int { version == .ipv4 ? 4 : 16 }

    /// The number of bits: 32 or 128.
    public var bitCount: Int { 8 * byteCount }

    /// The address without its interface.
    public var unscoped: Self { scope == 0 ? self : Self(version: version, bits: bits) }

    // Written by hand because an enumeration with raw values hashes its raw value, here a string.
    /// Hashes the address, its version and its scope.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bits)
        hasher.combine(scope << 1 | (version == .ipv4 ? 0 : 1))
    }
}

extension NetworkAddress {
    /// Whether this is the all-zero address.
    public var isUnspecified: Bool { bits == 0 }

    /// Whether the address is in 127.0.0.0/8 (RFC 1122) or is `::1` (RFC 4291).
    public var isLoopback: Bool { version == .ipv4 ? bits >> 24 == 127 : bits == 1 }

    /// Whether the address is in 169.254.0.0/16 (RFC 3927) or `fe80::/10` (RFC 4291).
    public var isLinkLocal: Bool { version == .ipv4 ? bits >> 16 == 0xA9FE : bits >> 118 == 0x3FA }

    /// Whether the address is in 224.0.0.0/4 (RFC 5771) or `ff00::/8` (RFC 4291).
    public var isMulticast: Bool { version == .ipv4 ? bits >> 28 == 0xE : bits >> 120 == 0xFF }

    /// The IPv4 address inside `::ffff:a.b.c.d` (RFC 4291 section 2.5.5.2); otherwise nil.
    public var embeddedIPv4: NetworkAddress? {
        guard version == .ipv6, bits >> 32 == 0xFFFF else { return nil }
        return NetworkAddress(version: .ipv4, bits: bits & 0xFFFF_FFFF)
    }

    /// Whether connections to the address end at this machine: loopback, or unspecified, which acts as loopback.
    package var isThisHost: Bool {
        let address = embeddedIPv4 ?? self
        return address.isLoopback || address.isUnspecified
    }

    /// Whether the address cannot be on the public Internet: private, shared, loopback, link-local or unspecified.
    ///
    /// The ranges are those of the IANA special-purpose registries (RFC 6890) that a forged answer would use. Not among
    /// them are 198.18.0.0/15 and fc00::/18: transparent proxies return these for public names on purpose.
    public var isPrivate: Bool {
        let address = embeddedIPv4 ?? self
        if address.isUnspecified || address.isLoopback || address.isLinkLocal { return true }
        let bits = address.bits
        // 0/8, 10/8, 100.64/10, 172.16/12, 192.168/16.
        guard address.version == .ipv6 else {
            return bits >> 24 == 0 || bits >> 24 == 10 || bits >> 22 == 100 << 2 | 1 || bits >> 20 == 172 << 4 | 1
                || bits >> 16 == 192 << 8 | 168
        }
        return bits >> 121 == 0xFC >> 1 && bits >> 110 != 0xFC00 << 2
    }
}

/// A range of addresses that share their first bits, such as `192.0.2.0/24`.
///
/// The address is kept as given: `192.0.2.7/24` is an interface's address together with its network.
public struct NetworkPrefix: Hashable, Sendable {
    /// The address as it was given.
    public let address: NetworkAddress
    /// The number of leading bits that belong to the network: 0 to 32, or 0 to 128.
    public let length: UInt8

    /// Creates a prefix; returns nil if the length exceeds the address's bits.
    public init?(_ address: NetworkAddress, length: UInt8) {
        guard length <= address.bitCount else { return nil }
        self.init(unchecked: address, length: length)
    }

    /// Creates the prefix that contains only this address.
    public init(host address: NetworkAddress) { self.init(unchecked: address, length: UInt8(address.bitCount)) }

    /// Reads `address/length`; without a length the prefix contains one host.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ NetworkAddress(String($0)) }), address.scope == 0 else { return nil }
        guard parts.count == 2 else {
            self.init(host: address)
            return
        }
        guard parts[1].allSatisfy(\.isNumber), let length = UInt8(parts[1]) else { return nil }
        self.init(address, length: length)
    }

    /// Returns `0.0.0.0/0` or `::/0`, which contain every address of the version.
    public static func all(_ version: NetworkAddress.Version) -> Self { Self(unchecked: .any(version), length: 0) }

    private init(unchecked address: NetworkAddress, length: UInt8) {
        self.address = address
        self.length = length
    }

    /// Returns whether an address is in this range; addresses of the other version never are.
    public func contains(_ other: NetworkAddress) -> Bool {
        guard other.version == address.version else { return false }
        let hostBits = address.bitCount - Int(length)
        return (address.bits ^ other.bits) >> hostBits == 0
    }

    /// The range with every bit after the prefix cleared: `192.0.2.0/24` for `192.0.2.7/24`.
    public var network: NetworkPrefix {
        let hostBits = address.bitCount - Int(length)
        let bits = (address.bits >> hostBits) << hostBits
        return NetworkPrefix(unchecked: NetworkAddress(version: address.version, bits: bits), length: length)
    }
}

extension NetworkPrefix: CustomStringConvertible {
    /// The prefix as text: `address/length`.
    public var description: String { "\(address)/\(length)" }
}

/// A link-layer address of 6 bytes, as Ethernet and Wi-Fi use them (EUI-48).
public struct MACAddress: Hashable, Sendable, CustomStringConvertible {
    private let number: UInt64

    /// Creates an address from its 6 bytes; returns nil for any other count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 6 else { return nil }
        number = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether every byte is 0, as on links that have no address.
    public var isZero: Bool { number == 0 }

    /// Six lower-case hexadecimal bytes, such as `00:00:5e:00:53:01`.
    public var description: String {
        stride(from: 40, through: 0, by: -8)
            .map { String(number >> $0 & 0xFF | 0x100, radix: 16).dropFirst() }.joined(separator: ":")
    }
}
