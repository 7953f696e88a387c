// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import SystemSupport

/// A raw connection to a server, as an untrusted client would use it.
///
/// Reads run on separate threads, so that tests never block the server.
final class RawClient: Sendable {
    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    private let socket: Descriptor
    private let buffer = Mutex([UInt8]())

    /// Connects to a port of an IPv4 address.
    ///
    /// - Parameter receiveBuffer: the size of this end's receive buffer in the kernel, in bytes.
    init(_ port: UInt16, at host: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
        #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
        #else
        let type = SOCK_STREAM
        #endif
        socket = Descriptor(Foundation.socket(AF_INET, type, 0))
        guard socket.number >= 0 else { throw Trouble(description: "socket: \(errno)") }
        if var size = receiveBuffer {
            setsockopt(socket.number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        // A test that receives nothing, or cannot send, fails instead of hanging.
        var time = timeval(tv_sec: 180, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket.number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Trouble(description: "connect: \(String(cString: strerror(errno)))") }
    }

    /// The number of the socket, as long as this client exists.
    var descriptor: Int32 { socket.number }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Trouble(description: "send: \(errno)") }
            offset += count
        }
    }

    /// Reads until a text arrives, and returns everything up to its end.
    func read(until text: String) async throws -> String {
        try await Self.onThread { [self] in
            while true {
                let found = buffer.withLock { buffer -> String? in
                    let all = String(decoding: buffer, as: UTF8.self)
                    guard let range = all.range(of: text) else { return nil }
                    let taken = String(all[..<range.upperBound])
                    buffer.removeFirst(taken.utf8.count)
                    return taken
                }
                if let found { return found }
                guard try fill() else {
                    let rest = buffer.withLock { String(decoding: $0, as: UTF8.self) }
                    throw Trouble(description: "the end came before '\(text)', after: \(rest.suffix(400))")
                }
            }
        }
    }

    /// Reads to the end of the connection.
    func readToEnd() async throws -> String {
        try await Self.onThread { [self] in
            while try fill() {}
            return buffer.withLock { buffer in
                defer { buffer = [] }
                return String(decoding: buffer, as: UTF8.self)
            }
        }
    }

    private func fill() throws -> Bool {
        let bytes = try receive()
        buffer.withLock { $0 += bytes }
        return !bytes.isEmpty
    }

    /// Receives the next bytes on the calling thread; none at the end of the connection.
    func receive() throws -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count < 0, errno == ECONNRESET { return [] }
        guard count >= 0 else { throw Trouble(description: "nothing came: \(errno)") }
        return Array(chunk[..<count])
    }

    static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
