//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Bounds-checked loads from untrusted bytes. These are the module's only unsafe loads.
extension RawSpan {
    /// The integer at `offset` in host byte order.
    ///
    /// - Throws: `truncated` when it is not completely inside the span.
    func integer<T: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: T.Type = T.self
    ) throws(NetlinkError) -> T {
        guard offset >= 0, offset <= byteCount, byteCount - offset >= MemoryLayout<T>.size else {
            throw .truncated("\(MemoryLayout<T>.size) bytes at \(offset)", available: byteCount)
        }
        // In bounds by the guard above; every bit pattern of an integer is valid.
        return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: T.self)
    }

    /// The whole span as one integer of exactly its size.
    func exactly<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) throws(NetlinkError) -> T {
        guard byteCount >= MemoryLayout<T>.size else {
            throw .truncated("an attribute of \(MemoryLayout<T>.size) bytes", available: byteCount)
        }
        return try integer(at: 0, as: type)
    }

    /// The text up to the first NUL; bytes that are not UTF-8 are replaced.
    var cString: String {
        var length = 0
        while length < byteCount, byte(at: length) != 0 { length += 1 }
        return String(decoding: array(0..<length), as: UTF8.self)
    }

    /// A copy of all bytes.
    var array: [UInt8] { array(0..<byteCount) }

    /// The address that fills this span.
    func address(_ family: AddressFamily) throws(NetlinkError) -> NetworkAddress {
        let size = family == .ipv4 ? 4 : 16
        guard let version = family.version, byteCount >= size else {
            throw .malformed("an address of \(family) in \(byteCount) bytes")
        }
        var bits: UInt128 = 0
        for index in 0..<size { bits = bits << 8 | UInt128(byte(at: index)) }
        return NetworkAddress(version: version, bits: bits)
    }

    private func byte(at index: Int) -> UInt8 {
        // Callers stay below byteCount; the load checks it again.
        unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }

    private func array(_ range: Range<Int>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for index in range { copy.append(byte(at: index)) }
        return copy
    }
}
