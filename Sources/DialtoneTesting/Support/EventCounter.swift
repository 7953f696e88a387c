// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A counter that tests can wait for.
final class EventCounter: Sendable {
    private struct State {
        var count = 0
        var lastWait = 0
        var waits: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        /// Waits whose task was cancelled before they started.
        var abandoned: Set<Int> = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    /// Adds one.
    ///
    /// - Returns: the count before.
    @discardableResult func increment() -> Int {
        let (before, waiters) = state.withLock { state in
            state.count += 1
            let over = state.waits.filter { $0.value.count <= state.count }
            for wait in over.keys { state.waits[wait] = nil }
            return (state.count - 1, over.values.map(\.continuation))
        }
        for waiter in waiters { waiter.resume() }
        return before
    }

    /// Waits until the count is reached; returns early when the task is cancelled.
    func wait(for count: Int) async {
        let wait = state.withLock { state in
            state.lastWait += 1
            return state.lastWait
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.count >= count || state.abandoned.remove(wait) != nil { return true }
                    state.waits[wait] = (count, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waits.removeValue(forKey: wait)
                if waiter == nil { state.abandoned.insert(wait) }
                return waiter
            }
            waiter?.continuation.resume()
        }
    }
}
