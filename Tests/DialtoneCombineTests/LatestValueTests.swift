// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

import SystemSupport
import TestSupport
import Testing

@testable import DialtoneCombine

struct LatestValueTests {
    let latest = LatestValue<Int>()
    let period = LatestValue<Int>.ListeningPeriod()

    @Test func `the current value arrives at once, then each different one`() {
        latest.send(1, in: period)
        let subscriber = ManualSubscriber<Int>()
        latest.publisher.subscribe(subscriber)
        for value in [1, 2, 2, 2, 3] { latest.send(value, in: period) }
        #expect(subscriber.values.values == [1, 2, 3])
    }

    @Test func `without demand only the newest value waits`() {
        let subscriber = ManualSubscriber<Int>(atFirst: .max(1))
        latest.publisher.subscribe(subscriber)
        for value in 1...5 { latest.send(value, in: period) }
        #expect(subscriber.values.values == [1])
        subscriber.request(.max(1))
        #expect(subscriber.values.values == [1, 5])
        subscriber.request(.max(2))
        for value in 6...9 { latest.send(value, in: period) }
        #expect(subscriber.values.values == [1, 5, 6, 7])
        subscriber.request(.none)
        #expect(subscriber.values.values.count == 4)
    }

    @Test func `demand returned while receiving a value counts`() {
        let subscriber = ManualSubscriber<Int>(atFirst: .max(1), perValue: .max(1))
        latest.publisher.subscribe(subscriber)
        for value in 1...100 { latest.send(value, in: period) }
        #expect(subscriber.values.values == Array(1...100))
    }

    @Test func `each subscriber has its own demand`() {
        let (hungry, idle) = (ManualSubscriber<Int>(), ManualSubscriber<Int>(atFirst: .none))
        latest.publisher.subscribe(hungry)
        latest.publisher.subscribe(idle)
        for value in 1...3 { latest.send(value, in: period) }
        #expect(hungry.values.values == [1, 2, 3])
        #expect(idle.values.values.isEmpty)
        idle.request(.unlimited)
        #expect(idle.values.values == [3])
    }

    @Test func `completion reaches all subscribers, also later ones, and needs no demand`() {
        let (early, idle, late) = (
            ManualSubscriber<Int>(), ManualSubscriber<Int>(atFirst: .none), ManualSubscriber<Int>()
        )
        latest.publisher.subscribe(early)
        latest.publisher.subscribe(idle)
        latest.send(1, in: period)
        latest.finish()
        latest.finish()
        latest.send(2, in: period)
        latest.publisher.subscribe(late)
        for subscriber in [early, idle, late] { #expect(subscriber.completions.values.count == 1) }
        #expect(early.values.values == [1])
        #expect(idle.values.values.isEmpty)
        #expect(late.values.values.isEmpty)
    }

    @Test func `an ended period publishes nothing, and a new one may repeat the last value`() {
        let subscriber = ManualSubscriber<Int>()
        latest.publisher.subscribe(subscriber)
        latest.send(1, in: period)
        latest.end(period)
        latest.send(2, in: period)
        let new = LatestValue<Int>.ListeningPeriod()
        latest.send(1, in: new)
        latest.send(9, in: new, onlyAsFirst: true)
        #expect(subscriber.values.values == [1, 1])
    }

    @Test func `ending a period again does not affect the next one`() {
        latest.send(1, in: period)
        latest.end(period)
        let new = LatestValue<Int>.ListeningPeriod()
        latest.send(2, in: new)
        latest.end(period)
        let late = ManualSubscriber<Int>()
        latest.publisher.subscribe(late)
        #expect(late.values.values == [2])
    }

    @Test func `a waiting value that equals the last one is dropped without using demand`() {
        let subscriber = ManualSubscriber<Int>(atFirst: .max(1))
        let subscription = LatestSubscription<Int>(subscriber) { value, last in value == last ? nil : value }
        subscriber.receive(subscription: subscription)
        for value in [1, 2, 1] { subscription.send(value) }
        subscriber.request(.max(1))
        #expect(subscriber.values.values == [1])
        subscription.send(3)
        #expect(subscriber.values.values == [1, 3])
        subscriber.cancel()
    }

    @Test func `cancelling ends the subscription and releases the subscriber`() {
        weak var weakSubscriber: ManualSubscriber<Int>?
        do {
            let subscriber = ManualSubscriber<Int>()
            weakSubscriber = subscriber
            latest.publisher.subscribe(subscriber)
            latest.send(1, in: period)
            subscriber.cancel()
            latest.send(2, in: period)
            #expect(subscriber.values.values == [1])
        }
        #expect(weakSubscriber == nil)
    }

    @Test func `cancelling while receiving a value makes it the last one`() {
        let values = Recorder<Int>()
        var cancellable: AnyCancellable?
        cancellable = latest.publisher.sink { value in
            values.record(value)
            if value == 2 { cancellable?.cancel() }
        }
        for value in 1...5 { latest.send(value, in: period) }
        #expect(values.values == [1, 2])
        withExtendedLifetime(cancellable) {}
    }

    @Test func `a value sent during a delivery is delivered after it`() {
        let values = Recorder<Int>()
        let cancellable = latest.publisher.sink { [latest, period] value in
            if value < 5 { latest.send(value + 1, in: period) }
            values.record(value)
        }
        latest.send(1, in: period)
        #expect(values.values == [1, 2, 3, 4, 5])
        cancellable.cancel()
    }

    @Test func `values sent from many threads reach every subscriber, never older after newer`() async {
        let latest = LatestValue<Int>()
        let subscribers = (0..<4).map { _ in ManualSubscriber<Int>() }
        for subscriber in subscribers { latest.publisher.subscribe(subscriber) }
        let numbers = Counter()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { [period] in
                    for _ in 0..<200 { numbers.next { latest.send($0, in: period) } }
                }
            }
        }
        for subscriber in subscribers {
            let values = subscriber.values.values
            #expect(values == values.sorted())
            #expect(values.last == 1600)
        }
    }
}

private final class Counter: Sendable {
    private let number = Mutex(0)

    /// Increments the number and passes it to the closure before any other caller gets the next one.
    func next(_ body: (Int) -> Void) {
        number.withLock {
            $0 += 1
            body($0)
        }
    }
}

#endif
