//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

/// JSON by hand, for the few objects that are not encoded by type.
enum JSONText {
    /// A string literal (RFC 8259 section 7).
    ///
    /// `<`, `>` and `&` are escaped too, so that the text may stand anywhere, and what cannot be seen.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "<", ">", "&": result += OneLineJSON.escape(scalar)
            // Most of a page is ASCII, of which the table need not be asked.
            case " "..."~": result.unicodeScalars.append(scalar)
            case _ where OneLineJSON.isUnseen(scalar): result += OneLineJSON.escape(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A string literal, or null.
    static func quoted(_ text: String?) -> String { text.map { quoted($0) } ?? "null" }
}
