// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import CLinux
import LibC
import Netlink
import SystemSupport

/// A non-blocking stream to another program on this machine: unix(7).
struct UnixStream: ~Copyable {
    private let descriptor: Descriptor

    /// Connects; nil if no server is listening, or it cannot accept a connection right now.
    init?(_ address: BusAddress) {
        let name = address.socketName.map(CChar.init(bitPattern:))
        guard !name.isEmpty else { return nil }
        let number = CLinux_connectStream(name, name.count)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(number)
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
        let count = recv(descriptor.number, &buffer, buffer.count, CLinux_MSG_DONTWAIT)
        if count > 0 { return Array(buffer.prefix(count)) }
        guard count < 0, errno == EAGAIN || errno == EINTR else { throw .closed }
        return nil
    }

    /// Sends as many bytes as fit.
    ///
    /// - Returns: the number of bytes sent.
    /// - Throws: `closed` if the peer has closed the stream.
    func write(_ bytes: [UInt8]) throws(BusError) -> Int {
        guard !bytes.isEmpty else { return 0 }
        let count = send(descriptor.number, bytes, bytes.count, CLinux_MSG_DONTWAIT | CLinux_MSG_NOSIGNAL)
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw .closed }
        return 0
    }
}
#endif
