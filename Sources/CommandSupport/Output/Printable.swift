// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Makes untrusted text (names of interfaces, hosts, portals) safe to print to a terminal.
package enum Printable {
    /// The text with every control character replaced, so that it cannot move the cursor, or change the colors or title
    /// of the terminal.
    package static func text(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isUnseen ? "\u{FFFD}" : $0 }))
    }
}
