// SPDX-License-Identifier: Apache-2.0

#if !os(watchOS)

/// Calls a closure with the socket address of an IP address, port 0; nil if the address has neither 4 nor 16 bytes.
func withSocketAddress<Value>(_ address: any IPAddress, _ body: (UnsafePointer<sockaddr>) -> Value?) -> Value? {
    var storage = sockaddr_storage()
    let bytes = address.rawValue
    return withUnsafeMutableBytes(of: &storage) { raw in
        // The storage is aligned for every socket address, and larger than each.
        guard let start = raw.baseAddress else { return nil }
        switch bytes.count {
        case 4:
            let ipv4 = start.bindMemory(to: sockaddr_in.self, capacity: 1)
            #if canImport(Darwin)
            ipv4.pointee.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
            #endif
            ipv4.pointee.sin_family = sa_family_t(AF_INET)
            withUnsafeMutableBytes(of: &ipv4.pointee.sin_addr) { $0.copyBytes(from: bytes) }
        case 16:
            let ipv6 = start.bindMemory(to: sockaddr_in6.self, capacity: 1)
            #if canImport(Darwin)
            ipv6.pointee.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
            #endif
            ipv6.pointee.sin6_family = sa_family_t(AF_INET6)
            ipv6.pointee.sin6_scope_id = UInt32(address.interface?.index ?? 0)
            withUnsafeMutableBytes(of: &ipv6.pointee.sin6_addr) { $0.copyBytes(from: bytes) }
        default: return nil
        }
        return body(UnsafePointer(start.assumingMemoryBound(to: sockaddr.self)))
    }
}

#endif
