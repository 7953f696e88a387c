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

struct HTTPLimits: Hashable, Sendable {
    /// Bytes of status lines, header fields and trailers, informational responses included.
    var headerBytes = 16 * 1024
    /// Number of header fields, unreadable ones included.
    var fields = 100
    /// Bytes of the body that are kept; the rest is not read.
    var bodyBytes = 64 * 1024
}

/// How a response breaks the rules of HTTP/1.1 (RFC 9112) or the limits, in words.
enum HTTPViolation: String, Error {
    case statusLine = "this is not HTTP"
    /// It may define the end of the body.
    case field = "a header field is malformed"
    /// There are more bytes or fields in it than allowed.
    case headersTooLarge = "the header section is too large"
    /// The lengths contradict each other, are not numbers, or compete with a transfer coding.
    case length = "the body's length is contradictory"
    case chunk = "a chunk of the body is malformed"
    /// The connection ended inside the header section.
    case endedEarly = "it ended before the response did"
}
