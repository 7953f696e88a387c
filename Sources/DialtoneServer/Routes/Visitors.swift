// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The state kept about visitors: their sessions, and the rate of the checks that they request.
final class Visitors: Sendable {
    private struct State {
        var sessions = Sessions()
        var tokenEpoch: UInt64 = 0
        var checks = RateLimit(burst: 6, interval: .seconds(2))
    }

    private let state = Mutex(State())
    private let time: TimeSource

    init(time: TimeSource = .system) { self.time = time }

    /// Whether a visitor may request a check now, by a rate limit that all visitors share; counts it if so.
    func mayCheck() -> Bool { state.withLock { $0.checks.allows(at: time.now) } }

    /// Whether an identifier belongs to a session.
    @Sendable func hasSession(_ word: String) -> Bool {
        state.withLock { $0.sessions.contains(word, at: time.now) }
    }

    func endSession(_ word: String) { state.withLock { $0.sessions.end(word) } }

    /// The number of changes of the token: what an earlier token has opened ends with its epoch.
    var tokenEpoch: UInt64 { state.withLock { $0.tokenEpoch } }

    /// Begins a session and returns its identifier; nil if the token has changed since an epoch.
    func beginSession(inEpoch epoch: UInt64) -> String? {
        state.withLock { state in
            guard state.tokenEpoch == epoch else { return nil }
            return state.sessions.begin(at: time.now, random: SystemRandomNumberGenerator())
        }
    }

    /// Ends every session, because the token has changed.
    func beginTokenEpoch() {
        state.withLock { state in
            state.sessions = Sessions()
            state.tokenEpoch += 1
        }
    }
}

/// A rate limit: a token bucket that refills steadily.
struct RateLimit: Sendable {
    private let capacity: Double
    private let interval: Duration
    private var tokens: Double
    private var last: ContinuousClock.Instant?

    /// Allows `burst` actions at once, then one per interval.
    init(burst: Int, interval: Duration) {
        capacity = Double(burst)
        self.interval = interval
        tokens = capacity
    }

    /// Whether the action is allowed now; counts it if so.
    mutating func allows(at now: ContinuousClock.Instant) -> Bool {
        if let last, now > last { tokens = min(capacity, tokens + (now - last) / interval) }
        last = max(last ?? now, now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}

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
        let word = (0..<4).map { _ in random.next().digits(16, radix: 16) }.joined()
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

    mutating func end(_ word: String) { words.removeAll { $0.word == word } }
}
