//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A version of the Internet Protocol.
public enum IPVersion: String, Hashable, Sendable, CaseIterable {
    /// IPv4: addresses of 4 bytes.
    case ipv4
    /// IPv6: addresses of 16 bytes.
    case ipv6
}

/// A numeric address of a host, as name resolution gives it.
public struct HostAddress: Hashable, Sendable {
    /// The bytes in network order: 4 for IPv4, 16 for IPv6.
    public let bytes: [UInt8]
    /// The index of the interface that a link-local IPv6 address belongs to (RFC 4007); 0 is none.
    public let scope: UInt32

    /// Makes an address from its bytes; nil unless there are 4 or 16.
    public init?(bytes: [UInt8], scope: UInt32 = 0) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
        self.scope = scope
    }

    /// Reads a numeric address such as `192.0.2.1`, `2001:db8::1` or `fe80::1%eth0`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let literal = parts.first.map(String.init), !text.utf8.contains(0) else { return nil }
        let isIPv6 = literal.utf8.contains(UInt8(ascii: ":"))
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, literal, &bytes) == 1 else { return nil }
        var scope: UInt32 = 0
        if parts.count == 2 {
            guard isIPv6 else { return nil }
            scope = UInt32(parts[1]) ?? if_nametoindex(String(parts[1]))
            guard scope != 0 else { return nil }
        }
        self.bytes = bytes
        self.scope = scope
    }

    /// The version of the Internet Protocol that the address belongs to.
    public var version: IPVersion { bytes.count == 4 ? .ipv4 : .ipv6 }
}

extension HostAddress: CustomStringConvertible {
    /// The shortest text form, with `%` and the interface's index where there is a scope.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = version == .ipv4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        let literal = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return scope == 0 ? literal : "\(literal)%\(scope)"
    }
}

extension HostAddress {
    /// Whether the address cannot belong to a host of the public Internet: private, shared, loopback, link-local, none.
    ///
    /// The ranges are those of the IANA special-purpose registries (RFC 6890) that a forged answer would use. Not among
    /// them are 198.18.0.0/15 and fc00::/18: transparent proxies hand these out for public names on purpose.
    public var isPrivate: Bool {
        if version == .ipv4 { return Self.isPrivate(ipv4: bytes[...]) }
        if isMapped { return Self.isPrivate(ipv4: bytes[12...]) }
        let isNoneOrLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
        let isUniqueLocal = bytes[0] & 0xfe == 0xfc && !(bytes[0] == 0xfc && bytes[1] == 0 && bytes[2] < 0x40)
        let isLinkLocal = bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
        return isNoneOrLoopback || isUniqueLocal || isLinkLocal
    }

    /// Whether connections to the address end at this machine: loopback, or none, which the kernel takes for loopback.
    var leadsHere: Bool {
        guard isMapped, let mapped = HostAddress(bytes: Array(bytes[12...])) else { return isLoopback || isUnspecified }
        return mapped.isLoopback || mapped.isUnspecified
    }

    /// Whether it is an IPv4 address in the form of an IPv6 one (RFC 4291, section 2.5.5.2).
    private var isMapped: Bool { bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] }

    private static func isPrivate(ipv4: ArraySlice<UInt8>) -> Bool {
        let first = ipv4[ipv4.startIndex]
        let second = ipv4[ipv4.startIndex + 1]
        return switch first {
        case 0, 10, 127: true
        case 100: second & 0xc0 == 64
        case 169: second == 254
        case 172: second & 0xf0 == 16
        case 192: second == 168
        default: false
        }
    }
}
