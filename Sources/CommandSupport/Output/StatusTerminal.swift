// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// Standard error, as the place of lines that are replaced and removed while a command runs.
package enum StatusTerminal {
    /// Whether lines can be replaced: not in a file, nor on a terminal that supports only plain text.
    package static let isAvailable = isatty(STDERR_FILENO) == 1 && ProcessEnvironment.value("TERM") != "dumb"

    /// The text without wrapping (DECAWM): each line stays one line on a narrow terminal, and can be removed as one.
    package static func unwrapped(_ text: String) -> String { "\u{1B}[?7l\(text)\u{1B}[?7h" }

    package static func write(_ text: String) {
        _ = try? SystemCall.write(Array(text.utf8)[...], to: STDERR_FILENO)
    }
}
