// SPDX-License-Identifier: Apache-2.0

import Dialtone
import HummingbirdCore
import NIOCore
import NIOHTTP1

struct Response: Sendable {
    enum Body: Sendable {
        /// A body of known length.
        case bytes([UInt8])
        /// A body that this closure writes; the connection ends when it returns.
        case stream(@Sendable @concurrent (inout any ResponseBodyWriter) async throws -> Void)
    }

    var status: Int
    /// The fields, without `Content-Length` and `Connection`, which are added later.
    var fields: [(name: String, value: String)]
    var body: Body

    init(_ status: Int, fields: [(name: String, value: String)] = [], body: Body) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Creates a text response of a content type.
    init(_ status: Int = 200, _ text: String, type: String = "text/plain; charset=utf-8") {
        self.init(
            status, fields: [("Content-Type", type), ("Cache-Control", "no-store")], body: .bytes(Array(text.utf8)))
    }

    /// Creates a response with a JSON object.
    static func json(_ text: String, status: Int = 200) -> Self {
        Self(status, text + "\n", type: "application/json")
    }

    /// Creates an error response as JSON, for programs.
    static func problem(_ status: Int, _ message: String) -> Self {
        json(OneLineJSON.string(["error": message]), status: status)
    }

    static func page(_ html: String, status: Int = 200) -> Self { Self(status, html, type: "text/html; charset=utf-8") }

    /// Creates a redirect with GET after a POST.
    static func seeOther(_ path: String) -> Self {
        Self(303, fields: [("Location", path), ("Cache-Control", "no-store")], body: .bytes([]))
    }

    func adding(_ name: String, _ value: String) -> Self {
        var copy = self
        copy.fields.append((name, value))
        return copy
    }

    /// The bytes of the body; empty for a stream.
    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

    /// The meaning of a status, in the words of RFC 9110.
    static func phrase(_ status: Int) -> String { HTTPResponseStatus(statusCode: status).reasonPhrase }
}

extension ResponseBodyWriter {
    /// Writes bytes, once the kernel has accepted all earlier ones.
    ///
    /// Throws if the peer disconnected or is too slow.
    @concurrent mutating func callAsFunction(_ bytes: [UInt8]) async throws {
        try await write(ByteBuffer(bytes: bytes))
    }
}

/// The security fields of every response.
enum SecurityFields {
    /// Allows only this server's own style, script and data, and forbids framing the page.
    static let contentSecurityPolicy = [
        "default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// Adds the fields to a response.
    ///
    /// The referrer is limited to this origin instead of being disabled: without a referrer, browsers would send `null`
    /// as the origin of this page's own forms.
    ///
    /// - Parameter isTrustworthy: whether the browser considers the page's origin secure in transit; otherwise it would
    ///   only warn about a field that it ignores.
    static func add(to response: Response, isTrustworthy: Bool) -> Response {
        var response = response
        // A page that needs another policy has it already.
        if !response.fields.contains(where: { $0.name == "Content-Security-Policy" }) {
            response.fields.append(("Content-Security-Policy", contentSecurityPolicy))
        }
        response.fields += [
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        if isTrustworthy { response.fields.append(("Cross-Origin-Opener-Policy", "same-origin")) }
        return response
    }
}
