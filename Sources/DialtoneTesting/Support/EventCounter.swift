// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// A counter that tests can wait for.
final class EventCounter: Sendable {
    private struct State {
        var count = 0
        var lastWait = 0
        var waits: [Int: AsyncStream<Int>.Continuation] = [:]
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    /// Adds one.
    ///
    /// - Returns: the count before.
    @discardableResult func increment() -> Int {
        state.withLock { state in
            state.count += 1
            for wait in state.waits.values { wait.yield(state.count) }
            return state.count - 1
        }
    }

    /// Waits until the count is reached; returns early when the task is cancelled.
    func wait(for count: Int) async {
        let (counts, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let wait = state.withLock { state in
            state.lastWait += 1
            state.waits[state.lastWait] = continuation
            continuation.yield(state.count)
            return state.lastWait
        }
        defer { state.withLock { $0.waits[wait] = nil } }
        _ = await counts.first { $0 >= count }
    }
}
