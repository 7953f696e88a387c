// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

import SystemSupport

/// A value that changes; each of its subscribers receives the current one first, then each different one.
///
/// A subscriber without demand later receives the newest value, and not those in between.
final class LatestValue<Output: Equatable & Sendable>: Sendable {
    /// Guards the comparison of a value with the last one.
    private let lock = Mutex(())
    private let values = Broadcaster<Output>()

    /// A listening period, to which values belong; the flag is set once it has ended.
    typealias ListeningPeriod = OnceFlag

    /// Sets the value and notifies every subscriber if it differs; has no effect once the period has ended.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - period: the listening period in which the value was observed.
    ///   - isFirst: whether the value is used only if no value has arrived yet.
    func send(_ value: Output, in period: ListeningPeriod, onlyAsFirst isFirst: Bool = false) {
        lock.withLock { _ in
            let last = values.value
            guard !period.isSet, last != value, !isFirst || last == nil else { return }
            values.enqueue(value)
        }
        values.deliver()
    }

    /// Ends a period and forgets the value: the next value counts as a change, and later subscribers wait for it.
    ///
    /// It calls no subscriber. If an earlier period is ended again, the value of a later one is kept.
    func end(_ period: ListeningPeriod) {
        lock.withLock { _ in
            if period.set() { values.reset() }
        }
    }

    /// Completes every subscription, including future ones.
    func finish() { values.finish() }

    var publisher: AnyPublisher<Output, Never> { AnyPublisher(LatestValuePublisher(values: values)) }
}

private struct LatestValuePublisher<Output: Equatable & Sendable>: Publisher {
    typealias Failure = Never

    let values: Broadcaster<Output>

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
        let subscription = LatestSubscription(subscriber)
        subscriber.receive(subscription: subscription)
        let registration = values.subscribe {
            subscription.send($0)
        } onFinish: {
            subscription.finish()
        }
        subscription.whenEnded { [weak values] in values?.cancel(registration) }
    }
}

/// Publishes the newest elements of an asynchronous sequence; each subscriber has its own iteration.
struct LatestElements<Base: AsyncSequence & Sendable>: Publisher where Base.Element: Sendable {
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
            // These sequences never throw; a constraint that says so needs macOS 15 and iOS 18.
            do {
                for try await element in base { subscription.send(element) }
            } catch {}
            subscription.finish()
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
