// SPDX-License-Identifier: Apache-2.0

/// The 16 bytes before every netlink message: `struct nlmsghdr` (`linux/netlink.h`).
public struct MessageHeader: Hashable, Sendable, BitwiseCopyable {
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
        try bytes.check(Self.size, at: offset)
        // The properties have the kernel's order and sizes, any bits are valid, and the load checks the bounds again.
        self = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Self.self)
    }

    /// Replaces the sequence numbers of the encoded headers at `offsets` from `start`.
    static func write(sequencesFrom first: UInt32, to bytes: inout [UInt8], at offsets: [Int], from start: Int) {
        var next = first
        unsafe bytes.withUnsafeMutableBytes { bytes in
            for offset in offsets {
                precondition(offset >= 0 && bytes.count - start - offset >= size, "no header at \(offset)")
                // In bounds by the check above.
                unsafe bytes.storeBytes(of: next, toByteOffset: start + offset + 8, as: UInt32.self)
                next &+= 1
            }
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
