// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Dispatch
import Synchronization

/// Waits, without blocking a thread, until a descriptor is readable.
final class ReadabilityWaiter: Sendable {
    private struct State {
        let source: any DispatchSourceRead
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        /// Waits that were cancelled before they started.
        var abandoned: Set<UInt64> = []
        var lastWaiter: UInt64 = 0
        /// Whether the source is resumed: only while a task waits, because it fires as long as there is something to read.
        var isListening = false
    }

    private let state: Mutex<State>

    /// Creates an instance for a descriptor that stays open as long as its owner exists.
    init(of descriptorNumber: Int32, ownedBy owner: some AnyObject & Sendable) {
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptorNumber, queue: DispatchQueue(label: "dialtone.readiness"))
        // The descriptor must not be closed, and its number reused, while the source still refers to it.
        source.setCancelHandler { withExtendedLifetime(owner) {} }
        state = Mutex(State(source: source))
        state.withLock { $0.source.setEventHandler { [weak self] in self?.wakeAll() } }
    }

    deinit {
        state.withLock { state in
            // A suspended source must not be released, and does not handle its cancellation.
            if !state.isListening { state.source.resume() }
            state.source.cancel()
        }
    }

    /// Returns when there may be something to read, or when the task is cancelled.
    func wait() async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { enter($0, id: id) }
        } onCancel: {
            abandon(id)
        }
        _ = state.withLock { $0.abandoned.remove(id) }
    }

    private func enter(_ waiter: CheckedContinuation<Void, Never>, id: UInt64) {
        let mustWait = state.withLock { state in
            guard !state.abandoned.contains(id) else { return false }
            state.waiters[id] = waiter
            if !state.isListening {
                state.isListening = true
                state.source.resume()
            }
            return true
        }
        if !mustWait { waiter.resume() }
    }

    private func abandon(_ id: UInt64) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter == nil { state.abandoned.insert(id) }
            return waiter
        }
        waiter?.resume()
    }

    private func wakeAll() {
        let waiters = state.withLock { state in
            if state.isListening {
                state.isListening = false
                state.source.suspend()
            }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}
#endif
