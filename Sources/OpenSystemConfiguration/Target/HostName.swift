//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Netlink

/// A host's name as it was given: any bytes but NUL, checked by nobody but the resolver.
package struct HostName: Hashable, Sendable {
    /// The name with the NUL that ends it.
    let cString: [CChar]

    /// Makes a name of C's bytes, up to their NUL.
    init(_ name: UnsafePointer<CChar>) {
        var end = 0
        while name[end] != 0 { end += 1 }
        cString = Array(UnsafeBufferPointer(start: name, count: end + 1))
    }

    package init(_ name: String) {
        self = name.withCString(HostName.init)
    }

    /// The name as text, repaired where it is not UTF-8.
    package var text: String { String(decoding: cString.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }

    /// The addresses that need no resolver: `localhost` and what ends in it is this host (RFC 6761 section 6.3).
    var wellKnownAddresses: [HostAddress]? {
        let name = text.lowercased()
        let trimmed = name.hasSuffix(".") ? name.dropLast() : name[...]
        guard trimmed == "localhost" || trimmed.hasSuffix(".localhost") else { return nil }
        return [InetAddress(127, 0, 0, 1), InetAddress("::1")].compactMap { $0.map { HostAddress($0) } }
    }
}

#endif
