// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// A fragment of HTML.
///
/// Interpolated text is escaped; only another fragment is inserted unchanged. External input can therefore never become
/// markup.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    package let description: String

    /// Creates a fragment from literal markup.
    package init(stringLiteral value: String) { description = value }

    /// Creates a fragment with interpolations.
    package init(stringInterpolation: StringInterpolation) { description = stringInterpolation.markup }

    /// Concatenates several fragments.
    package init(_ pieces: some Sequence<HTML>) { description = pieces.map(\.description).joined() }

    /// Escapes text, and removes control characters and those that change the writing direction.
    package static func text(_ text: some StringProtocol) -> HTML {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n": result += "\n"
            default: result.unicodeScalars.append(scalar.isUnseen ? "\u{FFFD}" : scalar)
            }
        }
        return HTML(stringLiteral: result)
    }

    /// Builds the markup of an interpolated string.
    package struct StringInterpolation: StringInterpolationProtocol {
        var markup = ""

        package init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { markup += literal }
        package mutating func appendInterpolation(_ piece: HTML) { markup += piece.description }
        package mutating func appendInterpolation(_ piece: HTML?) { markup += piece?.description ?? "" }
        package mutating func appendInterpolation(_ pieces: [HTML]) {
            for piece in pieces { markup += piece.description }
        }
        package mutating func appendInterpolation(_ text: some StringProtocol) { markup += HTML.text(text).description }
        package mutating func appendInterpolation(_ number: some BinaryInteger) { markup += String(number) }
    }
}

extension LocalTime {
    /// Whether two times are on the same day of the local calendar.
    static func isSameDay(_ time: Date, _ other: Date) -> Bool {
        abs(time.timeIntervalSince(other)) < 100_000 && text(time, .date) == text(other, .date)
    }

    /// Returns an element with the server's time, which a browser with JavaScript replaces with its own local time.
    ///
    /// - Parameter style: the parts of the time to show.
    static func element(_ date: Date, _ style: Style = .clock) -> HTML {
        "<time datetime=\"\(date.iso8601)\" data-style=\"\(style.rawValue)\">\(text(date, style))</time>"
    }
}
