// SPDX-License-Identifier: Apache-2.0

/// A type of the D-Bus type system (D-Bus specification, "Type System").
indirect enum BusType: Hashable {
    /// A type without parts, by its code.
    case basic(UInt8)
    case variant
    case array(BusType)
    case structure([BusType])
    /// A key with a value, inside an array.
    case entry(BusType, BusType)
}

extension BusType {
    /// The maximum nesting of types; the specification allows 32 arrays in 32 structures.
    static let mostNesting = 32

    /// Parses a signature: a sequence of types.
    ///
    /// - Throws: `malformed` if the text is not a signature.
    static func signature(_ text: some Collection<UInt8>) throws(BusError) -> [BusType] {
        guard text.count <= 255 else { throw .malformed("a signature of \(text.count) bytes") }
        var parser = SignatureParser(rest: Array(text)[...])
        var types: [BusType] = []
        while !parser.rest.isEmpty { types.append(try parser.type(nesting: mostNesting)) }
        return types
    }

    /// The alignment of its values in bytes.
    var alignment: Int {
        switch self {
        case .basic(let code): Self.size(of: code) ?? (code == UInt8(ascii: "g") ? 1 : 4)
        case .variant: 1
        case .array: 4
        case .structure, .entry: 8
        }
    }

    /// The size of a number's values; nil for text.
    static func size(of code: UInt8) -> Int? {
        switch code {
        case UInt8(ascii: "y"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "h"): 4
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"): 8
        default: nil
        }
    }
}

private struct SignatureParser {
    var rest: ArraySlice<UInt8>

    mutating func type(nesting: Int, inArray: Bool = false) throws(BusError) -> BusType {
        guard nesting > 0, let code = rest.popFirst() else { throw .malformed("a signature") }
        switch code {
        case UInt8(ascii: "v"): return .variant
        case UInt8(ascii: "a"): return .array(try type(nesting: nesting - 1, inArray: true))
        case UInt8(ascii: "("):
            var parts: [BusType] = []
            while rest.first != UInt8(ascii: ")") { parts.append(try type(nesting: nesting - 1)) }
            rest.removeFirst()
            guard !parts.isEmpty else { throw .malformed("a structure without parts") }
            return .structure(parts)
        case UInt8(ascii: "{") where inArray:
            let key = try type(nesting: nesting - 1)
            let value = try type(nesting: nesting - 1)
            guard case .basic = key, rest.popFirst() == UInt8(ascii: "}") else { throw .malformed("a dictionary") }
            return .entry(key, value)
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"): return .basic(code)
        default:
            guard BusType.size(of: code) != nil else { throw .malformed("type code \(code)") }
            return .basic(code)
        }
    }
}

/// A value from the bus, decoded as far as this module needs it.
indirect enum BusValue: Hashable {
    /// Any of the unsigned numbers and the boolean.
    case number(UInt64)
    /// Text, an object path or a signature.
    case text(String)
    /// The elements of an array, or the parts of a structure or dictionary entry.
    case list([BusValue])
    /// A signed or floating-point number, which this module never needs.
    case other

    var number: UInt64? { if case .number(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var list: [BusValue]? { if case .list(let values) = self { values } else { nil } }

    /// A dictionary with text keys; later entries win.
    var dictionary: [String: BusValue]? {
        guard let list else { return nil }
        var dictionary: [String: BusValue] = [:]
        for entry in list {
            guard let parts = entry.list, parts.count == 2, let key = parts[0].text else { continue }
            dictionary[key] = parts[1]
        }
        return dictionary
    }
}

/// The reason why a conversation with the message bus cannot continue.
enum BusError: Error, Hashable {
    /// The bytes violate the D-Bus specification, or its limits.
    case malformed(String)
    /// The bus rejected the authentication.
    case refused
    /// The bus, or a program on it, did not answer in time.
    case timedOut
    /// The peer closed the connection.
    case closed
}
