// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// Parses incoming bytes into requests (RFC 9112), strictly: it accepts what browsers and scrapers send, and no more.
///
/// A value without I/O: the caller feeds it bytes and gets complete requests.
struct RequestParser {
    private let limits: ServerLimits
    private var buffer: [UInt8] = []
    /// The position up to which the buffer has been searched for the end of the head.
    private var searched = 0
    private var head: (request: Request, bodyLength: Int)?

    init(_ limits: ServerLimits) { self.limits = limits }

    /// Whether a request has begun and is not complete.
    var isInside: Bool { head != nil || !buffer.isEmpty }

    /// Appends received bytes.
    mutating func feed(_ bytes: some Sequence<UInt8>) { buffer += bytes }

    /// Returns the next complete request; nil while more bytes are needed.
    ///
    /// - Throws: the error to send to the peer before the connection is closed.
    mutating func next() throws(RequestError) -> Request? {
        if head == nil { try readHead() }
        guard case (var request, let length)? = head, buffer.count >= length else { return nil }
        request.body = Array(buffer.prefix(length))
        consume(length)
        head = nil
        return request
    }

    private mutating func readHead() throws(RequestError) {
        guard let end = headEnd() else {
            guard buffer.count <= limits.headBytes else { throw Self.headTooLarge }
            return
        }
        guard end <= limits.headBytes else { throw Self.headTooLarge }
        head = try HeadReader(limits: limits).read(buffer[..<(end - 4)])
        consume(end)
    }

    private static let headTooLarge = RequestError(431, "The header section is too large.")

    /// The index after the empty line.
    private mutating func headEnd() -> Int? {
        defer { searched = buffer.count }
        return buffer[max(0, searched - 3)...].firstRange(of: "\r\n\r\n".utf8)?.upperBound
    }

    private mutating func consume(_ count: Int) {
        buffer.removeFirst(count)
        searched = 0
    }
}

/// Parses the bytes of a head, without its empty line, into a request without its body, and the body's length.
struct HeadReader {
    let limits: ServerLimits

    func read(_ bytes: ArraySlice<UInt8>) throws(RequestError) -> (request: Request, bodyLength: Int) {
        // A lone CR or LF can hide a request from one parser inside another (request smuggling).
        let lines = try Self.lines(bytes)
        var request = try requestLine(lines[0])
        guard lines.count - 1 <= limits.fieldCount else {
            throw RequestError(431, "Too many header fields.")
        }
        for line in lines.dropFirst() { request.fields.append(try Self.field(line)) }
        let version = lines[0].suffix(3)
        if request.fields.count(where: { $0.name == "host" }) != 1 {
            throw RequestError(400, "A request must have exactly one Host field.")
        }
        guard !request.fields.contains(where: { $0.name == "transfer-encoding" }) else {
            throw RequestError(501, "Transfer codings are not supported: send Content-Length.")
        }
        let connection = request.fields.filter { $0.name == "connection" }.map(\.value).joined(separator: ",")
        let options = connection.split(separator: ",").map { $0.filter { $0 != " " }.lowercased() }
        request.keepsAlive = version.elementsEqual("1.1".utf8) && !options.contains("close")
        return (request, try bodyLength(of: request))
    }

    private static func lines(_ bytes: ArraySlice<UInt8>) throws(RequestError) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex {
            switch bytes[index] {
            case 13 where index + 1 < bytes.endIndex && bytes[index + 1] == 10:
                lines.append(bytes[start..<index])
                index += 2
                start = index
            case 0x20...0x7E, 0x80...0xFF, 0x09: index += 1
            default: throw RequestError(400, "Control character in the header section.")
            }
        }
        return lines + [bytes[start...]]
    }

    private func requestLine(_ line: ArraySlice<UInt8>) throws(RequestError) -> Request {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw RequestError(400, "Malformed request line.")
        }
        guard parts[2].elementsEqual("HTTP/1.1".utf8) || parts[2].elementsEqual("HTTP/1.0".utf8) else {
            throw RequestError(505, "Only HTTP/1.1 is supported.")
        }
        guard parts[1].count <= limits.targetBytes else { throw RequestError(414, "The request target is too long.") }
        guard parts[1].first == 0x2F, parts[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw RequestError(400, "Invalid request target.")
        }
        let target = String(decoding: parts[1], as: UTF8.self)
        let pieces = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return Request(
            method: String(decoding: parts[0], as: UTF8.self), path: String(pieces[0]),
            query: pieces.count > 1 ? FormText.decode(pieces[1]) : [:])
    }

    private static func field(_ line: ArraySlice<UInt8>) throws(RequestError) -> Request.Field {
        // No white space before the colon, no continuation lines: RFC 9112 sections 5.1 and 5.2.
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
            line[..<colon].allSatisfy(HTTPLine.isToken)
        else { throw RequestError(400, "Malformed header field.") }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let value = line[(colon + 1)...].drop(while: isSpace)
        let end = value.lastIndex(where: { !isSpace($0) }).map { $0 + 1 } ?? value.startIndex
        return Request.Field(
            name: String(decoding: line[..<colon], as: UTF8.self).lowercased(),
            value: String(decoding: value[..<end], as: UTF8.self))
    }

    private func bodyLength(of request: Request) throws(RequestError) -> Int {
        let lengths = request.fields.filter { $0.name == "content-length" }.map(\.value)
        guard let text = lengths.first else { return 0 }
        guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw RequestError(400, "Invalid Content-Length.")
        }
        guard let length = Int(text), length <= limits.bodyBytes else {
            throw RequestError(413, "The body is too large.")
        }
        return length
    }
}
