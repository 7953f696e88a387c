// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// JSON for printing: on one line, and without terminal control sequences.
package enum OneLineJSON {
    /// Encodes a value with sorted keys.
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Encodes a value whose encoding cannot fail.
    package static func string(_ value: some Encodable) -> String { (try? text(value)) ?? "null" }

    /// The same JSON with invisible characters escaped, which decodes to the same values.
    ///
    /// An encoder escapes only U+0000 to U+001F, and leaves U+009B in untrusted text, which starts a terminal control
    /// sequence. Outside strings, JSON is ASCII.
    static func escaped(_ json: String) -> String {
        guard json.utf8.contains(where: { $0 >= 0x7F }) else { return json }
        return json.unicodeScalars.map { $0.value >= 0x7F && $0.isUnseen ? escape($0) : String($0) }.joined()
    }

    /// `\uXXXX`, or two of them (RFC 8259 section 7).
    private static func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { "\\u" + $0.digits(4, radix: 16) }.joined()
    }
}
