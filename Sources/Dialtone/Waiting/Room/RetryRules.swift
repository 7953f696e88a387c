// SPDX-License-Identifier: Apache-2.0

/// Decides whether a failed operation is retried.
struct RetryRules {
    let policy: WaitingPolicy
    /// The number of attempts so far.
    let attempts: Int
    let failure: RequestFailure
    /// The current obstacle to another attempt; nil if the network seems to work.
    let obstacle: WaitingPolicy.Obstacle?
    /// Why the network could not carry the connection of the last attempt, although there is no obstacle; nil if it
    /// could.
    var uncarried: WaitingPolicy.Obstacle?

    /// The decision.
    enum Decision: Hashable {
        /// Throw the error to the caller.
        case fail
        /// Retry as soon as the network is back, at no cost.
        case whenBack
        /// Retry after a backoff, at the cost of one retry from the budget.
        case afterBackoff
        /// Retry after a backoff or when the path changes, at no cost: the network could not carry the connection.
        case whenCarried
    }

    var decision: Decision {
        let isUncounted = !failure.mayHaveReachedServer || policy.maximumAttempts != 1
        if uncarried != nil, obstacle == nil, mayRepeat, isUncounted { return .whenCarried }
        if let maximum = policy.maximumAttempts, attempts >= maximum { return .fail }
        if !mayRepeat { return .fail }
        switch failure.kind {
        case .cancelled, .invalidRequest: return .fail
        // An error of unknown meaning, an untrusted certificate or a redirect loop counts as the network's fault only if there is an
        // obstacle.
        case .unknown, .tlsFailure, .redirectLoop: return obstacle == nil ? .fail : .whenBack
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
        // The loop ends at the capacity, however long the budget has been unused.
        while now - refilledAt >= refillInterval && available < capacity {
            available += 1
            refilledAt += refillInterval
        }
        // Time during which the budget was full is not saved up.
        if available == capacity { refilledAt = max(refilledAt, now) }
    }
}
