// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import SystemSupport

/// A line of `watch` and `host --watch`: the time, the state, and what has changed.
enum ChangeLine {
    /// Returns the line; on a terminal without the date, and wrapped between words.
    ///
    /// - Parameters:
    ///   - headline: the state.
    ///   - changes: what has changed; nil in the first line.
    ///   - style: the colors.
    static func text(_ headline: String, changes: String?, _ style: Style) -> String {
        let width = Console.width
        let time = LocalTime.text(TimeSource.system.moment.realtime, width == nil ? .full : .milliseconds)
        var line = style.quiet(time) + "  " + headline
        if let changes { line += style.quiet("  (changed: \(changes))") }
        return width.map { line.wrapped(to: $0, indent: time.count + 2) } ?? line
    }
}

extension String {
    /// The text with line breaks between words, so that lines fit a width; all lines but the first are indented.
    ///
    /// A word that is longer than a line stays whole. The colors of `Style` have no width.
    func wrapped(to width: Int, indent: Int) -> String {
        let indent = Swift.min(indent, width / 2)
        var text = ""
        var used = 0
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let length = Self.width(of: word)
            if text.isEmpty {
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
