// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import LibC
import Netlink
import SystemSupport

/// A non-blocking stream to another program on this machine: unix(7).
struct UnixStream: ~Copyable {
    private let descriptor: Descriptor

    /// Connects; nil if no server is listening, or it cannot accept a connection right now.
    init?(_ address: BusAddress) {
        guard !address.socketName.isEmpty,
            let descriptor = try? Sockets.openStream(toUnixSocket: address.socketName)
        else { return nil }
        self.descriptor = descriptor
    }

    /// The file descriptor for poll(2).
    var number: Int32 { descriptor.number }

    /// The user ID that the peer sees.
    static var userIdentifier: UInt32 { geteuid() }

    /// Returns the bytes received; nil if none are available.
    ///
    /// - Throws: `closed` if the peer has closed the stream.
    func read() throws(BusError) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16384)
        let count: Int?
        do { count = try Sockets.receiveBytes(descriptor, into: &buffer) } catch { throw .closed }
        guard count != 0 else { throw .closed }
        return count.map { Array(buffer.prefix($0)) }
    }

    /// Sends as many bytes as fit.
    ///
    /// - Returns: the number of bytes sent.
    /// - Throws: `closed` if the peer has closed the stream.
    func write(_ bytes: [UInt8]) throws(BusError) -> Int {
        guard !bytes.isEmpty else { return 0 }
        do { return try Sockets.sendBytes(descriptor, bytes[...]) ?? 0 } catch { throw .closed }
    }
}
#endif
