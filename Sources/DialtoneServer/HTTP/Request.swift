// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// A request that was read in full and is within the limits.
struct Request: Hashable, Sendable {
    /// A name in lower case, and a value without surrounding white space.
    typealias Field = InternetCheck.Response.Field

    /// The method, such as `GET`.
    var method: String
    /// The path as received: percent-encoded.
    var path: String
    var query: [String: String] = [:]
    var fields: [Field] = []
    var body: [UInt8] = []
    /// Whether it arrived over TLS.
    var isEncrypted = false

    /// The value of a field; nil if it is missing or occurs more than once.
    subscript(field name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values.first?.value : nil
    }

    /// Whether the browser used HTTPS: to this server, or, as a proxy in front of it reports, to the proxy.
    var isSecure: Bool { isEncrypted || self[field: "x-forwarded-proto"]?.lowercased() == "https" }

    /// The values of the form in the body.
    var form: [String: String] { FormText.decode(String(decoding: body, as: UTF8.self)) }

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

/// The encoding of forms and queries: `application/x-www-form-urlencoded`, as defined by the URL standard of WHATWG.
enum FormText {
    /// Returns the first value of each name; reads at most 64 pairs.
    static func decode(_ text: some StringProtocol) -> [String: String] {
        var result: [String: String] = [:]
        for pair in text.split(separator: "&", omittingEmptySubsequences: true).prefix(64) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = unescape(parts[0])
            if result[name] == nil { result[name] = parts.count > 1 ? unescape(parts[1]) : "" }
        }
        return result
    }

    private static func unescape(_ text: some StringProtocol) -> String {
        let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        let spaced = String(decoding: bytes, as: UTF8.self)
        return String(decoding: spaced[...].percentDecoded(keepsMalformed: true) ?? bytes, as: UTF8.self)
    }
}
