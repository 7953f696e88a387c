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
    /// The longest message accepted.
    ///
    /// No expected reply is longer; the specification allows 128 MiB.
    static let mostBytes = 1 << 18
    /// The size of the part of the header that contains the lengths.
    static let prefixSize = 16

    /// Returns the length of the message that begins here; nil until enough bytes have arrived to determine it.
    ///
    /// - Throws: `malformed` if the bytes are not a message, or the message is too long.
    static func length(_ bytes: ArraySlice<UInt8>) throws(BusError) -> Int? {
        guard bytes.count >= prefixSize else { return nil }
        var reader = BusReader(bytes.prefix(prefixSize), isBigEndian: try isBigEndian(bytes))
        _ = try reader.number(size: 4)
        let body = try reader.number(size: 4)
        _ = try reader.number(size: 4)
        let fields = try reader.number(size: 4)
        guard body <= mostBytes, fields <= mostBytes else { throw .malformed("a message of \(body) + \(fields) bytes") }
        let length = (prefixSize + Int(fields) + 7) / 8 * 8 + Int(body)
        guard length <= mostBytes else { throw .malformed("a message of \(length) bytes") }
        return length
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
