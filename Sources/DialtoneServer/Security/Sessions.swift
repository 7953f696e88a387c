//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Who has shown the token in a browser: the browser then shows a random word, which is forgotten when the server ends.
struct Sessions: Sendable {
    private var words: [(word: String, end: ContinuousClock.Instant)] = []

    /// How long a session lasts.
    static let length = Duration.seconds(12 * 3600)
    /// How many there may be; the oldest makes room.
    static let limit = 64
    /// The name of the cookie.
    static let cookie = "dialtone-session"

    /// Begins a session.
    ///
    /// - Returns: its word.
    mutating func begin(at now: ContinuousClock.Instant, random: some RandomNumberGenerator) -> String {
        var random = random
        let word = (0..<4).map { _ in Self.hexadecimal(random.next()) }.joined()
        words.append((word, now + Self.length))
        if words.count > Self.limit { words.removeFirst() }
        return word
    }

    /// Whether a word is that of a session.
    mutating func contains(_ word: String, at now: ContinuousClock.Instant) -> Bool {
        words.removeAll { $0.end <= now }
        // Guessing 256 bits by the time of a comparison takes longer than a session.
        return words.contains { $0.word == word }
    }

    /// Ends a session.
    mutating func end(_ word: String) { words.removeAll { $0.word == word } }

    private static func hexadecimal(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
