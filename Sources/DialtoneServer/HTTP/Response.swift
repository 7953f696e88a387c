// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// An HTTP response.
struct Response: Sendable {
    /// The body of a response.
    enum Body: Sendable {
        /// A body of known length.
        case bytes([UInt8])
        /// A body that this closure writes; the connection ends when it returns.
        case stream(@Sendable (StreamWriter) async throws -> Void)
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

    /// Creates a response with an HTML page.
    static func page(_ html: String, status: Int = 200) -> Self { Self(status, html, type: "text/html; charset=utf-8") }

    /// Creates a redirect with GET after a POST.
    static func seeOther(_ path: String) -> Self {
        Self(303, fields: [("Location", path), ("Cache-Control", "no-store")], body: .bytes([]))
    }

    /// Returns a copy with one more field.
    func adding(_ name: String, _ value: String) -> Self {
        var copy = self
        copy.fields.append((name, value))
        return copy
    }

    /// The bytes of the head.
    ///
    /// - Parameter keepsAlive: whether the connection stays open.
    func head(keepsAlive: Bool) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) \(Self.phrase(status))"]
        // Values are our own or validated; no value from a client can start another line.
        lines += fields.map { "\($0.name): \($0.value.filter { !$0.isNewline })" }
        if case .bytes(let bytes) = body, status != 204, status != 304 {
            lines.append("Content-Length: \(bytes.count)")
        }
        lines.append("Connection: \(keepsAlive ? "keep-alive" : "close")")
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    static func phrase(_ status: Int) -> String { phrases[status] ?? "Status" }

    private static let phrases = [
        200: "OK", 204: "No Content", 303: "See Other", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
        413: "Content Too Large", 414: "URI Too Long", 421: "Misdirected Request", 422: "Unprocessable Content",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]
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
        response.fields += [
            ("Content-Security-Policy", contentSecurityPolicy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        if isTrustworthy { response.fields.append(("Cross-Origin-Opener-Policy", "same-origin")) }
        return response
    }
}
