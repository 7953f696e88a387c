//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin) || Publishers

import Synchronization

/// Hands values to one subscriber as it demands them: while it demands none, only the newest waits.
///
/// `@unchecked Sendable`: what changes is guarded by the lock, and the subscriber is called only by the one thread that has
/// set `isDelivering`, outside the lock.
final class LatestSubscription<Output: Sendable>: Subscription, @unchecked Sendable {
    private struct State {
        var demand = Subscribers.Demand.none
        var waiting: Output?
        /// What the subscriber got last.
        var last: Output?
        var isFinished = false
        var isDelivering = false
        /// Nil once it is over.
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

    /// Makes one.
    ///
    /// - Parameters:
    ///   - subscriber: who gets the values.
    ///   - news: what a value is to be told as after the one that was told last; nil when it is no news. Only here it is
    ///     known which one that was. Called under the lock.
    init<Downstream: Subscriber>(
        _ subscriber: Downstream,
        news: @escaping @Sendable (_ value: Output, _ last: Output?) -> Output? = { value, _ in value }
    ) where Downstream.Input == Output, Downstream.Failure == Never {
        self.news = news
        state.subscriber = AnySubscriber(subscriber)
    }

    /// Says what is to be done when the subscriber has cancelled or got its completion; at once if it has.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let hasEnded = withState { state in
            if state.subscriber != nil { state.onEnd = body }
            return state.subscriber == nil
        }
        if hasEnded { body() }
    }

    /// Puts a value in place of one that waits, without calling anybody: `deliver()` does.
    func put(_ value: Output) {
        withState { if $0.subscriber != nil, !$0.isFinished { $0.waiting = value } }
    }

    /// Puts the completion behind the value that waits; a value that nobody demands does not hold it up.
    func putCompletion() {
        withState { $0.isFinished = true }
    }

    /// Hands on what waits, as far as it is demanded.
    ///
    /// One thread at a time calls the subscriber. Others, and calls from within it, leave the work to that one.
    func deliver() {
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

    /// Lets go of the subscriber, outside the lock, because what it holds may end with it.
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

    /// The lock is beside the state, not around it, because Combine's types are not `Sendable`.
    private func withState<Value>(_ body: (inout State) -> Value) -> Value {
        lock.withLock { _ in Unchecked(value: body(&state)) }.value
    }

    /// `@unchecked Sendable`: it goes from the lock to the thread that holds it, and nowhere else.
    private struct Unchecked<Value>: @unchecked Sendable {
        let value: Value
    }
}

#endif
