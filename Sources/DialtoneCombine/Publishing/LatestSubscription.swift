// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

import SystemSupport

/// Delivers values to one subscriber on demand; without demand, only the newest value is kept.
///
/// `@unchecked Sendable`: the lock protects the mutable state, and only the one thread that has set `isDelivering`
/// calls the subscriber, outside the lock.
final class LatestSubscription<Output: Sendable>: Subscription, @unchecked Sendable {
    private struct State {
        var demand = Subscribers.Demand.none
        var waiting: Output?
        /// The last value that the subscriber received.
        var last: Output?
        var isFinished = false
        var isDelivering = false
        /// The subscriber; nil once the subscription has ended.
        var subscriber: AnySubscriber<Output, Never>?
        var onEnd: (@Sendable () -> Void)?
    }

    private enum Step {
        case value(Output, AnySubscriber<Output, Never>)
        case completion(AnySubscriber<Output, Never>)
        case rest
    }

    private let lock = Mutex(())
    private var state = State()
    private let news: @Sendable (_ value: Output, _ last: Output?) -> Output?

    /// Creates a subscription.
    ///
    /// - Parameters:
    ///   - subscriber: the receiver of the values.
    ///   - news: returns the value to deliver after the last delivered one; nil if there is no change. Only the
    ///     subscription knows which value was delivered last. Called under the lock.
    init<Downstream: Subscriber>(
        _ subscriber: Downstream,
        news: @escaping @Sendable (_ value: Output, _ last: Output?) -> Output? = { value, _ in value }
    ) where Downstream.Input == Output, Downstream.Failure == Never {
        self.news = news
        state.subscriber = AnySubscriber(subscriber)
    }

    /// Sets a closure that runs when the subscriber has cancelled or completed, or at once if it already has.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let hasEnded = withState { state in
            if state.subscriber != nil { state.onEnd = body }
            return state.subscriber == nil
        }
        if hasEnded { body() }
    }

    /// Replaces the waiting value, and delivers it if there is demand.
    func send(_ value: Output) {
        withState { if $0.subscriber != nil, !$0.isFinished { $0.waiting = value } }
        deliver()
    }

    /// Completes after the waiting value; a value without demand does not delay it.
    func finish() {
        withState { $0.isFinished = true }
        deliver()
    }

    /// Delivers what is waiting, within the demand.
    ///
    /// One thread at a time calls the subscriber. Other threads, and nested calls, leave the work to it.
    private func deliver() {
        let mustDeliver = withState { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard mustDeliver else { return }
        while true {
            switch nextStep() {
            case .value(let value, let subscriber):
                let demand = subscriber.receive(value)
                withState { $0.demand += demand }
            case .completion(let subscriber):
                end()
                subscriber.receive(completion: .finished)
            case .rest: return
            }
        }
    }

    // MARK: Subscription

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        withState { $0.demand += demand }
        deliver()
    }

    func cancel() { end() }

    /// Releases the subscriber outside the lock, because that may release other objects.
    private func end() {
        let (subscriber, values, onEnd) = withState { state in
            defer {
                state.subscriber = nil
                state.waiting = nil
                state.last = nil
                state.onEnd = nil
            }
            return (state.subscriber, (state.waiting, state.last), state.onEnd)
        }
        withExtendedLifetime((subscriber, values)) { onEnd?() }
    }

    private func nextStep() -> Step {
        withState { state in
            guard let subscriber = state.subscriber else {
                state.isDelivering = false
                return .rest
            }
            if state.demand > .none, let value = state.waiting {
                state.waiting = nil
                if let value = news(value, state.last) {
                    state.last = value
                    state.demand -= 1
                    return .value(value, subscriber)
                }
            }
            if state.isFinished { return .completion(subscriber) }
            state.isDelivering = false
            return .rest
        }
    }

    /// Runs a closure with the state under the lock, which does not contain it because Combine's types are not
    /// `Sendable`.
    private func withState<Value>(_ body: (inout State) -> Value) -> Value {
        lock.withLock { _ in Unchecked(value: body(&state)) }.value
    }

    /// `@unchecked Sendable`: the value only moves from the lock to the thread that holds it.
    private struct Unchecked<Value>: @unchecked Sendable {
        let value: Value
    }
}

#endif
