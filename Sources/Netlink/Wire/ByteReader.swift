// SPDX-License-Identifier: Apache-2.0

import LibC

/// Bounds-checked loads from untrusted bytes. These are the module's only unsafe loads.
extension RawSpan {
    /// The integer at `offset` in host byte order.
    ///
    /// - Throws: `truncated` when it is not completely inside the span.
    package func integer<T: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: T.Type = T.self
    ) throws(NetlinkError) -> T {
        try check(MemoryLayout<T>.size, at: offset)
        return checkedInteger(at: offset)
    }

    /// Throws `truncated` unless there are `size` bytes at `offset`.
    func check(_ size: Int, at offset: Int) throws(NetlinkError) {
        guard offset >= 0, offset <= byteCount, byteCount - offset >= size else {
            throw .truncated("\(size) bytes at \(offset)", available: byteCount)
        }
    }

    /// The integer at `offset` in host byte order, after `check`.
    func checkedInteger<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T {
        // Every bit pattern of an integer is valid, and the load checks the bounds again.
        unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: T.self)
    }

    /// The integer at the beginning of an attribute.
    ///
    /// Further bytes are ignored, because a later kernel may add some.
    package func exactly<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) throws(NetlinkError) -> T {
        guard byteCount >= MemoryLayout<T>.size else {
            throw .truncated("an attribute of \(MemoryLayout<T>.size) bytes", available: byteCount)
        }
        return try integer(at: 0, as: type)
    }

    /// The text up to the first NUL; bytes that are not UTF-8 are replaced.
    package var cString: String {
        // The bytes are valid inside the closure, and every bit pattern of UInt8 is a byte.
        unsafe withUnsafeBytes { bytes in unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Returns whether another span has the same bytes.
    func isEqual(to other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        return unsafe withUnsafeBytes { own in
            unsafe other.withUnsafeBytes { other in
                // An empty span may have no address. Otherwise both have this many bytes, by the guard above.
                guard let first = own.baseAddress, let second = other.baseAddress else { return true }
                return unsafe memcmp(first, second, own.count) == 0
            }
        }
    }

    /// A copy of all bytes.
    package var array: [UInt8] { array(0..<byteCount) }

    /// The address that fills this span.
    package func address(_ family: AddressFamily) throws(NetlinkError) -> NetworkAddress {
        let size = family == .ipv4 ? 4 : 16
        guard let version = family.version, byteCount >= size else {
            throw .malformed("an address of \(family) in \(byteCount) bytes")
        }
        let bits =
            version == .ipv4
            ? AddressBits(checkedInteger(at: 0, as: UInt32.self).bigEndian)
            : AddressBits(
                high: checkedInteger(at: 0, as: UInt64.self).bigEndian,
                low: checkedInteger(at: 8, as: UInt64.self).bigEndian)
        return NetworkAddress(version: version, bits: bits)
    }

    private func array(_ range: Range<Int>) -> [UInt8] {
        // The bytes are valid inside the closure.
        unsafe extracting(range).withUnsafeBytes { unsafe Array($0) }
    }
}

extension RawSpan {
    /// Walks the type-length-value attributes that start at `offset` (`struct rtattr`, `struct nlattr`).
    ///
    /// The type is passed without its nested and byte-order bits. Fewer than four bytes at the end are padding.
    ///
    /// - Throws: `malformed` when a length is invalid, or the error of `body`.
    package func forEachAttribute(
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
