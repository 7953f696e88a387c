// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Distributes events to all listeners.
///
/// Listeners have no queues: each one keeps its own read position in the shared ring. A slow listener delays no other
/// listener and uses no memory; one that falls behind the ring restarts from the current state. It is no `Broadcaster`,
/// because events are numbered and a listener that reconnects receives the ones it missed.
final class EventHub: Sendable {
    /// The reason for waking a listener.
    enum WakeReason: Hashable, Sendable {
        /// The next event after those the listener has seen; one at a time, because a listener keeps it in memory.
        case event(EventRing.Event)
        /// The listener missed some events: it gets the current state instead.
        case tooLate
        /// Nothing happened for a while.
        case quiet
        /// The server is stopping.
        case end
    }

    private struct State {
        var ring: EventRing
        var waiters: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastWaiter: UInt64 = 0
        var isEnded = false
        var beating: Task<Void, Never>?
        var listeners = 0
    }

    private let state: Mutex<State>
    private let keepAlive: Duration
    private let time: TimeSource
    private let listenerLimit: Int

    init(series: String, keepAlive: Duration = .seconds(15), listenerLimit: Int, time: TimeSource = .system) {
        state = Mutex(State(ring: EventRing(series: series)))
        self.keepAlive = keepAlive
        self.time = time
        self.listenerLimit = listenerLimit
    }

    /// The number of the latest event, and its identifier.
    var latest: (number: UInt64, identifier: String) {
        state.withLock { ($0.ring.latest, $0.ring.identifier($0.ring.latest)) }
    }

    var listenerCount: Int { state.withLock { $0.listeners } }

    /// The number in a `Last-Event-ID`; nil for an identifier of another run.
    func number(of identifier: String) -> UInt64? { state.withLock { $0.ring.number(of: identifier) } }

    /// A listener's slot, released with this object.
    final class Slot: Sendable {
        private let hub: EventHub

        /// Reserves a slot; nil if all are taken.
        init?(in hub: EventHub) {
            guard hub.enter() else { return nil }
            self.hub = hub
        }

        deinit { hub.leave() }
    }

    /// Registers a listener; false if there are too many.
    private func enter() -> Bool {
        state.withLock { state in
            guard state.listeners < listenerLimit, !state.isEnded else { return false }
            state.listeners += 1
            if state.beating == nil { state.beating = Task { [weak self] in await self?.beat() } }
            return true
        }
    }

    /// Unregisters a listener.
    private func leave() { state.withLock { $0.listeners -= 1 } }

    /// Publishes an event to all listeners.
    func publish(_ name: String, _ data: String) { wake { $0.ring.append(name, data) } }

    /// Lets every stream check whether it may continue.
    func recheck() { wake { _ in } }

    func end() {
        wake { state in
            state.isEnded = true
            state.beating?.cancel()
        }
    }

    /// Waits for the next event after a number.
    ///
    /// - Parameters:
    ///   - number: the number of the last event the listener has seen.
    ///   - isAllowed: whether the listener may wait; otherwise the reason is `end`.
    func next(after number: UInt64, if isAllowed: () -> Bool) async -> WakeReason {
        let (wakes, continuation) = AsyncStream.makeStream(of: Void.self)
        let identifier = state.withLock { state in
            state.lastWaiter += 1
            if state.ring.latest == number, !state.isEnded {
                state.waiters[state.lastWaiter] = continuation
            } else {
                continuation.yield()
            }
            return state.lastWaiter
        }
        // A `recheck()` before this listener was registered has not woken it. The stream ends when the task is cancelled.
        let mayWait = isAllowed()
        if mayWait { await wakes.first { _ in true } }
        return state.withLock { state in
            state.waiters[identifier] = nil
            if !mayWait || state.isEnded || Task.isCancelled { return .end }
            return state.ring.next(after: number)
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.yield() }
    }

    /// One timer for all listeners; it stops while there are none.
    private func beat() async {
        while !Task.isCancelled {
            try? await time.sleep(for: keepAlive)
            let goesOn = state.withLock { state in
                if state.listeners == 0 { state.beating = nil }
                return state.beating != nil
            }
            guard goesOn else { return }
            recheck()
        }
    }
}
