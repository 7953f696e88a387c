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
    ) -> Value where Value: SignedInteger {
        func pass(_ address: some Any) -> Value {
            unsafe withUnsafeBytes(of: address) { bytes in
                guard let pointer = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return -1 }
                return unsafe body(pointer, socklen_t(bytes.count))
            }
        }
        if host.version == .ipv4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: host.bytes) }
            return pass(address)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_scope_id = host.scope
        unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: host.bytes) }
        return pass(address)
    }

    /// The addresses of an interface, for one IP version.
    package static func addresses(ofInterface name: String, _ version: IPVersion) -> [NetworkAddress] {
        interfaceAddresses(version).filter { $0.interface == name }.map(\.address)
    }

    /// The addresses of all interfaces, for one IP version.
    package static func interfaceAddresses(
        _ version: IPVersion
    ) -> [(interface: String, address: NetworkAddress)] {
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
