// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Reads the members of one JSON5 object whose values are strings, numbers, booleans or lists of strings, as settings
/// are.
///
/// Foundation's reader does not report where a syntax error is.
struct JSON5Reader {
    /// A syntax error; line and column start at 1.
    struct SyntaxError: Error, CustomStringConvertible {
        let line: Int
        let column: Int
        let problem: String
        var description: String { "line \(line), column \(column): \(problem)" }
    }

    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// Reads the object, which must be the whole text.
    ///
    /// - Parameter member: receives each name and value. The value is nil for null, an object, or any other value that
    ///   settings do not use; `member` must then throw, because reading cannot continue.
    /// - Throws: `SyntaxError`, and the errors that `member` throws.
    mutating func read(_ member: (String, Setting.Value?) throws -> Void) throws {
        try expect("{")
        while try !accept("}") {
            let name = try name()
            try expect(":")
            let value = try value()
            try member(name, value)
            guard value != nil else { throw error("expected a value") }
            if try accept(",") { continue }
            try expect("}", or: "','")
            break
        }
        try skipSpace()
        if place < scalars.count { throw error("expected the end of the file") }
    }

    private mutating func name() throws -> String {
        try skipSpace()
        if let quote = next, quote == "\"" || quote == "'" { return try string() }
        let name = word { $0.properties.isIDContinue || $0 == "$" }
        if name.isEmpty { throw error("expected a name") }
        return name
    }

    private mutating func value() throws -> Setting.Value? {
        try skipSpace()
        switch next {
        case "\"", "'": return .text(try string())
        case "[": return try list()
        case "{": return nil
        default: break
        }
        let start = place
        let word = word { $0.properties.isAlphabetic || ("0"..."9").contains($0) || "+-.".unicodeScalars.contains($0) }
        switch word {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "null": return nil
        default:
            if let number = Double(word) { return .number(number, typed: word) }
            place = start
            throw error("expected a value")
        }
    }

    private mutating func list() throws -> Setting.Value? {
        var texts: [String] = []
        try expect("[")
        while try !accept("]") {
            guard next == "\"" || next == "'" else { return nil }
            texts.append(try string())
            if try accept(",") { continue }
            try expect("]", or: "','")
            break
        }
        return .list(texts)
    }

    private mutating func string() throws -> String {
        let start = place
        let quote = next
        place += 1
        while let scalar = next, scalar != quote, scalar != "\n", scalar != "\r" {
            place += scalar == "\\" ? 2 : 1
        }
        guard next == quote, next != nil else { throw error("expected the end of the string") }
        place += 1
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let text = String(String.UnicodeScalarView(scalars[start..<place]))
        if let string = try? decoder.decode(String.self, from: Data(text.utf8)) { return string }
        place = start
        throw error("expected a valid string")
    }

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func word(of isPart: (Unicode.Scalar) -> Bool) -> String {
        let part = scalars[place...].prefix(while: isPart)
        place = part.endIndex
        return String(String.UnicodeScalarView(part))
    }

    /// Skips white space and comments.
    private mutating func skipSpace() throws {
        while let scalar = next {
            if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
                place += 1
            } else if scalars[place...].starts(with: "//".unicodeScalars) {
                place = scalars[place...].firstIndex(where: Self.endsLine) ?? scalars.count
            } else if scalars[place...].starts(with: "/*".unicodeScalars) {
                place += 2
                while !scalars[place...].starts(with: "*/".unicodeScalars) {
                    if next == nil { throw error("expected the end of the comment") }
                    place += 1
                }
                place += 2
            } else {
                return
            }
        }
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        "\n\r\u{2028}\u{2029}".unicodeScalars.contains(scalar)
    }

    private mutating func accept(_ scalar: Unicode.Scalar) throws -> Bool {
        try skipSpace()
        guard next == scalar else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ scalar: Unicode.Scalar, or other: String? = nil) throws {
        if try !accept(scalar) { throw error("expected " + (other.map { "\($0) or " } ?? "") + "'\(scalar)'") }
    }

    private func error(_ problem: String) -> SyntaxError {
        let lines = scalars.prefix(place).split(separator: "\n", omittingEmptySubsequences: false)
        return SyntaxError(line: lines.count, column: (lines.last?.count ?? 0) + 1, problem: problem)
    }
}
