// SPDX-License-Identifier: Apache-2.0

/// A message received from the bus (D-Bus specification, "Message Protocol").
struct BusMessage: Hashable {
    /// The type of a message; messages of other types must be ignored.
    enum Kind: UInt8 { case call = 1, reply, error, signal }

    var kind: Kind?
    var path: String?
    var interface: String?
    var member: String?
    /// The serial number of the call that this message replies to.
    var answers: UInt32?
    /// The unique name of the program that sent it.
    var sender: String?
    var body: [BusValue] = []
}

extension BusMessage {
    /// The longest message that is read.
    ///
    /// No expected reply is longer.
    static let mostBytes = 1 << 18
    /// The longest message that the specification allows: 128 MiB.
    private static let mostBytesAllowed: UInt64 = 1 << 27
    /// The size of the part of the header that contains the lengths.
    static let prefixSize = 16

    /// Returns the length of the message that begins here; nil until enough bytes have arrived to determine it.
    ///
    /// - Throws: `malformed` if the bytes are not a message.
    static func length(_ bytes: ArraySlice<UInt8>) throws(BusError) -> Int? {
        guard bytes.count >= prefixSize else { return nil }
        var reader = BusReader(bytes.prefix(prefixSize), isBigEndian: try isBigEndian(bytes))
        _ = try reader.number(size: 4)
        let body = try reader.number(size: 4)
        _ = try reader.number(size: 4)
        let fields = try reader.number(size: 4)
        guard body + fields <= mostBytesAllowed else { throw .malformed("a message of \(body) + \(fields) bytes") }
        return (prefixSize + Int(fields) + 7) / 8 * 8 + Int(body)
    }

    /// Reads one whole message.
    ///
    /// - Throws: `malformed`.
    init(_ bytes: ArraySlice<UInt8>) throws(BusError) {
        var reader = BusReader(bytes, isBigEndian: try Self.isBigEndian(bytes))
        _ = try reader.number(size: 1)
        kind = Kind(rawValue: UInt8(truncatingIfNeeded: try reader.number(size: 1)))
        _ = try reader.number(size: 1)
        guard try reader.number(size: 1) == 1 else { throw .malformed("a protocol that is not version 1") }
        _ = try reader.number(size: 4)
        _ = try reader.number(size: 4)
        var signature: String?
        // a(yv): fields, each with its code.
        for field in try reader.value(.array(.structure([.basic(UInt8(ascii: "y")), .variant]))).list ?? [] {
            guard let parts = field.list, parts.count == 2, let code = parts[0].number else { continue }
            switch code {
            case 1: path = parts[1].text
            case 2: interface = parts[1].text
            case 3: member = parts[1].text
            case 5: answers = parts[1].number.flatMap { UInt32(exactly: $0) }
            case 7: sender = parts[1].text
            case 8: signature = parts[1].text
            default: break
            }
        }
        try reader.align(to: 8)
        for type in try BusType.signature((signature ?? "").utf8) { body.append(try reader.value(type)) }
    }

    private static func isBigEndian(_ bytes: ArraySlice<UInt8>) throws(BusError) -> Bool {
        switch bytes.first {
        case UInt8(ascii: "l"): return false
        case UInt8(ascii: "B"): return true
        default: throw .malformed("an unknown byte order")
        }
    }
}

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
