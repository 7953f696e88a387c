// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Netlink

/// A host name exactly as it was given: any bytes except NUL, validated only by the resolver.
package struct RawHostName: Hashable, Sendable {
    /// The name with its terminating NUL.
    let cString: [CChar]

    /// Creates a name from a C string, up to its NUL.
    init(_ name: UnsafePointer<CChar>) {
        var end = 0
        while name[end] != 0 { end += 1 }
        cString = Array(UnsafeBufferPointer(start: name, count: end + 1))
    }

    package init(_ name: String) {
        self = name.withCString(RawHostName.init)
    }

    /// The name as text; bytes that are not UTF-8 are replaced.
    package var text: String { String(decoding: cString.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }

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
