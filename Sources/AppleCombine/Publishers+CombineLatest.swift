// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) && Publishers

public import OpenCombineShim
import Synchronization

// OpenCombine 0.14 lacks these operators. Source: Apple's documentation of `Publishers.CombineLatest`.

extension Publishers {
    /// Delivers the newest values of two publishers whenever one of them delivers, once both have delivered.
    ///
    /// It finishes when all publishers have finished, and fails as soon as one fails. Values without demand are not
    /// queued: the newest values are delivered with the subscriber's next demand.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where B.Failure == A.Failure {
        /// The newest value of each publisher.
        public typealias Output = (A.Output, B.Output)
        /// The publishers' error type.
        public typealias Failure = A.Failure

        /// The first publisher.
        public let a: A
        /// The second publisher.
        public let b: B

        /// Combines two publishers.
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        /// Subscribes to all publishers.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            CombineLatestSubscription(subscriber).subscribe(to: a, b)
        }
    }

    /// Delivers the newest values of three publishers whenever one of them delivers, once each has delivered.
    ///
    /// It finishes when all publishers have finished, and fails as soon as one fails. Values without demand are not
    /// queued: the newest values are delivered with the subscriber's next demand.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where B.Failure == A.Failure, C.Failure == A.Failure {
        /// The newest value of each publisher.
        public typealias Output = (A.Output, B.Output, C.Output)
        /// The publishers' error type.
        public typealias Failure = A.Failure

        /// The first publisher.
        public let a: A
        /// The second publisher.
        public let b: B
        /// The third publisher.
        public let c: C

        /// Combines three publishers.
        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        /// Subscribes to all publishers.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            a.combineLatest(b).combineLatest(c) { ($0.0, $0.1, $1) }.receive(subscriber: subscriber)
        }
    }

    /// Delivers the newest values of four publishers whenever one of them delivers, once each has delivered.
    ///
    /// It finishes when all publishers have finished, and fails as soon as one fails. Values without demand are not
    /// queued: the newest values are delivered with the subscriber's next demand.
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where B.Failure == A.Failure, C.Failure == A.Failure, D.Failure == A.Failure {
        /// The newest value of each publisher.
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        /// The publishers' error type.
        public typealias Failure = A.Failure

        /// The first publisher.
        public let a: A
        /// The second publisher.
        public let b: B
        /// The third publisher.
        public let c: C
        /// The fourth publisher.
        public let d: D

        /// Combines four publishers.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        /// Subscribes to all publishers.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            a.combineLatest(b, c).combineLatest(d) { ($0.0, $0.1, $0.2, $1) }.receive(subscriber: subscriber)
        }
    }
}

extension Publisher {
    /// Delivers the newest values of this publisher and another.
    public func combineLatest<B: Publisher>(_ b: B) -> Publishers.CombineLatest<Self, B> where B.Failure == Failure {
        Publishers.CombineLatest(self, b)
    }

    /// Delivers the result of a closure for the newest values of this publisher and another.
    public func combineLatest<B: Publisher, Result>(
        _ b: B, _ transform: @escaping (Output, B.Output) -> Result
    ) -> Publishers.Map<Publishers.CombineLatest<Self, B>, Result> where B.Failure == Failure {
        Publishers.CombineLatest(self, b).map { transform($0.0, $0.1) }
    }

    /// Delivers the newest values of this publisher and two others.
    public func combineLatest<B: Publisher, C: Publisher>(_ b: B, _ c: C) -> Publishers.CombineLatest3<Self, B, C>
    where B.Failure == Failure, C.Failure == Failure {
        Publishers.CombineLatest3(self, b, c)
    }

    /// Delivers the result of a closure for the newest values of this publisher and two others.
    public func combineLatest<B: Publisher, C: Publisher, Result>(
        _ b: B, _ c: C, _ transform: @escaping (Output, B.Output, C.Output) -> Result
    ) -> Publishers.Map<Publishers.CombineLatest3<Self, B, C>, Result>
    where B.Failure == Failure, C.Failure == Failure {
        Publishers.CombineLatest3(self, b, c).map { transform($0.0, $0.1, $0.2) }
    }

