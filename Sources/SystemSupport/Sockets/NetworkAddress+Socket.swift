// SPDX-License-Identifier: Apache-2.0

package import NetworkModel

#if canImport(Darwin)
package import Darwin
#else
package import LibC
#endif

extension NetworkAddress {
    /// Reads the address in a socket address of C; returns nil if it is neither IPv4 nor IPv6.
    ///
    /// Linux's addresses do not carry their length: the size is that of the family.
    package init?(_ pointer: UnsafePointer<sockaddr>) {
        let raw = unsafe UnsafeRawPointer(pointer)
        let place = MemoryLayout<sockaddr>.offset(of: \.sa_family) ?? 0
        switch unsafe Int32(raw.loadUnaligned(fromByteOffset: place, as: sa_family_t.self)) {
        case AF_INET:
            let address = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            self.init(version: .ipv4, bits: AddressBits(UInt32(bigEndian: address.sin_addr.s_addr)))
        case AF_INET6:
            let address = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
            let bits = unsafe withUnsafeBytes(of: address.sin6_addr) {
                unsafe AddressBits(bytes: $0)
            }
            self.init(version: .ipv6, bits: bits, scope: address.sin6_scope_id)
        default: return nil
        }
    }
}
