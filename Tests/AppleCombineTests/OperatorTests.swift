// SPDX-License-Identifier: Apache-2.0

#if Publishers
import Combine
import Testing

/// Operators that OpenCombine lacks, and what `import Combine` alone brings.
struct OperatorTests {
    private enum Failed: Error, Equatable { case once }

    /// Events as text: values, and how the publisher ended.
    private func events<P: Publisher>(
        of publisher: P, while body: () -> Void = {}
    ) -> [String] where P.Failure: Error {
        var events: [String] = []
        let subscription = publisher.sink { completion in
            switch completion {
            case .finished: events.append("finished")
            case .failure: events.append("failed")
            }
        } receiveValue: {
            events.append("\($0)")
        }
        body()
        subscription.cancel()
        return events
    }

    @Test func `merged publishers deliver what any of them delivers, and finish when all have`() {
        let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
        let two = events(of: subjects[0].merge(with: subjects[1])) {
            subjects[0].send(1)
            subjects[1].send(2)
            subjects[0].send(completion: .finished)
            subjects[1].send(3)
            subjects[1].send(completion: .finished)
        }
        #expect(two == ["1", "2", "3", "finished"])
        let four = events(of: Just(1).merge(with: [2].publisher, Just(3), Just(4).eraseToAnyPublisher()))
        #expect(four == ["1", "2", "3", "4", "finished"])
        #expect(events(of: Publishers.MergeMany([Just(1), Just(2)]).merge(with: Just(3))).count == 4)
    }

    @Test func `a merged publisher fails with the first failure`() {
        let (one, two) = (PassthroughSubject<Int, Failed>(), PassthroughSubject<Int, Failed>())
        let events = events(of: one.merge(with: two)) {
            one.send(1)
            two.send(completion: .failure(.once))
            one.send(2)
        }
        #expect(events == ["1", "failed"])
    }

    @Test func `combineLatest delivers once all have a value, and then at each value`() {
        let (number, word) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<String?, Never>(nil))
        let events = events(of: number.combineLatest(word) { "\($0)\($1 ?? "-")" }) {
            word.send("a")
            number.send(1)
            word.send(nil)
            number.send(2)
            number.send(completion: .finished)
            word.send("b")
            word.send(completion: .finished)
        }
        #expect(events == ["1a", "1-", "2-", "2b", "finished"])
    }

    @Test func `combineLatest of three and four delivers flat tuples`() {
        #expect(events(of: Just(1).combineLatest(Just("a"), Just(true))) == ["(1, \"a\", true)", "finished"])
        let four = Publishers.CombineLatest4(Just(1), Just(2), Just(3), Just(4)).map { $0 + $1 + $2 + $3 }
        #expect(events(of: four) == ["10", "finished"])
    }

    @Test func `a value that ends the pipeline when it is released is replaced without a deadlock`() {
        final class Screen { var token: AnyCancellable? }
        let (screens, ticks) = (PassthroughSubject<Screen, Never>(), PassthroughSubject<Int, Never>())
        var received: [Int] = []
        var screen: Screen? = Screen()
        screen?.token = screens.combineLatest(ticks).sink { received.append($0.1) }
        if let first = screen { screens.send(first) }
        ticks.send(1)
        screen = nil
        screens.send(Screen())
        ticks.send(2)
        #expect(received.first == 1 && !received.contains(2))
    }

    @Test func `combineLatest fails at once, and not after its end`() {
        let (one, two) = (PassthroughSubject<Int, Failed>(), PassthroughSubject<Int, Failed>())
        let events = events(of: one.combineLatest(two)) {
            one.send(1)
            two.send(completion: .failure(.once))
            one.send(completion: .failure(.once))
        }
        #expect(events == ["failed"])
    }

    @Test func `values without demand are not queued: the newest comes with the next demand`() {
        final class OneAtATime: Subscriber {
            var values: [Int] = []
            var subscription: (any Subscription)?
            func receive(subscription: any Subscription) { self.subscription = subscription }
            func receive(_ input: Int) -> Subscribers.Demand {
                values.append(input)
                return .none
            }
            func receive(completion: Subscribers.Completion<Never>) { values.append(-1) }
        }
        let (one, two) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let subscriber = OneAtATime()
        one.combineLatest(two) { $0 * 10 + $1 }.subscribe(subscriber)
        one.send(1)
        two.send(1)
        two.send(2)
        #expect(subscriber.values == [])
        subscriber.subscription?.request(.max(1))
        one.send(3)
        one.send(4)
        #expect(subscriber.values == [12])
        subscriber.subscription?.request(.max(1))
        one.send(completion: .finished)
        two.send(completion: .finished)
        #expect(subscriber.values == [12, 42, -1])
    }

    @Test func `a cancelled subscription is silent, also from inside a value`() {
        let subject = PassthroughSubject<Int, Never>()
        var values: [Int] = []
        var subscription: AnyCancellable?
        subscription = subject.combineLatest(Just(1)).sink { first, _ in
            values.append(first)
            subscription?.cancel()
        }
        subject.send(1)
        subject.send(2)
        #expect(values == [1])
    }

    @Test func `importing only Combine provides NotificationCenter`() {
        let name = Notification.Name("example")
        let center = NotificationCenter()
        let events = events(of: center.publisher(for: name).map(\.name.rawValue)) {
            center.post(name: name, object: nil)
        }
        #expect(events == ["example"])
    }
}
#endif
