// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A limit on the total amount of a resource that all users may hold at a time.
final class Budget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Reserves an amount; false if not enough is left.
    ///
    /// A single user may exceed the limit, so that it cannot starve.
    func reserve(_ amount: Int) -> Bool {
        used.withLock { used in
            guard used == 0 || amount <= limit - used else { return false }
            used += amount
            return true
        }
    }

    /// Releases a reserved amount.
    func release(_ amount: Int) { used.withLock { $0 -= amount } }
}
