// SPDX-License-Identifier: Apache-2.0

/// A request that was read in full and is within the limits.
struct Request: Hashable, Sendable {
    /// A header field.
    struct Field: Hashable, Sendable {
        /// The name, in lower case.
        var name: String
        /// The value, without surrounding white space.
        var value: String
    }

    /// The method, such as `GET`.
    var method: String
    /// The path as received: percent-encoded.
    var path: String
    /// The decoded query.
    var query: [String: String] = [:]
    /// The fields, in order.
    var fields: [Field] = []
    var body: [UInt8] = []
    /// The client at the other end of the connection; nil if unknown.
    var peer: Peer?
    /// Whether the connection may carry another request after this one.
    var keepsAlive = true

    /// The value of a field; nil if it is missing or occurs more than once.
    subscript(field name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values.first?.value : nil
    }

    /// Whether the browser used HTTPS, as reported by a proxy in front of the server.
    var isSecure: Bool { self[field: "x-forwarded-proto"]?.lowercased() == "https" }

    /// The values of the form in the body.
    var form: [String: String] { FormText.decode(String(decoding: body, as: UTF8.self)) }

    /// Returns the value of a cookie.
    func cookie(_ name: String) -> String? {
        for field in fields where field.name == "cookie" {
            for pair in field.value.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { continue }
                return String(parts[1])
            }
        }
        return nil
    }
}
