// SPDX-License-Identifier: Apache-2.0

package import LibC
package import NetworkModel

extension Sockets {
    /// Passes the address in the form that socket calls require.
    package static func withAddress<Value>(
        _ host: NetworkAddress, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value where Value: SignedInteger {
        func pass(_ address: some Any) -> Value {
            withUnsafeBytes(of: address) { bytes in
                guard let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return -1 }
                return body(pointer, socklen_t(bytes.count))
            }
        }
        if host.version == .ipv4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: host.bytes) }
            return pass(address)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_scope_id = host.scope
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: host.bytes) }
        return pass(address)
    }

    /// The address of the peer of a connected socket; nil if the system does not know it, or it is not one of IP.
    package static func peer(_ number: Int32) -> NetworkAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                getpeername(number, address, &length) == 0
            else { return nil }
            return NetworkAddress(address)
        }
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
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [(String, NetworkAddress)] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, let host = NetworkAddress(address), host.version == version else {
                continue
            }
            found.append((String(cString: entry.ifa_name), host))
        }
        return found
    }
}
