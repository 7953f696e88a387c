// SPDX-License-Identifier: Apache-2.0

import SystemSupport
import TestSupport
import Testing

/// A value reaches every subscriber in order and outside every lock, the current one first.
struct BroadcasterTests {
    /// An operation on a broadcaster; subscribers have names.
    enum Step: Sendable {
        case enqueue(Int), deliver, publish(Int), reset(Int?), subscribe(String), cancel(String), finish
    }

    /// Steps, what subscribers do when they receive a value, and the resulting calls in order: `a1` is subscriber `a`
    /// receiving 1, and `a.` its end.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        var reactions: [String: [Step]] = [:]
        let calls: String

        init(_ name: String, _ steps: [Step], _ reactions: [String: [Step]] = [:], calls: String) {
            (testDescription, self.steps, self.reactions, self.calls) = (name, steps, reactions, calls)
        }
    }

    static let cases = [
        Case(
            "the current value comes first", [.publish(1), .publish(2), .subscribe("a"), .publish(3)], calls: "a2 a3"),
        Case("without a value, the first one is awaited", [.subscribe("a"), .publish(1)], calls: "a1"),
        Case("in the order of subscription", [.subscribe("b"), .subscribe("a"), .publish(1)], calls: "b1 a1"),
        Case(
            "every value that is enqueued, in order", [.subscribe("a"), .enqueue(1), .enqueue(2), .deliver],
            calls: "a1 a2"),
        Case(
            "earlier values only for earlier subscribers",
            [.subscribe("a"), .enqueue(1), .enqueue(2), .subscribe("b")],
            calls: "a1 a2 b2"),
        Case(
            "nothing after a cancellation, not even what is enqueued",
            [.subscribe("a"), .enqueue(1), .cancel("a"), .deliver, .publish(2)], calls: ""),
        Case("a cancellation may be repeated", [.subscribe("a"), .cancel("a"), .cancel("a"), .publish(1)], calls: ""),
        Case(
            "a value that was reset is for later subscribers only",
            [.publish(1), .subscribe("a"), .reset(5), .subscribe("b"), .publish(6)], calls: "a1 b5 a6 b6"),
        Case("no value after a reset", [.publish(1), .reset(nil), .subscribe("a"), .publish(1)], calls: "a1"),
        Case(
            "the end comes after the last value, once, and to later subscribers",
            [.subscribe("a"), .enqueue(1), .finish, .finish, .publish(2), .reset(3), .subscribe("b")],
            calls: "a1 a. b."),
        Case("no end after a cancellation", [.subscribe("a"), .cancel("a"), .finish], calls: ""),
        Case(
            "a value published in a handler follows the one being delivered",
            [.subscribe("a"), .subscribe("b"), .publish(1)], ["a1": [.publish(2)]], calls: "a1 b1 a2 b2"),
        Case(
            "a handler that cancels itself", [.subscribe("a"), .enqueue(1), .enqueue(2), .deliver],
            ["a1": [.cancel("a")]], calls: "a1"),
        Case(
            "a handler that cancels another", [.subscribe("a"), .subscribe("b"), .publish(1), .publish(2)],
            ["a1": [.cancel("b")]], calls: "a1 a2"),
        Case(
            "a handler that subscribes another", [.subscribe("a"), .subscribe("b"), .publish(1)],
            ["a1": [.subscribe("c")]], calls: "a1 b1 c1"),
        Case(
            "a handler that finishes", [.subscribe("a"), .subscribe("b"), .publish(1)], ["a1": [.finish]],
            calls: "a1 b1 a. b."),
    ]

    @Test(arguments: cases) func `calls are made as documented`(row: Case) {
        let rig = Rig(row.reactions)
        for step in row.steps { rig.perform(step) }
        #expect(rig.calls.values.joined(separator: " ") == row.calls)
    }

    private final class Rig: Sendable {
        let calls = Recorder<String>()
        private let broadcaster = Broadcaster<Int>()
        private let reactions: [String: [Step]]
        private let subscriptions = Mutex<[String: Broadcaster<Int>.Subscription]>([:])

        init(_ reactions: [String: [Step]]) { self.reactions = reactions }

        func perform(_ step: Step) {
            switch step {
            case .enqueue(let value): broadcaster.enqueue(value)
            case .deliver: broadcaster.deliver()
            case .publish(let value): broadcaster.publish(value)
            case .reset(let value): broadcaster.reset(value)
            case .finish: broadcaster.finish()
            case .cancel(let name): subscriptions.withLock { $0[name] }.map(broadcaster.cancel)
            case .subscribe(let name):
                let new = broadcaster.subscribe { [weak self] in
                    self?.receive("\(name)\($0)")
                } onFinish: { [weak self] in
                    self?.receive("\(name).")
                }
                subscriptions.withLock { $0[name] = new }
            }
        }

        private func receive(_ call: String) {
            calls.record(call)
            for step in reactions[call] ?? [] { perform(step) }
        }
    }

    @Test(arguments: [(1, [5]), (3, [3, 4, 5]), (9, [1, 2, 3, 4, 5])])
    func `a slow loop gets the newest values`(capacity: Int, expected: [Int]) async {
        let broadcaster = Broadcaster(0)
        let values = broadcaster.values(buffering: capacity)
        for value in 1...5 { broadcaster.publish(value) }
        broadcaster.finish()
        let received = await values.reduce(into: []) { $0.append($1) }
        #expect(received == (capacity > 5 ? [0] : []) + expected)
    }

    @Test func `a loop unsubscribes when it ends`() async {
        let broadcaster = Broadcaster(1)
        for await value in broadcaster.values() {
            #expect(value == 1 && broadcaster.hasSubscribers)
            break
        }
        #expect(!broadcaster.hasSubscribers)
    }

    /// A publisher of successive numbers, which its lock puts in order.
    private final class NumberPublisher: Sendable {
        let numbers = Broadcaster(0)
        /// The number of calls that began while another one was in progress.
        let overlaps = Mutex(0)
        private let last = Mutex(0)
        private let callCount = Mutex(0)

        func publishNext() {
            last.withLock { last in
                last += 1
                numbers.enqueue(last)
            }
            numbers.deliver()
        }

        func record(to recorder: Recorder<Int>) {
            _ = numbers.subscribe { [self] number in
                let calls = callCount.withLock { count in
                    count += 1
                    return count
                }
                if calls > 1 { overlaps.withLock { $0 += 1 } }
                recorder.record(number)
                callCount.withLock { $0 -= 1 }
            }
        }

        func cancel(_ subscription: Broadcaster<Int>.Subscription) {
            last.withLock { _ in numbers.cancel(subscription) }
        }
    }

    @Test func `values of many threads reach every subscriber in order, one call at a time`() async {
        let publisher = NumberPublisher()
        let recorders = (0..<8).map { _ in Recorder<Int>() }
        await withTaskGroup { group in
            for recorder in recorders {
                group.addTask { for _ in 0..<200 { publisher.publishNext() } }
                group.addTask { publisher.record(to: recorder) }
            }
        }
        for recorder in recorders {
            let values = recorder.values
            #expect(values == Array((values.first ?? 0)...1600))
        }
        #expect(publisher.overlaps.withLock { $0 } == 0)
        publisher.numbers.finish()
    }

    /// A task's lock is held while its stream's `onTermination` runs, and is needed to resume it with a value.
    @Test(.timeLimit(.minutes(5)))
    func `a loop that is cancelled during a delivery may need the publisher's lock`() async {
        let publisher = NumberPublisher()
        for _ in 0..<500 {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
            let subscription = publisher.numbers.subscribe { continuation.yield($0) }
            continuation.onTermination = { _ in publisher.cancel(subscription) }
            let loop = Task { for await _ in stream {} }
            await withTaskGroup { group in
                group.addTask { for _ in 0..<4 { publisher.publishNext() } }
                group.addTask { loop.cancel() }
            }
            await loop.value
        }
        #expect(!publisher.numbers.hasSubscribers)
    }

    @Test func `an object that a handler holds may use the broadcaster when it is released`() {
        final class Owner: Sendable {
            let broadcaster: Broadcaster<Int>
            init(_ broadcaster: Broadcaster<Int>) { self.broadcaster = broadcaster }
            deinit { broadcaster.publish(2) }
        }
        let broadcaster = Broadcaster(1)
        let subscription = broadcaster.subscribe { [owner = Owner(broadcaster)] _ in withExtendedLifetime(owner) {} }
        broadcaster.cancel(subscription)
        #expect(broadcaster.value == 2)
    }
}

extension Broadcaster {
    fileprivate func publish(_ value: Value) {
        enqueue(value)
        deliver()
    }
}
