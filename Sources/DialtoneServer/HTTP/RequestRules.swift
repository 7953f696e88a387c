// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// The rules for a request beyond those of NIO's decoder: the server accepts what browsers and scrapers send, and no more.
///
/// The decoder has refused invalid syntax and oversized header sections before.
struct RequestRules: Sendable {
    let limits: ServerLimits

    /// Why a request is refused before its body is read; nil if it is accepted.
    func problem(with head: HTTPRequestHead) -> Refusal? {
        guard head.uri.utf8.count <= limits.targetBytes else {
            return Refusal(414, "The request target is too long.")
        }
        guard head.uri.utf8.first == 0x2F, head.uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return Refusal(400, "Invalid request target.")
        }
        guard head.headers.allSatisfy({ $0.value.utf8.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F } }) else {
            return Refusal(400, "Control character in the header section.")
        }
        guard head.headers["host"].count == 1 else {
            return Refusal(400, "A request must have exactly one Host field.")
        }
        guard !head.headers.contains(name: "transfer-encoding") else {
            return Refusal(501, "Transfer codings are not supported: send Content-Length.")
        }
        guard bodyLength(of: head) <= limits.bodyBytes else { return Refusal(413, "The body is too large.") }
        return nil
    }

    /// The length of the body; the decoder has refused several lengths, and what is not a number.
    func bodyLength(of head: HTTPRequestHead) -> Int {
        guard let text = head.headers.first(name: "content-length") else { return 0 }
        return Int(text) ?? .max
    }

    /// The answer to a request that the decoder refused.
    static func problem(_ error: HTTPParserError) -> Refusal {
        switch error {
        case .headerOverflow: Refusal(431, "The header section is too large.")
        case .invalidVersion: Refusal(505, "Only HTTP/1.1 is supported.")
        default: Refusal(400, "Malformed request.")
        }
    }
}

/// Why a request is refused.
struct Refusal: Error, Hashable, Sendable {
    let status: Int
    /// A description of the problem for the client's user.
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
