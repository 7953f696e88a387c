// SPDX-License-Identifier: Apache-2.0

/// Parses the lines of a response strictly: each returns nil for a line that is not clearly valid.
enum HTTPLine {
    /// The code of a status line of HTTP/1.0 or HTTP/1.1, such as `HTTP/1.1 204 No Content`.
    static func status(_ line: ArraySlice<UInt8>) -> Int? {
        let head = Array(line.prefix(13))
        guard head.count >= 12, head.starts(with: "HTTP/1.".utf8), head[7] == 0x30 || head[7] == 0x31, head[8] == 0x20,
            head.count == 12 || head[12] == 0x20, head[9..<12].allSatisfy(isDigit), head[9] != 0x30
        else { return nil }
        return head[9..<12].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The part of a line before its colon, or all of it without one; the line may be malformed.
    static func name(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: trimmed(line.prefix { $0 != UInt8(ascii: ":") }), as: UTF8.self)
    }

    /// A header field; nil for a folded line, a name that is not a token, or a value with control characters.
    static func field(_ line: ArraySlice<UInt8>) -> HTTPResponse.Field? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(isToken)
        else { return nil }
        let value = trimmed(line[line.index(after: colon)...])
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { return nil }
        return HTTPResponse.Field(
            name: String(decoding: line[..<colon], as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    }

    /// The size at the start of a chunk: hexadecimal digits, then perhaps an extension.
    static func chunkSize(_ line: ArraySlice<UInt8>) -> Int? {
        let digits = trimmed(line.prefix { $0 != UInt8(ascii: ";") })
        guard (1...15).contains(digits.count), digits.allSatisfy(isHexadecimal) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// A number of decimal digits and nothing else.
    static func number(_ text: String) -> Int? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(isDigit) else { return nil }
        return Int(text)
    }

    /// Whether the byte may be in a token (RFC 9110, section 5.6.2).
    static func isToken(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte) }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        return start.prefix(upTo: start.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? start.startIndex)
    }
}
