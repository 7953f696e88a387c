// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import LibC
import Netlink

/// Parses names that are numeric addresses, as configd does: IPv4 in the lenient format of inet_aton(3), then IPv6 with
/// an optional scope.
enum NumericHost {
    static func parse(_ text: String) -> NetworkAddress? {
        // Text after the first blank is ignored, as in every inet_aton(3).
        let word = text.utf8.prefix { ![0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains($0) }
        let address = NetworkAddress(lenientIPv4: Substring(word)) ?? ipv6(text)
        return address.map { $0.embeddedIPv4 ?? $0 }
    }

    private static func ipv6(_ text: String) -> NetworkAddress? {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        // A link's name may be a number, which is not an index then.
        let index = parts.count == 2 ? InterfaceNames.index(of: String(parts[1])) : nil
        let address = NetworkAddress(index.map { "\(parts[0])%\($0)" } ?? text)
        // The kernel's indices are positive numbers of 32 bits with a sign.
        return address.flatMap { $0.scope <= Int32.max ? $0 : nil }
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
