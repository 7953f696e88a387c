// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text with line breaks between words, so that lines fit a width; all lines but the first are indented.
    ///
    /// A word that is longer than a line stays whole. The colors of `Style` have no width.
    package func wrapped(to width: Int, indent: Int) -> String {
        let indent = Swift.min(indent, width / 2)
        var text = ""
        var used = -1
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let length = Self.width(of: word)
            if used < 0 {
                used = length
            } else if used + 1 + length > width {
                // Spaces in front of a line break would not be seen.
                while text.last == " " { text.removeLast() }
                text += "\n" + String(repeating: " ", count: indent)
                used = indent + length
            } else {
                text += " "
                used += 1 + length
            }
            text += word
        }
        return text
    }

    private static func width(of word: Substring) -> Int {
        let parts = word.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        return (parts.first?.count ?? 0)
            + parts.dropFirst().reduce(0) { $0 + $1.drop { $0 != "m" }.dropFirst().count }
    }
}
