// SPDX-License-Identifier: Apache-2.0

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
        var index = max(0, searched - 3)
        while index + 3 < buffer.count {
            if buffer[index] == 13, buffer[index + 1] == 10, buffer[index + 2] == 13, buffer[index + 3] == 10 {
                return index + 4
            }
            index += 1
        }
        searched = buffer.count
        return nil
    }

    private mutating func consume(_ count: Int) {
        buffer.removeFirst(count)
        searched = 0
    }
}
