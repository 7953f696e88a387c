// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

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
