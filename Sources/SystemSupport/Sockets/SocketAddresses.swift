// SPDX-License-Identifier: Apache-2.0

package import NetworkModel

#if canImport(Darwin)
package import Darwin
#else
package import LibC
#endif

extension Sockets {
    /// Passes the address in the form that socket calls require.
    package static func withAddress<Value>(
        _ host: NetworkAddress, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        if host.version == .ipv4 {
            var address = sockaddr_in()
            #if canImport(Darwin)
            address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
            #endif
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(truncatingIfNeeded: host.bits.low).bigEndian
            return unsafe pass(address, length: MemoryLayout<sockaddr_in>.size, body)
        }
        var address = sockaddr_in6()
        #if canImport(Darwin)
        address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
        #endif
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_scope_id = host.scope
        unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: host.bytes) }
        return unsafe pass(address, length: MemoryLayout<sockaddr_in6>.size, body)
    }

    /// Passes a socket address of any family.
    static func pass<Address, Value>(
        _ address: Address, length: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, socklen_t(length)) }
        }
    }

    /// The addresses of an interface, for one IP version.
    package static func addresses(ofInterface name: String, _ version: IPVersion) -> [NetworkAddress] {
        interfaceAddresses(version).filter { $0.interface == name }.map(\.address)
    }

    /// The addresses of all interfaces, for one IP version.
    package static func interfaceAddresses(_ version: IPVersion) -> [(interface: String, address: NetworkAddress)] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var found: [(String, NetworkAddress)] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            unsafe next = unsafe entry.ifa_next
            guard let address = unsafe entry.ifa_addr, let host = unsafe NetworkAddress(address),
                host.version == version
            else {
                continue
            }
            unsafe found.append((String(cString: entry.ifa_name), host))
        }
        return found
    }
}
