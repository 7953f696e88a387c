//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A request, read in full and within the limits.
struct Request: Hashable, Sendable {
    /// A field of its head.
    struct Field: Hashable, Sendable {
        /// The name, in lower case.
        var name: String
        /// The value, without white space around it.
        var value: String
    }

    /// What is wanted, such as `GET`.
    var method: String
    /// The path, as it came: percent-encoded.
    var path: String
    /// What followed the question mark, decoded.
    var query: [String: String] = [:]
    /// The fields, in order.
    var fields: [Field] = []
    /// The body.
    var body: [UInt8] = []
    /// Whether the connection may carry another request after this one.
    var keepsAlive = true

    /// The value of a field; nil when it is missing or there are several.
    subscript(field name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values.first?.value : nil
    }

    /// The values of the form in the body.
    var form: [String: String] { FormText.decode(String(decoding: body, as: UTF8.self)) }

    /// The value of a cookie.
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
