// SPDX-License-Identifier: Apache-2.0

extension InternetCheck {
    /// An answer to a probe: its status, its header fields, and its body up to the limit.
    public struct Response: Hashable, Sendable {
        /// A header field.
        public struct Field: Hashable, Sendable {
            /// Its name as received; names are compared case-insensitively.
            public var name: String
            /// Its value, without surrounding white space.
            public var value: String

            /// Creates a field.
            public init(name: String, value: String) {
                self.name = name
                self.value = value
            }
        }

        /// The status code, normally 100 to 599.
        public var status: Int
        /// The header fields in the order in which they arrived.
        public var fields: [Field]
        /// The body as bytes, without any transfer coding, never decompressed.
        public var body: [UInt8]
        /// Whether the body is complete: false if the byte limit, the time limit or the end of the connection cut it short.
        public var isComplete: Bool

        /// Creates a response.
        public init(status: Int, fields: [Field] = [], body: [UInt8] = [], isComplete: Bool = true) {
            self.status = status
            self.fields = fields
            self.body = body
            self.isComplete = isComplete
        }

        /// The value of the first field with a name, compared case-insensitively.
        public subscript(field name: String) -> String? {
            let name = name.lowercased()
            return fields.first { $0.name.lowercased() == name }?.value
        }

        /// The body as text; invalid UTF-8 is replaced.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }
}

/// The name within this package, where swift-http-types has one like it.
package typealias HTTPResponse = InternetCheck.Response

/// A GET or POST request as bytes (RFC 9112), for a connection with a single request.
struct HTTPRequest: Hashable, Sendable {
    /// The path and query, or for a proxy the whole URL.
    var target: String
    /// The value of the `Host` field.
    var host: String
    /// Further fields, already validated.
    var fields: [HTTPResponse.Field]
    /// The content of a POST request; nil for a GET request.
    var body: [UInt8]?

    /// The request line, the header section and the content.
    var bytes: [UInt8] {
        guard let body else { return Self.bytes("GET \(target) HTTP/1.1", host, fields) }
        let length = HTTPResponse.Field(name: "Content-Length", value: "\(body.count)")
        return Self.bytes("POST \(target) HTTP/1.1", host, fields + [length]) + body
    }

    /// The request that asks a proxy for a tunnel to a host and port (RFC 9110, section 9.3.6).
    static func tunnel(to authority: String, fields: [HTTPResponse.Field]) -> [UInt8] {
        bytes("CONNECT \(authority) HTTP/1.1", authority, fields)
    }

    private static func bytes(_ line: String, _ host: String, _ fields: [HTTPResponse.Field]) -> [UInt8] {
        let lines = [line, "Host: \(host)"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}

struct HTTPLimits: Hashable, Sendable {
    /// Bytes of status lines, header fields and trailers, informational responses included.
    var headerBytes = 16 * 1024
    /// Number of header fields, unreadable ones included.
    var fields = 100
    /// Bytes of the body that are kept; the rest is not read.
    var bodyBytes = 64 * 1024
}

/// How a response breaks the rules of HTTP/1.1 (RFC 9112) or the limits.
enum HTTPViolation: Error, Hashable, Sendable {
    /// The first line is not a status line.
    case statusLine
    /// A header field that may define the end of the body is malformed.
    case field
    /// There are more bytes or fields in the header section than allowed.
    case headersTooLarge
    /// The lengths contradict each other, are not numbers, or compete with a transfer coding.
    case length
    /// A chunk of the body is malformed (RFC 9112, section 7.1).
    case chunk
    /// The connection ended inside the header section.
    case endedEarly
}
