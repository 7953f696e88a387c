// SPDX-License-Identifier: Apache-2.0

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
