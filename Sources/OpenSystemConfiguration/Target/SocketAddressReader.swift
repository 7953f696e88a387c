//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif
import Netlink

/// Reads socket addresses of C.
enum SocketAddressReader {
    /// The address behind a pointer; nil when it is neither IPv4 nor IPv6.
    ///
    /// Linux's addresses do not carry their length: as many bytes are read as the family has.
    static func read(_ pointer: UnsafePointer<sockaddr>) -> HostAddress? {
        let raw = UnsafeRawPointer(pointer)
        switch Int32(raw.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self)
            return withUnsafeBytes(of: address.sin_addr) { InetAddress(bytes: $0) }.map { HostAddress($0) }
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self)
            let scope = address.sin6_scope_id == 0 ? nil : Int32(exactly: address.sin6_scope_id)
            return withUnsafeBytes(of: address.sin6_addr) { InetAddress(bytes: $0) }
                .map { HostAddress($0, scope: $0.isLinkLocal ? scope : nil) }
        default: return nil
        }
    }
}

#endif
