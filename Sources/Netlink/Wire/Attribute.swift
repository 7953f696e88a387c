// SPDX-License-Identifier: Apache-2.0

/// A netlink attribute without a typed property, kept unchanged.
public struct UnknownAttribute: Hashable, Sendable {
    /// The attribute's number, within the attributes of its message.
    public let type: UInt16
    /// Its bytes, without the attribute header and padding.
    public let bytes: [UInt8]

    init(type: UInt16, value: RawSpan) {
        self.type = type
        bytes = value.array
    }
}

extension RawSpan {
    /// Walks the type-length-value attributes that start at `offset` (`struct rtattr`, `struct nlattr`).
    ///
    /// The type is passed without its nested and byte-order bits. Fewer than four bytes at the end are padding.
    ///
    /// - Throws: `malformed` when a length is invalid, or the error of `body`.
    func forEachAttribute(
        from offset: Int = 0,
        _ body: (_ type: UInt16, _ value: RawSpan) throws(NetlinkError) -> Void
    ) throws(NetlinkError) {
        var offset = offset
        while byteCount - offset >= 4 {
            let length = Int(try integer(at: offset, as: UInt16.self))
            let type = try integer(at: offset + 2, as: UInt16.self) & 0x3FFF
            guard length >= 4, length <= byteCount - offset else {
                throw .malformed("attribute \(type), \(length) bytes long where \(byteCount - offset) are left")
            }
            try body(type, extracting(offset + 4..<offset + length))
            offset += aligned(length)
        }
    }
}
