//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How many retries all work that shares a monitor may make while the network seems to be well.
///
/// A server in trouble gets worse when every client tries again; a budget keeps the extra load small. A retry after the
/// network has been away costs nothing: that was not the server's fault. A value without clocks: its owner tells the time.
struct RetryBudget: Hashable, Sendable {
    let capacity: Int
    /// After how long one retry is earned anew.
    let refillInterval: Duration
    private var available: Int
    private var refilledAt: Duration

    init(capacity: Int, refillInterval: Duration, at now: Duration) {
        self.capacity = max(0, capacity)
        self.refillInterval = refillInterval
        available = self.capacity
        refilledAt = now
    }

    /// What could be spent.
    func balance(at now: Duration) -> Int {
        var copy = self
        copy.refill(at: now)
        return copy.available
    }

    /// Pays for a retry.
    ///
    /// - Returns: false when nothing is left.
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
        // No more steps than there is room for, however long it was.
        while now - refilledAt >= refillInterval && available < capacity {
            available += 1
            refilledAt += refillInterval
        }
        // Time in which nothing was missing is not saved up.
        if available == capacity { refilledAt = max(refilledAt, now) }
    }
}
