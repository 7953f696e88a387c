// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import LibC
import Netlink

/// Parses names that are numeric addresses, as configd does: IPv4 in the lenient format of inet_aton(3), then IPv6 with
/// an optional scope.
enum NumericHost {
    static func parse(_ text: String) -> NetworkAddress? {
        ipv4(text) ?? ipv6(text)
    }

    /// Parses one to four numbers as IPv4.
    ///
    /// Each is decimal, octal (`010`) or hexadecimal (`0x8`); the last one fills the remaining bytes.
    ///
    /// Text after the first blank is ignored, as in every inet_aton(3).
    static func ipv4(_ text: String) -> NetworkAddress? {
        let word = text.utf8.prefix { ![0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains($0) }
        let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var value: UInt32 = 0
        for (place, part) in parts.enumerated() {
            guard let number = number(part) else { return nil }
            let isLast = place == parts.count - 1
            let freeBits = isLast ? 8 * (4 - place) : 8
            guard freeBits == 32 || number < 1 << UInt32(freeBits) else { return nil }
            value |= isLast ? number : number << UInt32(24 - 8 * place)
        }
        return NetworkAddress(bytes: (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) })
    }

    private static func number(_ digits: Substring.UTF8View) -> UInt32? {
        var digits = digits
        var base = 10
        if digits.first == UInt8(ascii: "0"), digits.count > 1 {
            digits = digits.dropFirst()
            base = 8
            if digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X") {
                digits = digits.dropFirst()
                base = 16
            }
        }
        // A sign is not a digit.
        guard let first = digits.first, Character(Unicode.Scalar(first)).isHexDigit else { return nil }
        return UInt32(Substring(digits), radix: base)
    }

    private static func ipv6(_ text: String) -> NetworkAddress? {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ NetworkAddress(String($0)) }), address.version == .ipv6 else {
            return nil
        }
        guard parts.count == 2 else { return NetworkAddress(target: address) }
        return scope(parts[1]).map {
            address.embeddedIPv4 ?? NetworkAddress(version: .ipv6, bits: address.bits, scope: $0)
        }
    }

    /// Returns the index of a link from its name or digits.
    private static func scope(_ word: Substring) -> UInt32? {
        if let index = InterfaceNames.index(of: String(word)) { return index }
        guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int32(word), number > 0 else {
            return nil
        }
        return UInt32(number)
    }
}

/// A host name exactly as it was given: any bytes except NUL, validated only by the resolver.
package struct RawHostName: Hashable, Sendable {
    /// The name with its terminating NUL.
    let cString: [CChar]

    /// Creates a name from a C string, up to its NUL.
    init(_ name: UnsafePointer<CChar>) {
        cString = unsafe Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
    }

    package init(_ name: String) {
        cString = name.utf8CString.prefix { $0 != 0 } + [0]
    }

    /// The name as text; bytes that are not UTF-8 are replaced.
    var text: String { String(decoding: cString.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }

    /// The addresses of names that need no resolver: `localhost` and its subdomains mean this host (RFC 6761 section
    /// 6.3).
    var wellKnownAddresses: [NetworkAddress]? {
        let name = text.lowercased()
        let trimmed = name.hasSuffix(".") ? name.dropLast() : name[...]
        guard trimmed == "localhost" || trimmed.hasSuffix(".localhost") else { return nil }
        return NetworkAddress.loopbacks.reversed()
    }
}

#endif
