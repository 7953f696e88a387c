// SPDX-License-Identifier: Apache-2.0

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

    /// The number of retries available.
    func balance(at now: Duration) -> Int {
        var copy = self
        copy.refill(at: now)
        return copy.available
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
