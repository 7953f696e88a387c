// SPDX-License-Identifier: Apache-2.0

/// Parses one response to a GET from pieces of any size (RFC 9112).
///
/// It keeps no more than the limits allow and is complete at the end of the body, or when
/// the body's cap is reached.
struct HTTPResponseParser: Sendable {
    private enum State {
        case statusLine, fields
        /// The body, with so many bytes left; nil if it ends with the connection.
        case body(left: Int?)
        case chunkSize, chunk(left: Int), chunkEnd, trailers
        case done
    }

    /// The fields that define the end of the body.
    private static let framing: Set = ["content-length", "transfer-encoding"]

    private let limits: HTTPLimits
    private var state = State.statusLine
    private var line: [UInt8] = []
    private var headerBytes = 0
    private var status = 0
    private var fields: [HTTPResponse.Field] = []
    private var skippedFields = 0
    private var body: [UInt8] = []
    private var isWhole = false

    init(_ limits: HTTPLimits = HTTPLimits()) { self.limits = limits }

    var isDone: Bool { if case .done = state { true } else { false } }

    /// Whether the header section has been read.
    var hasHeaders: Bool {
        switch state {
        case .statusLine, .fields: false
        default: true
        }
    }

    /// The response as far as it was received; nil before the end of its header section.
    var response: HTTPResponse? {
        hasHeaders ? HTTPResponse(status: status, fields: fields, body: body, isComplete: isWhole) : nil
    }

    /// Parses the next bytes; bytes after the response are ignored.
    mutating func append(_ bytes: some Sequence<UInt8>) throws(HTTPViolation) {
        for byte in bytes {
            switch state {
            case .done: return
            case .statusLine, .fields, .chunkSize, .chunkEnd, .trailers: try appendToLine(byte)
            case .body(let left):
                keep(byte)
                guard let left, !isDone else { continue }
                if left == 1 { finish(isWhole: true) } else { state = .body(left: left - 1) }
            case .chunk(let left):
                keep(byte)
                if !isDone { state = left == 1 ? .chunkEnd : .chunk(left: left - 1) }
            }
        }
    }

    /// Handles the end of the connection.
    mutating func end() throws(HTTPViolation) {
        switch state {
        case .statusLine, .fields: throw .endedEarly
        case .body(left: nil): finish(isWhole: true)
        case .done: break
        default: finish(isWhole: false)
        }
    }

    private mutating func finish(isWhole: Bool) {
        self.isWhole = isWhole
        state = .done
    }

    /// Stores a byte of the body, and stops at the limit.
    private mutating func keep(_ byte: UInt8) {
        guard body.count < limits.bodyBytes else { return finish(isWhole: false) }
        body.append(byte)
    }

    private mutating func appendToLine(_ byte: UInt8) throws(HTTPViolation) {
        headerBytes += 1
        // A chunk-size line has its own limit, apart from that of the header, because a long body has many chunks.
        let isFraming = if case .chunkSize = state { true } else if case .chunkEnd = state { true } else { false }
        guard isFraming ? line.count < 256 : headerBytes <= limits.headerBytes else {
            throw isFraming ? .chunk : .headersTooLarge
        }
        guard byte == UInt8(ascii: "\n") else {
            line.append(byte)
            // An invalid line does not have to be read to its end.
            if case .statusLine = state, line.count < 6, !"HTTP/".utf8.starts(with: line) { throw .statusLine }
            return
        }
        if isFraming { headerBytes -= line.count + 1 }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let whole = line
        line.removeAll(keepingCapacity: true)
        try parse(line: whole[...])
    }

    private mutating func parse(line: ArraySlice<UInt8>) throws(HTTPViolation) {
        switch state {
        case .statusLine:
            guard let status = HTTPLine.status(line) else { throw .statusLine }
            self.status = status
            state = .fields
        case .fields:
            if line.isEmpty { return try endFields() }
            guard fields.count + skippedFields < limits.fields else { throw .headersTooLarge }
            guard let field = HTTPLine.field(line) else { return try skip(line) }
            fields.append(field)
        case .chunkSize:
            guard let size = HTTPLine.chunkSize(line) else { throw .chunk }
            state = size == 0 ? .trailers : .chunk(left: size)
        case .chunkEnd:
            guard line.isEmpty else { throw .chunk }
            state = .chunkSize
        case .trailers:
            if line.isEmpty { finish(isWhole: true) }
        case .body, .chunk, .done: break
        }
    }

    /// Skips a malformed header line, because a portal's login page counts even if its header is malformed.
    ///
    /// A malformed line is refused if it might define the end of the body.
    private mutating func skip(_ line: ArraySlice<UInt8>) throws(HTTPViolation) {
        let isFolded = line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
        // A folded line continues the previous one.
        let names = [HTTPLine.name(line)] + (isFolded ? fields.suffix(1).map(\.name) : [])
        guard !names.contains(where: { Self.framing.contains($0.lowercased()) }) else { throw .field }
        skippedFields += 1
    }

    /// Decides how the body is framed (RFC 9112, section 6.3).
    private mutating func endFields() throws(HTTPViolation) {
        // No upgrade was requested, so 101 is invalid.
        if (100..<200).contains(status), status != 101 {
            fields = []
            skippedFields = 0
            state = .statusLine
            return
        }
        let length = try contentLength()
        let coding = fields.last { $0.name.lowercased() == "transfer-encoding" }?.value
        // Two framings are a sign of response splitting, and the RFC advises to handle them as an error.
        guard length == nil || coding == nil else { throw .length }
        if status == 204 || status == 304 { return finish(isWhole: true) }
        if let coding {
            let isChunked =
                coding.lowercased().split(separator: ",").last?.filter { $0 != " " && $0 != "\t" } == "chunked"
            state = isChunked ? .chunkSize : .body(left: nil)
            return
        }
        if length == 0 { finish(isWhole: true) } else { state = .body(left: length) }
    }

    /// The number in all `Content-Length` fields and in all parts of their lists; nil without such a field.
    private func contentLength() throws(HTTPViolation) -> Int? {
        var length: Int?
        for field in fields where field.name.lowercased() == "content-length" {
            for text in field.value.split(separator: ",", omittingEmptySubsequences: false) {
                let words = text.split { $0 == " " || $0 == "\t" }
                guard words.count == 1, let number = HTTPLine.number(String(words[0])), length ?? number == number
                else { throw .length }
                length = number
            }
        }
        return length
    }
}