    /// Delivers the newest values of this publisher and three others.
    public func combineLatest<B: Publisher, C: Publisher, D: Publisher>(_ b: B, _ c: C, _ d: D)
        -> Publishers.CombineLatest4<Self, B, C, D>
    where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
        Publishers.CombineLatest4(self, b, c, d)
    }

    /// Delivers the result of a closure for the newest values of this publisher and three others.
    public func combineLatest<B: Publisher, C: Publisher, D: Publisher, Result>(
        _ b: B, _ c: C, _ d: D, _ transform: @escaping (Output, B.Output, C.Output, D.Output) -> Result
    ) -> Publishers.Map<Publishers.CombineLatest4<Self, B, C, D>, Result>
    where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
        Publishers.CombineLatest4(self, b, c, d).map { transform($0.0, $0.1, $0.2, $0.3) }
    }
}

/// A subscriber's subscription to both publishers of a `CombineLatest`.
private final class CombineLatestSubscription<A, B, Downstream: Subscriber>: Subscription, @unchecked Sendable
where Downstream.Input == (A, B) {
    // The mutex guards all mutable state. The subscriber is called outside it. Publishers may call from any thread, so
    // values of different publishers may arrive at the same time; `isDelivering` serializes the calls.
    private struct State {
        var subscriber: Downstream?
        var a: A?
        var b: B?
        var subscriptions: [AnyCancellable] = []
        var demand = Subscribers.Demand.none
        var hasUndelivered = false
        var unfinished = 2
        var completion: Subscribers.Completion<Downstream.Failure>?
        var isDelivering = false
    }

    private enum Delivery {
        case value(Downstream, Downstream.Input)
        case completion(Downstream, Subscribers.Completion<Downstream.Failure>)
    }

    private let state: Mutex<Unchecked>

    /// Allows the mutex to hold values that are not Sendable.
    private struct Unchecked: @unchecked Sendable { var state = State() }

    init(_ subscriber: Downstream) {
        var initial = Unchecked()
        initial.state.subscriber = subscriber
        state = Mutex(initial)
    }

    func subscribe(to a: some Publisher<A, Downstream.Failure>, _ b: some Publisher<B, Downstream.Failure>) {
        change { $0.subscriber }?.receive(subscription: self)
        observe(a, \.a)
        observe(b, \.b)
    }

    private func observe<Value>(
        _ source: some Publisher<Value, Downstream.Failure>, _ newest: WritableKeyPath<State, Value?>
    ) {
        let subscription = source.sink {
            self.receive($0)
        } receiveValue: { value in
            // The former value is released outside the mutex, because releasing it may run the program's code.
            var value: Value? = value
            self.change { state in
                swap(&state[keyPath: newest], &value)
                state.hasUndelivered = state.a != nil && state.b != nil
            }
            self.deliver()
        }
        // If this was cancelled meanwhile, nothing holds the new subscription, and its release ends it.
        change { state in if state.subscriber != nil { state.subscriptions.append(subscription) } }
    }

    func request(_ demand: Subscribers.Demand) {
        change { $0.demand += demand }
        deliver()
    }

    func cancel() {
        // The state is released outside the mutex, because releasing it may run the program's code.
        _ = change { state -> State in
            defer { state = State() }
            return state
        }
    }

    private func receive(_ completion: Subscribers.Completion<Downstream.Failure>) {
        change { state in
            state.unfinished -= 1
            if case .failure = completion {
                state.completion = completion
            } else if state.unfinished == 0 {
                state.completion = state.completion ?? .finished
            }
        }
        deliver()
    }

    /// Calls the subscriber with all pending events, one call after another.
    private func deliver() {
        let mustDeliver = change { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard mustDeliver else { return }
        while let delivery = nextDelivery() {
            switch delivery {
            case .value(let subscriber, let input):
                let more = subscriber.receive(input)
                change { $0.demand += more }
            case .completion(let subscriber, let completion):
                cancel()
                subscriber.receive(completion: completion)
            }
        }
    }

    private func nextDelivery() -> Delivery? {
        change { state -> Delivery? in
            guard let subscriber = state.subscriber else {
                state.isDelivering = false
                return nil
            }
            if case .failure = state.completion, let completion = state.completion {
                return .completion(subscriber, completion)
            }
            if state.hasUndelivered, state.demand > .none, let a = state.a, let b = state.b {
                state.hasUndelivered = false
                state.demand -= 1
                return .value(subscriber, (a, b))
            }
            if let completion = state.completion, !state.hasUndelivered { return .completion(subscriber, completion) }
            state.isDelivering = false
            return nil
        }
    }

    @discardableResult
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { body(&$0.state) }
    }
}

#endif
