// SPDX-License-Identifier: Apache-2.0

/// An answer to a probe: its status, its header fields, and its body up to the limit.
public struct HTTPResponse: Hashable, Sendable {
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
