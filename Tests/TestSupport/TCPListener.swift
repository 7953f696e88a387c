// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
public import NetlinkTesting
import SystemSupport

/// A TCP server that accepts connections, as long as it exists, and sends nothing.
public final class TCPListener: Sendable {
    /// The port.
    public let port: UInt16
    private let socket: Descriptor

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - address: an IPv4 or IPv6 address as text.
    ///   - port: the port; 0 lets the kernel choose.
    ///   - namespace: the network namespace; nil is the calling thread's.
    public init(_ address: String, port: UInt16 = 0, in namespace: NetworkNamespace? = nil) throws {
        socket = try namespace?.run { try Self.open(address, port) } ?? Self.open(address, port)
        var name = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &name) { [socket] pointer in
            // Both families have the port at the same offset.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.number, $0, &size) }
        }
        self.port = result == 0 ? UInt16(bigEndian: name.sin6_port) : port
    }

    /// Accepts connections on a separate thread, one at a time, as long as this object exists.
    ///
    /// - Parameter body: handles a connection, and closes it.
    public func serve(_ body: @escaping @Sendable (Int32) -> Void) {
        Thread.detachNewThread { [socket] in
            while true {
                let connection = accept(socket.number, nil, nil)
                if connection < 0 && errno != EINTR && errno != ECONNABORTED { return }
                if connection >= 0 { body(connection) }
            }
        }
    }

    deinit { shutdown(socket.number, Int32(SHUT_RDWR)) }

    private static func open(_ address: String, _ port: UInt16) throws -> Descriptor {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(address, "\(port)", &hints, &list)
        defer { list.map { freeaddrinfo($0) } }
        guard result == 0, let entry = list?.pointee else { throw POSIXError(.EINVAL) }
        let socket = Descriptor(
            Glibc.socket(entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0))
        guard socket.number >= 0 else { throw failure }
        var on: Int32 = 1
        setsockopt(socket.number, SOL_SOCKET, Int32(SO_REUSEADDR), &on, socklen_t(MemoryLayout<Int32>.size))
        guard bind(socket.number, entry.ai_addr, entry.ai_addrlen) == 0, listen(socket.number, 64) == 0 else {
            throw failure
        }
        return socket
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
#endif
