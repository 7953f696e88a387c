//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemResolution

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

extension Sockets {
    /// Gives the address in the form that socket calls want.
    static func withAddress<Value>(
        _ host: HostAddress, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value where Value: SignedInteger {
        var storage = sockaddr_storage()
        let length: Int
        if host.version == .ipv4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: host.bytes) }
            length = MemoryLayout<sockaddr_in>.size
            withUnsafeMutableBytes(of: &storage) { target in
                withUnsafeBytes(of: &address) { target.copyMemory(from: $0) }
            }
        } else {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = host.scope
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: host.bytes) }
            length = MemoryLayout<sockaddr_in6>.size
            withUnsafeMutableBytes(of: &storage) { target in
                withUnsafeBytes(of: &address) { target.copyMemory(from: $0) }
            }
        }
        return withUnsafeBytes(of: &storage) { bytes in
            guard let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return -1 }
            return body(pointer, socklen_t(length))
        }
    }

    /// Reads an address that the system gave; nil when it belongs to neither version of the Internet Protocol.
    static func host(_ address: UnsafePointer<sockaddr>) -> HostAddress? {
        ResolvedAddress(address).flatMap { HostAddress($0) }
    }

    /// The addresses of an interface, of one version.
    static func addresses(ofInterface name: String, _ version: IPVersion) -> [HostAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [HostAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard String(cString: entry.ifa_name) == name, let address = entry.ifa_addr,
                let host = host(address), host.version == version
            else { continue }
            found.append(host)
        }
        return found
    }
}

extension HostAddress {
    /// An address that the system gave.
    init?(_ address: ResolvedAddress) { self.init(bytes: address.bytes, scope: address.scope) }
}
