// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

import Synchronization

/// A value that changes; each of its subscribers receives the current one first, then each different one.
///
/// A subscriber without demand later receives the newest value, and not those in between.
final class LatestValue<Output: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Output?
        var subscriptions: [ObjectIdentifier: LatestSubscription<Output>] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A listening period, to which values belong.
    final class ListeningPeriod: Sendable {
        /// Changed only under the lock of the `LatestValue`.
        fileprivate let isOver = Atomic(false)

        /// Whether the period has ended.
        var hasEnded: Bool { isOver.load(ordering: .relaxed) }
    }

    /// Sets the value and notifies every subscriber if it differs; has no effect once the period has ended.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - period: the listening period in which the value was observed.
    ///   - isFirst: whether the value is used only if no value has arrived yet.
    func send(_ value: Output, in period: ListeningPeriod, onlyAsFirst isFirst: Bool = false) {
        // Waiting values are replaced under the lock, so that no subscriber receives an older value after a newer one.
        let subscriptions = state.withLock { state -> [LatestSubscription<Output>] in
            guard !state.isFinished, !period.hasEnded, state.value != value,
                !isFirst || state.value == nil
            else { return [] }
            state.value = value
            for subscription in state.subscriptions.values { subscription.enqueue(value) }
            return Array(state.subscriptions.values)
        }
        for subscription in subscriptions { subscription.deliver() }
    }

    /// Ends a period and forgets the value: the next value counts as a change, and later subscribers wait for it.
    ///
    /// It calls no subscriber. If an earlier period is ended again, the value of a later one is kept.
    func end(_ period: ListeningPeriod) {
        state.withLock { state in
            guard !period.hasEnded else { return }
            period.isOver.store(true, ordering: .relaxed)
            state.value = nil
        }
    }

    /// Completes every subscription, including future ones.
    func finish() {
        let subscriptions = state.withLock { state in
            state.isFinished = true
            state.value = nil
            defer { state.subscriptions = [:] }
            for subscription in state.subscriptions.values { subscription.enqueueCompletion() }
            return Array(state.subscriptions.values)
        }
        for subscription in subscriptions { subscription.deliver() }
    }

    /// A publisher of the value.
    var publisher: AnyPublisher<Output, Never> { AnyPublisher(LatestValuePublisher(latest: self)) }

    fileprivate func attach(_ subscription: LatestSubscription<Output>) {
        let identifier = ObjectIdentifier(subscription)
        state.withLock { state in
            if let value = state.value { subscription.enqueue(value) }
            if state.isFinished {
                subscription.enqueueCompletion()
            } else {
                state.subscriptions[identifier] = subscription
            }
        }
        subscription.whenEnded { [weak self] in self?.detach(identifier) }
        subscription.deliver()
    }

    private func detach(_ identifier: ObjectIdentifier) {
        let old = state.withLock { $0.subscriptions.removeValue(forKey: identifier) }
        withExtendedLifetime(old) {}
    }
}

private struct LatestValuePublisher<Output: Equatable & Sendable>: Publisher {
    typealias Failure = Never

    let latest: LatestValue<Output>

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
        let subscription = LatestSubscription(subscriber)
        subscriber.receive(subscription: subscription)
        latest.attach(subscription)
    }
}

/// Publishes the newest elements of an asynchronous sequence; each subscriber has its own iteration.
struct LatestElements<Base: AsyncSequence & Sendable>: Publisher where Base.Element: Sendable, Base.Failure == Never {
    typealias Output = Base.Element
    typealias Failure = Never

    let base: Base
    /// Returns the value to deliver after the subscriber's last one, if any; nil if there is no change.
    let news: @Sendable (_ value: Output, _ last: Output?) -> Output?

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
        let subscription = LatestSubscription(subscriber, news: news)
        subscriber.receive(subscription: subscription)
        let iteration = Task { [base] in
            for await element in base {
                subscription.enqueue(element)
                subscription.deliver()
            }
            subscription.enqueueCompletion()
            subscription.deliver()
        }
        subscription.whenEnded { iteration.cancel() }
    }
}

extension LatestElements where Base.Element: Equatable {
    /// Publishes the elements that differ from the last one that the subscriber received.
    init(differing base: Base) {
        self.init(base: base) { value, last in value == last ? nil : value }
    }
}

#endif
