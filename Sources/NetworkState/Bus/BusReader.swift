// SPDX-License-Identifier: Apache-2.0

/// Reads D-Bus values from untrusted bytes, in either byte order (D-Bus specification, "Marshaling").
///
/// Every length is checked against the bytes available, nesting is bounded, and padding must not run past the end.
struct BusReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var offset = 0
    private let isBigEndian: Bool
    /// How many more levels variants may be nested, counted across all levels.
    private var nestingLeft = BusType.mostNesting
    /// Bounds the work.
    ///
    /// Arrays of zero-sized elements cannot be encoded; this is a second safeguard.
    private var valuesLeft: Int

    init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
        valuesLeft = bytes.count + 1
    }

    mutating func align(to alignment: Int) throws(BusError) {
        let aligned = (offset + alignment - 1) / alignment * alignment
        guard aligned <= bytes.count else { throw .malformed("padding past the end") }
        offset = aligned
    }

    /// Reads an unsigned number of 1 to 8 bytes at its alignment.
    mutating func number(size: Int) throws(BusError) -> UInt64 {
        try align(to: size)
        let raw = try readBytes(size)
        return (isBigEndian ? Array(raw) : raw.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func value(_ type: BusType) throws(BusError) -> BusValue {
        valuesLeft -= 1
        nestingLeft -= 1
        defer { nestingLeft += 1 }
        guard valuesLeft >= 0, nestingLeft >= 0 else { throw .malformed("too many values or levels") }
        switch type {
        case .basic(let code): return try basic(code)
        case .variant:
            let types = try BusType.signature(signature())
            guard let inner = types.first, types.count == 1 else { throw .malformed("a variant of \(types.count)") }
            return try value(inner)
        case .array(let element): return try array(of: element)
        case .structure(let parts):
            try align(to: 8)
            var values: [BusValue] = []
            for part in parts { values.append(try value(part)) }
            return .list(values)
        case .entry(let key, let content):
            try align(to: 8)
            return .list([try value(key), try value(content)])
        }
    }

    private mutating func array(of element: BusType) throws(BusError) -> BusValue {
        let length = Int(clamping: try number(size: 4))
        try align(to: element.alignment)
        guard length <= bytes.count - offset else { throw .malformed("an array of \(length) bytes") }
        let end = offset + length
        var values: [BusValue] = []
        while offset < end { values.append(try value(element)) }
        guard offset == end else { throw .malformed("an array that does not end with an element") }
        return .list(values)
    }

    private mutating func basic(_ code: UInt8) throws(BusError) -> BusValue {
        switch code {
        case UInt8(ascii: "s"), UInt8(ascii: "o"):
            return .text(try text(length: Int(clamping: try number(size: 4))))
        case UInt8(ascii: "g"): return .text(String(decoding: try signature(), as: UTF8.self))
        default:
            guard let size = BusType.size(of: code) else { throw .malformed("type code \(code)") }
            let value = try number(size: size)
            return Self.isUnsigned(code) ? .number(value) : .other
        }
    }

    private static func isUnsigned(_ code: UInt8) -> Bool { "yqutbh".utf8.contains(code) }

    private mutating func signature() throws(BusError) -> ArraySlice<UInt8> {
        let length = Int(try number(size: 1))
        let raw = try readBytes(length)
        _ = try readBytes(1)
        return raw
    }

    private mutating func text(length: Int) throws(BusError) -> String {
        let raw = try readBytes(length)
        // The terminating NUL.
        _ = try readBytes(1)
        return String(decoding: raw, as: UTF8.self)
    }

    private mutating func readBytes(_ count: Int) throws(BusError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - offset else { throw .malformed("\(count) bytes past the end") }
        let start = bytes.startIndex + offset
        offset += count
        return bytes[start..<start + count]
    }
}
