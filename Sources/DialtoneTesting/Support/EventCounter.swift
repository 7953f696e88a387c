// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// A counter that tests can wait for.
final class EventCounter: Sendable {
    private let state = Mutex(0)
    private let counts = Broadcaster(0)

    var count: Int { state.withLock { $0 } }

    /// Adds one.
    ///
    /// - Returns: the count before.
    @discardableResult func increment() -> Int {
        defer { counts.deliver() }
        return state.withLock { count in
            count += 1
            counts.enqueue(count)
            return count - 1
        }
    }

    /// Waits until the count is reached; returns early when the task is cancelled.
    func wait(for count: Int) async { _ = await counts.values().first { $0 >= count } }
}
