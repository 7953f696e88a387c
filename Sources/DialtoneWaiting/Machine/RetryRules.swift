// SPDX-License-Identifier: Apache-2.0

/// Decides whether a failed operation is retried.
struct RetryRules {
    let policy: WaitingPolicy
    /// The number of attempts so far.
    let attempts: Int
    let failure: RequestFailure
    /// The current obstacle to another attempt; nil if the network seems to work.
    let obstacle: WaitReason?
    /// Why the network could not carry the connection of the last attempt, although there is no obstacle; nil if it
    /// could.
    var uncarried: WaitReason?

    /// The decision.
    enum Verdict: Hashable {
        /// Throw the error to the caller.
        case fail
        /// Retry as soon as the network is back, at no cost.
        case whenBack
        /// Retry after a backoff, at the cost of one retry from the budget.
        case afterBackoff
        /// Retry after a backoff or when the path changes, at no cost: the network could not carry the connection.
        case whenCarried
    }

    var verdict: Verdict {
        let isUncounted = !failure.mayHaveReachedServer || policy.maximumAttempts != 1
        if uncarried != nil, obstacle == nil, mayRepeat, isUncounted { return .whenCarried }
        if let maximum = policy.maximumAttempts, attempts >= maximum { return .fail }
        if !mayRepeat { return .fail }
        switch failure.kind {
        case .cancelled, .invalidRequest: return .fail
        // An error of unknown meaning, or an untrusted certificate, counts as the network's fault only if there is an
        // obstacle.
        case .unknown, .tlsFailure: return obstacle == nil ? .fail : .whenBack
        default: return obstacle == nil ? .afterBackoff : .whenBack
        }
    }

    /// Whether running the operation again cannot have an effect twice that it must have once.
    private var mayRepeat: Bool { policy.isIdempotent || !failure.mayHaveReachedServer }
}

/// The number of retries that all operations of a room may make while the network seems to work.
///
/// An overloaded server gets worse if every client retries; a budget keeps the extra load small. A retry after a
/// network outage costs nothing, because the server did not cause the failure. The budget is a value without clocks:
/// its owner passes in the time.
struct RetryBudget: Hashable, Sendable {
    let capacity: Int
    /// The time after which one retry becomes available again.
    let refillInterval: Duration
    private var available: Int
    private var refilledAt: Duration

    init(capacity: Int, refillInterval: Duration, at now: Duration) {
        self.capacity = max(0, capacity)
        self.refillInterval = refillInterval
        available = self.capacity
        refilledAt = now
    }

    /// Spends one retry.
    ///
    /// - Returns: false if no retry is available.
    mutating func spend(at now: Duration) -> Bool {
        refill(at: now)
        guard available > 0 else { return false }
        available -= 1
        return true
    }

    private mutating func refill(at now: Duration) {
        guard available < capacity && refillInterval > .zero else {
            refilledAt = max(refilledAt, now)
            return
        }
        // The loop ends at the capacity, however long the budget has been unused.
        while now - refilledAt >= refillInterval && available < capacity {
            available += 1
            refilledAt += refillInterval
        }
        // Time during which the budget was full is not saved up.
        if available == capacity { refilledAt = max(refilledAt, now) }
    }
}

/// Waits whose limit grows after every failure; each wait is a random part of its limit.
///
/// With the defaults, the limits are 0.5, 1, 2, 4, … 60 s. A random choice from the whole range ("full jitter") spreads
/// many clients best over time.
public struct Backoff: Hashable, Sendable {
    /// The limit of the first wait; 0.5 s by default.
    public var first: Duration
    /// The limit of every wait; 60 s by default.
    public var longest: Duration
    /// The factor by which the limit grows after each failure; 2 by default.
    public var factor: Double

    /// Creates a backoff; omitted arguments have the documented defaults.
    public init(
        first: Duration = .milliseconds(500), longest: Duration = .seconds(60), factor: Double = 2
    ) {
        self.first = first
        self.longest = longest
        self.factor = factor
    }

    /// Checks every value.
    ///
    /// - Throws: the first invalid value, with the reason.
    public func validate() throws(WaitingPolicyError) {
        try WaitingPolicyError.check(first, "backoff.first")
        try WaitingPolicyError.check(longest, "backoff.longest")
        guard first <= longest else {
            throw WaitingPolicyError("backoff.first", "\(first) is longer than backoff.longest, which is \(longest)")
        }
        guard factor >= 1, factor <= 1000 else {
            throw WaitingPolicyError("backoff.factor", "must be from 1 to 1000, not \(factor)")
        }
    }

    /// The limit of a wait.
    ///
    /// - Parameter failures: the number of failed attempts; 1 or less gives the first limit.
    public func limit(after failures: Int) -> Duration {
        var limit = min(first, longest)
        var remaining = min(max(failures, 1) - 1, 10_000)
        // With a factor close to 1 this loop could take a long time; waits beyond the ten-thousandth do not matter.
        while remaining > 0, limit < longest {
            limit = min(limit * factor, longest)
            remaining -= 1
        }
        return limit
    }

    /// A random wait.
    ///
    /// - Parameters:
    ///   - failures: the number of failed attempts; 1 or less gives the first wait.
    ///   - random: a number from 0 up to 1.
    public func delay(after failures: Int, random: Double) -> Duration {
        limit(after: failures) * min(max(random, 0), 1)
    }
}
