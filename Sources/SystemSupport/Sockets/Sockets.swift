// SPDX-License-Identifier: Apache-2.0

import LibC
package import NetworkModel

#if !canImport(Darwin)
import CLinux
#endif

/// Wraps each socket call of this module once: sockets do not block, are not inherited by programs, and do not raise
/// SIGPIPE.
package enum Sockets {
    package enum Kind: Sendable { case stream, datagram }

    package static func openSocket(
        _ version: IPVersion, _ kind: Kind, protocol: Int32 = 0
    ) throws(SystemError) -> Descriptor {
        try openSocket(ofFamily: version == .ipv4 ? AF_INET : AF_INET6, kind, protocol: `protocol`)
    }

    static func openSocket(
        ofFamily family: Int32, _ kind: Kind, protocol: Int32 = 0
    ) throws(SystemError) -> Descriptor {
        try prepared(try SystemCall.check { socket(family, SocketConstant.newSocket(kind), `protocol`) })
    }

    /// Creates two sockets that are connected to each other.
    package static func connectedPair() throws(SystemError) -> (Descriptor, Descriptor) {
        var numbers: [Int32] = [-1, -1]
        _ = try SystemCall.check { unsafe socketpair(AF_UNIX, SocketConstant.newSocket(.stream), 0, &numbers) }
        return (try prepared(numbers[0]), try prepared(numbers[1]))
    }

    /// Starts a connection, which is established once the socket is writable.
    package static func startConnecting(
        _ descriptor: Descriptor, to host: NetworkAddress, port: UInt16
    ) throws(SystemError) {
        do {
            _ = try SystemCall.check { unsafe withAddress(host, port) { unsafe connect(descriptor.number, $0, $1) } }
        } catch let error where error.number == EINPROGRESS {
            return
        }
    }

    package static func bindSocket(
        _ descriptor: Descriptor, to host: NetworkAddress, port: UInt16
    ) throws(SystemError) {
        _ = try SystemCall.check { unsafe withAddress(host, port) { unsafe bind(descriptor.number, $0, $1) } }
    }

    package static func startListening(_ descriptor: Descriptor, backlog: Int32) throws(SystemError) {
        _ = try SystemCall.check { listen(descriptor.number, backlog) }
    }

    /// Accepts a pending connection; nil if none is pending.
    package static func acceptConnection(_ descriptor: Descriptor) throws(SystemError) -> Descriptor? {
        do {
            #if canImport(Darwin)
            return try prepared(try SystemCall.check { accept(descriptor.number, nil, nil) })
            #else
            return try prepared(try SystemCall.check { CLinux_accept(descriptor.number) })
            #endif
        } catch let error where [EAGAIN, ECONNABORTED].contains(error.number) {
            return nil
        }
    }

    /// Ends both directions; a listening socket refuses connections until it listens again.
    package static func endBothWays(_ descriptor: Descriptor) {
        _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
    }

    /// Receives available bytes, and returns their number: 0 if the other side has closed, nil if no bytes are
    /// available yet.
    package static func receiveBytes(_ descriptor: Descriptor, into buffer: inout [UInt8]) throws(SystemError) -> Int? {
        try SystemCall.attempt { unsafe recv(descriptor.number, &buffer, buffer.count, 0) }
    }

    /// Sends as many bytes as the buffer accepts, and returns their number; nil if it accepts none yet.
    package static func sendBytes(_ descriptor: Descriptor, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int? {
        try SystemCall.attempt {
            unsafe bytes.withUnsafeBytes {
                unsafe send(descriptor.number, $0.baseAddress, $0.count, SocketConstant.noSignal)
            }
        }
    }

    /// The error of a failed connection attempt; nil if the connection is established.
    package static func pendingFailure(_ descriptor: Descriptor) -> SystemError? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &value, &length) == 0 else {
            return SystemError(errno)
        }
        return value == 0 ? nil : SystemError(value)
    }

    package static func setOption(
        _ descriptor: Descriptor, _ level: Int32, _ option: Int32, _ value: Int32
    ) throws(SystemError) {
        var value = value
        _ = try SystemCall.check {
            unsafe setsockopt(descriptor.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    package static func allowReuse(_ descriptor: Descriptor) throws(SystemError) {
        try setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    }

    /// Makes closing the socket reset the connection instead of ending it.
    package static func resetOnClose(_ descriptor: Descriptor) {
        var value = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor.number, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
    }

    #if !canImport(Darwin)
    /// Restricts the socket to one interface with `SO_BINDTODEVICE`, which kernels before 5.7 allow only root to use.
    package static func bindToInterface(_ descriptor: Descriptor, named name: String) throws(SystemError) {
        _ = try SystemCall.check {
            unsafe setsockopt(descriptor.number, SOL_SOCKET, SO_BINDTODEVICE, name, socklen_t(name.utf8.count))
        }
    }
    #endif

    /// The socket's own port.
    package static func port(_ descriptor: Descriptor) throws(SystemError) -> UInt16 {
        // The port directly follows the family in the addresses of both versions.
        try unsafe withOwnName(descriptor) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
    }

    /// The address that the socket sends from; nil if it is neither bound nor connected.
    package static func ownAddress(_ descriptor: Descriptor) throws(SystemError) -> NetworkAddress? {
        try unsafe withOwnName(descriptor) { bytes in
            unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.flatMap { unsafe NetworkAddress($0) }
        }
    }

    private static func withOwnName<Value>(
        _ descriptor: Descriptor, _ body: (UnsafeRawBufferPointer) -> Value
    ) throws(SystemError) -> Value {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        _ = try SystemCall.check {
            unsafe withUnsafeMutableBytes(of: &storage) {
                unsafe getsockname(descriptor.number, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
            }
        }
        return unsafe withUnsafeBytes(of: &storage) { unsafe body($0) }
    }

    /// Sets the flags of a new socket on Apple's platforms; on others the call that creates it has set them.
    private static func prepared(_ number: Int32) throws(SystemError) -> Descriptor {
        let descriptor = Descriptor(number)
        #if canImport(Darwin)
        let flags = try SystemCall.check { fcntl(number, F_GETFL, 0) }
        _ = try SystemCall.check { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
        _ = try SystemCall.check { fcntl(number, F_SETFD, FD_CLOEXEC) }
        try setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        return descriptor
    }
}

/// Constants whose Swift types differ between C libraries.
enum SocketConstant {
    static func type(_ kind: Sockets.Kind) -> Int32 {
        #if canImport(Glibc)
        Int32((kind == .stream ? SOCK_STREAM : SOCK_DGRAM).rawValue)
        #else
        kind == .stream ? SOCK_STREAM : SOCK_DGRAM
        #endif
    }

    /// The type of a new socket, with its flags where the kernel accepts them here: a program that another thread starts at the
    /// same time must not inherit the socket.
    static func newSocket(_ kind: Sockets.Kind) -> Int32 {
        #if canImport(Glibc)
        type(kind) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        #elseif canImport(Darwin)
        type(kind)
        #else
        type(kind) | SOCK_CLOEXEC | SOCK_NONBLOCK
        #endif
    }

    /// A flag that keeps a send on a closed connection from raising SIGPIPE; platforms without it use a socket option.
    static var noSignal: Int32 {
        #if canImport(Darwin)
        0
        #else
        Int32(MSG_NOSIGNAL)
        #endif
    }
}
