// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

public import Foundation

// Apple's socket addresses begin with their length; Linux's do not. Here the length follows from the family, and
// setting it has no effect.

/// Returns the length of an address of a family; that of the plain structure if the family has no specific one.
private func length(ofFamily family: sa_family_t) -> UInt8 {
    switch Int32(family) {
    case AF_INET6: UInt8(MemoryLayout<sockaddr_in6>.size)
    default: UInt8(MemoryLayout<sockaddr_in>.size)
    }
}

extension sockaddr {
    /// The address's length: 28 for IPv6, 16 for any other family.
    public var sa_len: UInt8 {
        get { length(ofFamily: sa_family) }
        set {}
    }

    /// Creates an address with the parameters of Apple's structure; the length is ignored.
    public init(
        sa_len: UInt8, sa_family: sa_family_t,
        sa_data: (
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar
        )
    ) {
        self.init(sa_family: sa_family, sa_data: sa_data)
    }
}

extension sockaddr_in {
    /// The address's length: 16.
    public var sin_len: UInt8 {
        get { UInt8(MemoryLayout<sockaddr_in>.size) }
        set {}
    }

    /// Creates an IPv4 address with the parameters of Apple's structure; the length is ignored.
    public init(
        sin_len: UInt8, sin_family: sa_family_t, sin_port: in_port_t, sin_addr: in_addr,
        sin_zero: (CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar)
    ) {
        self.init()
        self.sin_family = sin_family
        self.sin_port = sin_port
        self.sin_addr = sin_addr
    }
}

extension sockaddr_in6 {
    /// The address's length: 28.
    public var sin6_len: UInt8 {
        get { UInt8(MemoryLayout<sockaddr_in6>.size) }
        set {}
    }

    /// Creates an IPv6 address with the parameters of Apple's structure; the length is ignored.
    public init(
        sin6_len: UInt8, sin6_family: sa_family_t, sin6_port: in_port_t, sin6_flowinfo: UInt32, sin6_addr: in6_addr,
        sin6_scope_id: UInt32
    ) {
        self.init(
            sin6_family: sin6_family, sin6_port: sin6_port, sin6_flowinfo: sin6_flowinfo, sin6_addr: sin6_addr,
            sin6_scope_id: sin6_scope_id)
    }
}

extension sockaddr_storage {
    /// The length of the address it contains: 28 for IPv6, 16 for any other family.
    public var ss_len: UInt8 {
        get { length(ofFamily: ss_family) }
        set {}
    }
}

#endif
