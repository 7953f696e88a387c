//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A piece of a page.
///
/// Text that is interpolated is escaped; only a piece of a page goes in as it is. So nothing that came from outside can be
/// anything but text.
struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The markup.
    let description: String

    /// Markup of our own, as it is.
    init(stringLiteral value: String) { description = value }

    /// Makes a piece with interpolations.
    init(stringInterpolation: StringInterpolation) { description = stringInterpolation.markup }

    /// Several pieces, one after the other.
    init(_ pieces: some Sequence<HTML>) { description = pieces.map(\.description).joined() }

    /// Text, escaped, without control characters, and without those that turn the direction of writing.
    static func text(_ text: some StringProtocol) -> HTML {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n": result += "\n"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                    result += "\u{FFFD}"
                default: result.unicodeScalars.append(scalar)
                }
            }
        }
        return HTML(stringLiteral: result)
    }

    /// What interpolations are made with.
    struct StringInterpolation: StringInterpolationProtocol {
        var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { markup += literal }
        mutating func appendInterpolation(_ piece: HTML) { markup += piece.description }
        mutating func appendInterpolation(_ piece: HTML?) { markup += piece?.description ?? "" }
        mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { markup += piece.description } }
        mutating func appendInterpolation(_ text: some StringProtocol) { markup += HTML.text(text).description }
        mutating func appendInterpolation(_ number: some BinaryInteger) { markup += String(number) }
    }
}
