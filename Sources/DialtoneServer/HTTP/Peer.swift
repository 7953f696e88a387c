// SPDX-License-Identifier: Apache-2.0

import Dialtone

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A client as the per-client limits count it: an IPv4 address, or the /64 network of an IPv6 address.
///
/// One subscriber owns all addresses of such a network.
struct Peer: Hashable, Sendable {
    private let network: [UInt8]
    /// Whether the client runs on this machine.
    let isLoopback: Bool

    init(_ address: NetworkAddress) {
        let isMapped = address.bytes.count == 16 && address.bytes.starts(with: Self.mappedPrefix)
        network = isMapped ? Array(address.bytes.suffix(4)) : Array(address.bytes.prefix(8))
        isLoopback = ListenAddress(address, port: 0).isLoopback
    }

    /// The client at the other end of a connected socket; nil if the system does not know its address.
    init?(of descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let bytes: [UInt8]? = withUnsafeMutablePointer(to: &storage) { pointer in
            let result = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(descriptor, $0, &length)
            }
            guard result == 0 else { return nil }
            return switch Int32(pointer.pointee.ss_family) {
            case AF_INET:
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { place in
                    withUnsafeBytes(of: place.pointee.sin_addr) { Array($0) }
                }
            case AF_INET6:
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { place in
                    withUnsafeBytes(of: place.pointee.sin6_addr) { Array($0) }
                }
            default: nil
            }
        }
        guard let bytes, let address = NetworkAddress(bytes: bytes) else { return nil }
        self.init(address)
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}
