// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text with line breaks between words, so that lines fit a width; all lines but the first are indented.
    ///
    /// A word that is longer than a line stays whole, and so does a number with its unit. The colors of `Style` have no width.
    ///
    /// - Parameter width: the number of columns; nil for one line.
    package func wrapped(to width: Int?, indent: Int) -> String {
        guard let width else { return self }
        let indent = Swift.min(indent, width / 2)
        var text = ""
        var used = -1
        for word in words {
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

    private static let units: Set<Substring> = ["ms", "s", "min", "h", "d", "%"]

    /// The words, of which a number and its unit are one.
    private var words: [Substring] {
        var words: [Substring] = []
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let unit = word.prefix { $0.isLetter || $0 == "%" }
            if let number = words.last, number.last?.isNumber == true, Self.units.contains(unit),
                word.dropFirst(unit.count).allSatisfy(\.isPunctuation)
            {
                words[words.count - 1] = self[number.startIndex..<word.endIndex]
            } else {
                words.append(word)
            }
        }
        return words
    }

    private static func width(of word: Substring) -> Int {
        let parts = word.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        return (parts.first?.count ?? 0)
            + parts.dropFirst().reduce(0) { $0 + $1.drop { $0 != "m" }.dropFirst().count }
    }
}
