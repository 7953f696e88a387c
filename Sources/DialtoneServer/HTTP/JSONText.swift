//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

/// Hand-written JSON for the few objects that are not encoded from a type.
enum JSONText {
    /// Returns a string literal (RFC 8259 section 7).
    ///
    /// It also escapes `<`, `>` and `&`, so that the text is safe in any context, and invisible characters.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "<", ">", "&": result += OneLineJSON.escape(scalar)
            // Most of a page is ASCII, which needs no table lookup.
            case " "..."~": result.unicodeScalars.append(scalar)
            case _ where OneLineJSON.isUnseen(scalar): result += OneLineJSON.escape(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Returns a string literal, or null.
    static func quoted(_ text: String?) -> String { text.map { quoted($0) } ?? "null" }
}
