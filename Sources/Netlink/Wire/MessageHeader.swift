// SPDX-License-Identifier: Apache-2.0

/// The 16 bytes before every netlink message: `struct nlmsghdr` (`linux/netlink.h`).
public struct MessageHeader: Hashable, Sendable {
    /// The size on the wire.
    public static let size = 16

    /// The message's length in bytes, this header included.
    public var length: UInt32
    /// The kind of message.
    public var type: MessageType
    /// Its flags.
    public var flags: MessageFlags
    /// The sequence number of the request that it answers; 0 in a notification.
    public var sequence: UInt32
    /// The port of the socket that it answers; 0 is the kernel.
    public var port: UInt32

    /// Reads a header at `offset`.
    init(_ bytes: RawSpan, at offset: Int) throws(NetlinkError) {
        length = try bytes.integer(at: offset)
        type = MessageType(rawValue: try bytes.integer(at: offset + 4))
        flags = MessageFlags(rawValue: try bytes.integer(at: offset + 6))
        sequence = try bytes.integer(at: offset + 8)
        port = try bytes.integer(at: offset + 12)
    }

    /// Replaces the sequence number of the encoded header at `offset`.
    static func write(sequence: UInt32, to bytes: inout [UInt8], at offset: Int) {
        // In the byte order of this machine.
        var rest = sequence.littleEndian
        for place in offset + 8..<offset + 12 {
            bytes[place] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
        }
    }
}

extension RawSpan {
    /// Walks the netlink messages of one datagram.
    ///
    /// - Throws: `truncated` or `malformed` when a header's length is invalid; the messages before it were delivered.
    public func forEachMessage(
        _ body: (_ header: MessageHeader, _ payload: RawSpan) throws(NetlinkError) -> Void
    ) throws(NetlinkError) {
        var offset = 0
        while offset < byteCount {
            let header = try MessageHeader(self, at: offset)
            guard let length = Int(exactly: header.length), length >= MessageHeader.size else {
                throw .malformed("a message that claims to be \(header.length) bytes long")
            }
            guard length <= byteCount - offset else {
                throw .truncated("a message of \(length) bytes at \(offset)", available: byteCount)
            }
            try body(header, extracting(offset + MessageHeader.size..<offset + length))
            offset += aligned(length)
        }
    }
}

/// Netlink aligns messages and attributes to four bytes: `NLMSG_ALIGN`, `RTA_ALIGN`.
func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
