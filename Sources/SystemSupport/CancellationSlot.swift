// SPDX-License-Identifier: Apache-2.0

/// What cancels something that is replaced now and then, such as a timer, until its owner ends.
package final class CancellationSlot: Sendable {
    private struct State {
        var cancel: TimeSource.Cancellation?
        var isEnded = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Cancels what was set before; after the end, cancels the new one at once.
    package func set(_ cancel: TimeSource.Cancellation?) {
        let outdated = state.withLock { state in
            if state.isEnded { return cancel }
            defer { state.cancel = cancel }
            return state.cancel
        }
        outdated?()
    }

    /// Cancels what is set, and everything that is set later.
    package func end() {
        let last = state.withLock { state in
            state.isEnded = true
            return state.cancel.take()
        }
        last?()
    }
}
