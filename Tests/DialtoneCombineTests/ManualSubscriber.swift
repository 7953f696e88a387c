// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

import DialtoneCombine
import SystemSupport
import TestSupport

/// A subscriber whose demand the test controls, and which records what it receives.
///
/// `@unchecked Sendable` for the subscription, which is not `Sendable`: the lock protects it.
final class ManualSubscriber<Input: Sendable>: Subscriber, Sendable {
    typealias Failure = Never

    let values = Recorder<Input>()
    let completions = Recorder<Void>()
    private let subscription = Mutex<Held?>(nil)
    private let demandPerValue: Subscribers.Demand
    private let demandAtFirst: Subscribers.Demand

    /// Protected by the lock.
    private struct Held: @unchecked Sendable {
        let subscription: any Subscription
    }

    init(atFirst: Subscribers.Demand = .unlimited, perValue: Subscribers.Demand = .none) {
        demandAtFirst = atFirst
        demandPerValue = perValue
    }

    func receive(subscription: any Subscription) {
        let held = Held(subscription: subscription)
        self.subscription.withLock { $0 = held }
        subscription.request(demandAtFirst)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        values.record(input)
        return demandPerValue
    }

    func receive(completion: Subscribers.Completion<Never>) { completions.record(()) }

    func request(_ demand: Subscribers.Demand) {
        let held = subscription.withLock { $0 }
        held?.subscription.request(demand)
    }

    func cancel() {
        let held = subscription.withLock { held in
            defer { held = nil }
            return held
        }
        held?.subscription.cancel()
    }
}

#endif
