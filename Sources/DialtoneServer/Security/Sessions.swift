// SPDX-License-Identifier: Apache-2.0

/// The sessions of browsers that presented the token: each has a random identifier, which is lost when the server ends.
struct Sessions: Sendable {
    private var words: [(word: String, end: ContinuousClock.Instant)] = []

    /// The duration of a session.
    static let length = Duration.seconds(12 * 3600)
    /// The maximum number of sessions; the oldest is removed first.
    static let limit = 64
    /// The name of the cookie.
    static let cookie = "dialtone-session"

    /// Begins a session.
    ///
    /// - Returns: the session's identifier.
    mutating func begin(at now: ContinuousClock.Instant, random: some RandomNumberGenerator) -> String {
        var random = random
        let word = (0..<4).map { _ in Self.hexadecimal(random.next()) }.joined()
        words.append((word, now + Self.length))
        if words.count > Self.limit { words.removeFirst() }
        return word
    }

    /// Whether an identifier belongs to a session.
    mutating func contains(_ word: String, at now: ContinuousClock.Instant) -> Bool {
        words.removeAll { $0.end <= now }
        // Guessing 256 bits by timing the comparison takes longer than a session lasts.
        return words.contains { $0.word == word }
    }

    /// Ends a session.
    mutating func end(_ word: String) { words.removeAll { $0.word == word } }

    private static func hexadecimal(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
