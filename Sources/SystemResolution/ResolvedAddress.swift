//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Android)
package import Android
#elseif canImport(Darwin)
package import Darwin
#endif

/// The host's part of a socket address of C.
package struct ResolvedAddress: Hashable, Sendable {
    /// The bytes in network order: 4 for IPv4, 16 for IPv6.
    package let bytes: [UInt8]
    /// The index of the interface that an IPv6 address belongs to; 0 is none.
    package let scope: UInt32

    /// Reads an address; nil when it is neither IPv4 nor IPv6.
    ///
    /// Linux's addresses do not carry their length: as many bytes are read as the family has.
    package init?(_ pointer: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(pointer)
        let place = MemoryLayout<sockaddr>.offset(of: \.sa_family) ?? 0
        switch Int32(raw.loadUnaligned(fromByteOffset: place, as: sa_family_t.self)) {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self)
            bytes = withUnsafeBytes(of: address.sin_addr) { Array($0) }
            scope = 0
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self)
            bytes = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
            scope = address.sin6_scope_id
        default: return nil
        }
    }
}
