// SPDX-License-Identifier: Apache-2.0

/// A value that changes, and the subscribers that receive it.
///
/// Each subscriber receives the current value first, if there is one, and then each new value in the order in which they
/// were enqueued. Subscribers are called outside every lock, one call at a time, on the thread that delivers. They must
/// return quickly, because a slow one delays the others: a subscriber that may be slow iterates over `values(buffering:)`
/// instead, which skips to the newest values.
///
/// A value that depends on other state is enqueued under the lock of that state, which decides the order, and delivered
/// outside it:
///
/// ```swift
/// state.withLock { state in
///     state.machine.handle(event)
///     statuses.enqueue(state.machine.status)
/// }
/// statuses.deliver()
/// ```
package final class Broadcaster<Value: Sendable>: Sendable {
    /// Identifies a subscriber.
    package final class Subscription: Sendable {
        fileprivate let isCancelled = Mutex(false)
    }

    private struct Subscriber: Sendable {
        let subscription: Subscription
        let receive: @Sendable (Value) -> Void
        let onFinish: @Sendable () -> Void
    }

    private struct State {
        var value: Value?
        /// In the order of subscription.
        var subscribers: [Subscriber] = []
        var isFinished = false
    }

    private let state: Mutex<State>
    private let queue: DeliveryQueue<@Sendable () -> Void>

    /// - Parameters:
    ///   - value: the current value; nil if it is not known yet.
    ///   - queue: orders the calls of the subscribers; an owner that performs other work in the same order passes its own.
    package init(_ value: Value? = nil, queue: DeliveryQueue<@Sendable () -> Void> = DeliveryQueue()) {
        state = Mutex(State(value: value))
        self.queue = queue
    }

    /// The current value; nil if it is not known yet, or not any more.
    package var value: Value? { state.withLock { $0.value } }

    package var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

    // MARK: Under the caller's lock

    /// Sets the current value, and enqueues it for every subscriber; has no effect once finished.
    package func enqueue(_ value: Value) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.value = value
            enqueue(state.subscribers) { $0.receive(value) }
        }
    }

    /// Replaces the current value for later subscribers only; with nil, these wait for the next value.
    package func reset(_ value: Value? = nil) { state.withLock { if !$0.isFinished { $0.value = value } } }

    /// Adds a subscriber, and enqueues the current value for it.
    ///
    /// - Parameter onFinish: called once, after the last value, if the broadcaster finishes before the subscription is cancelled.
    package func add(
        _ receive: @escaping @Sendable (Value) -> Void, onFinish: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        let subscriber = Subscriber(subscription: Subscription(), receive: receive, onFinish: onFinish)
        state.withLock { state in
            if let value = state.value { enqueue([subscriber]) { $0.receive(value) } }
            if state.isFinished {
                enqueue([subscriber]) { $0.onFinish() }
            } else {
                state.subscribers.append(subscriber)
            }
        }
        return subscriber.subscription
    }

    private func enqueue(_ subscribers: [Subscriber], _ call: @escaping @Sendable (Subscriber) -> Void) {
        guard !subscribers.isEmpty else { return }
        queue.append {
            for subscriber in subscribers where !subscriber.subscription.isCancelled.withLock({ $0 }) {
                call(subscriber)
            }
        }
    }

    // MARK: Outside every lock

    /// Calls the subscribers with everything that is enqueued, unless another thread is already doing so: then that
    /// thread makes these calls, too.
    package func deliver() { queue.drain { $0() } }

    /// Adds a subscriber and delivers the current value to it; see `add(_:onFinish:)`.
    package func subscribe(
        _ receive: @escaping @Sendable (Value) -> Void, onFinish: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        defer { deliver() }
        return add(receive, onFinish: onFinish)
    }

    /// Ends a subscription: after this, no call of the subscriber starts.
    ///
    /// A call in progress on another thread may still run to its end.
    package func cancel(_ subscription: Subscription) {
        subscription.isCancelled.withLock { $0 = true }
        // The closures are released outside the lock: objects that they hold may use this broadcaster when they are
        // released.
        let old = state.withLock { state in
            state.subscribers.firstIndex { $0.subscription === subscription }.map { state.subscribers.remove(at: $0) }
        }
        withExtendedLifetime(old) {}
    }

    /// Ends every subscription, including later ones, after the values that are enqueued; there is no value any more.
    package func finish() {
        state.withLock { state in
            enqueue(state.subscribers) { $0.onFinish() }
            state = State(isFinished: true)
        }
        deliver()
    }

    /// The values as a sequence: the current one first, then each new one.
    ///
    /// The sequence ends when the broadcaster finishes.
    ///
    /// - Parameter capacity: the number of values kept for a slow loop; of more, it gets the newest.
    package func values(buffering capacity: Int = 1) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(capacity))
        let subscription = subscribe {
            continuation.yield($0)
        } onFinish: {
            continuation.finish()
        }
        continuation.onTermination = { [weak self] _ in self?.cancel(subscription) }
        return stream
    }
}
