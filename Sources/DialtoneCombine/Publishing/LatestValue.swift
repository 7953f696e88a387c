//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin) || Publishers

import Synchronization

/// A value that changes, for any number of subscribers: each gets the present one first, then each that differs.
///
/// A subscriber that demands nothing for a while gets the newest after it, and not those between.
final class LatestValue<Output: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Output?
        var subscriptions: [ObjectIdentifier: LatestSubscription<Output>] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A time of listening, to which values belong.
    final class Stint: Sendable {
        /// Changed only under the value's lock.
        fileprivate let isOver = Atomic(false)

        /// Whether it is over.
        var hasEnded: Bool { isOver.load(ordering: .relaxed) }
    }

    /// Makes this the value, and tells everybody if it differs; does nothing once the stint is over.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - stint: when it was found.
    ///   - isFirst: whether it counts only if there is none yet.
    func send(_ value: Output, in stint: Stint, onlyAsFirst isFirst: Bool = false) {
        // What waits is put in its place under the lock, so that nobody gets an older value after a newer.
        let subscriptions = state.withLock { state -> [LatestSubscription<Output>] in
            guard !state.isFinished, !stint.hasEnded, state.value != value,
                !isFirst || state.value == nil
            else { return [] }
            state.value = value
            for subscription in state.subscriptions.values { subscription.put(value) }
            return Array(state.subscriptions.values)
        }
        for subscription in subscriptions { subscription.deliver() }
    }

    /// Ends a stint and forgets the value: the next one is news, whatever it is, and later subscribers wait for it.
    ///
    /// Calls nobody. What a later stint has found stays when an earlier one is ended again.
    func end(_ stint: Stint) {
        state.withLock { state in
            guard !stint.hasEnded else { return }
            stint.isOver.store(true, ordering: .relaxed)
            state.value = nil
        }
    }

    /// Completes every subscription, and those to come.
    func finish() {
        let subscriptions = state.withLock { state in
            state.isFinished = true
            state.value = nil
            defer { state.subscriptions = [:] }
            for subscription in state.subscriptions.values { subscription.putCompletion() }
            return Array(state.subscriptions.values)
        }
        for subscription in subscriptions { subscription.deliver() }
    }

    /// The publisher of the value.
    var publisher: AnyPublisher<Output, Never> { AnyPublisher(LatestValuePublisher(latest: self)) }

    fileprivate func attach(_ subscription: LatestSubscription<Output>) {
        let identifier = ObjectIdentifier(subscription)
        state.withLock { state in
            if let value = state.value { subscription.put(value) }
            if state.isFinished { subscription.putCompletion() } else { state.subscriptions[identifier] = subscription }
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

#endif
