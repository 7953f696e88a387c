// SPDX-License-Identifier: Apache-2.0

/// A GET request as bytes (RFC 9112), for a connection with a single request.
package struct HTTPRequest: Hashable, Sendable {
    /// The path and query, or for a proxy the whole URL.
    package var target: String
    /// The value of the `Host` field.
    package var host: String
    /// Further fields, already validated.
    package var fields: [HTTPResponse.Field]

    package init(target: String, host: String, fields: [HTTPResponse.Field]) {
        self.target = target
        self.host = host
        self.fields = fields
    }

    /// The request line and the header section.
    package var bytes: [UInt8] { Self.bytes("GET \(target) HTTP/1.1", host, fields) }

    /// The request that asks a proxy for a tunnel to a host and port (RFC 9110, section 9.3.6).
    static func tunnel(to authority: String, fields: [HTTPResponse.Field]) -> [UInt8] {
        bytes("CONNECT \(authority) HTTP/1.1", authority, fields)
    }

    private static func bytes(_ line: String, _ host: String, _ fields: [HTTPResponse.Field]) -> [UInt8] {
        let lines = [line, "Host: \(host)"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
