//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// An IPv4 or IPv6 address, without a scope.
///
/// ```swift
/// let router = InetAddress("192.0.2.1")
/// ```
public struct InetAddress: Hashable, Sendable {
    /// `.ipv4` or `.ipv6`.
    public let family: AddressFamily
    /// The address as a number, most significant byte first; an IPv4 address fills the low 32 bits.
    let number: UInt128

    init(family: AddressFamily, number: UInt128) {
        self.family = family
        self.number = number
    }

    /// The IPv4 address `a.b.c.d`.
    public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
        self.init(family: .ipv4, number: UInt128(a) << 24 | UInt128(b) << 16 | UInt128(c) << 8 | UInt128(d))
    }

    /// An address from its bytes in network order: 4 for IPv4, 16 for IPv6; any other count gives nil.
    public init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4: family = .ipv4
        case 16: family = .ipv6
        default: return nil
        }
        number = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// An address from its usual text: four decimal numbers, or RFC 4291 section 2.2.
    ///
    /// No scope, no port, no name.
    public init?(_ text: String) {
        guard let bytes = Libc.addressBytes(ofLiteral: text) else { return nil }
        self.init(bytes: bytes)
    }

    /// 4 or 16 bytes in network order.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        forEachByte { bytes.append($0) }
        return bytes
    }

    /// The bytes in network order, one after another.
    func forEachByte(_ body: (UInt8) -> Void) {
        for place in (0..<byteCount).reversed() { body(UInt8(truncatingIfNeeded: number >> UInt128(8 * place))) }
    }

    /// The address as a number, most significant byte first; an IPv4 address fills the low 32 bits.
    package var bits: UInt128 { number }

    /// The first of the bytes.
    package var firstByte: UInt8 { UInt8(truncatingIfNeeded: number >> UInt128(8 * (byteCount - 1))) }

    /// 4 or 16.
    public var byteCount: Int { family == .ipv4 ? 4 : 16 }

    /// 32 or 128.
    public var bitCount: Int { 8 * byteCount }

    /// The all-zero address of a family.
    public static func any(_ family: AddressFamily) -> Self {
        Self(family: family == .ipv6 ? .ipv6 : .ipv4, number: 0)
    }
}

extension InetAddress {
    /// Whether this is the all-zero address.
    public var isUnspecified: Bool { number == 0 }

    /// 127/8 (RFC 1122) or `::1` (RFC 4291).
    public var isLoopback: Bool { family == .ipv4 ? number >> 24 == 127 : number == 1 }

    /// 169.254/16 (RFC 3927) or `fe80::/10` (RFC 4291).
    public var isLinkLocal: Bool { family == .ipv4 ? number >> 16 == 0xA9FE : number >> 118 == 0x3FA }

    /// 224/4 (RFC 5771) or `ff00::/8` (RFC 4291).
    public var isMulticast: Bool { family == .ipv4 ? number >> 28 == 0xE : number >> 120 == 0xFF }

    /// The IPv4 address inside `::ffff:a.b.c.d` (RFC 4291 section 2.5.5.2), else nil.
    public var embeddedIPv4: InetAddress? {
        guard family == .ipv6, number >> 32 == 0xFFFF else { return nil }
        return InetAddress(family: .ipv4, number: number & 0xFFFF_FFFF)
    }
}

extension InetAddress: CustomStringConvertible {
    /// The usual text: dotted decimal, or RFC 5952's form.
    public var description: String { Libc.literal(ofAddressBytes: bytes) }
}
