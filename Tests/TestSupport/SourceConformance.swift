// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
public import NetworkState
import Synchronization
public import Testing

/// The requirements for every source of network state.
///
/// The current state comes first, each change once and in order, one call at a time, and no call after the end.
public struct SourceConformance: Sendable {
    /// Receives the updates of a subscriber.
    public typealias Receive = @Sendable (NetworkUpdate) -> Void

    private let subscribe: @Sendable (@escaping Receive) async throws -> UpdateSubscription
    private let change: @Sendable (Int) async throws -> Void

    /// The number of changes that the suite makes.
    public static let changes = 7

    /// Prepares the suite for a source without subscribers.
    ///
    /// - Parameters:
    ///   - subscribe: subscribes to it.
    ///   - change: makes the change with this number, from 1, which must make the state differ from the previous one.
    package init(
        subscribe: @escaping @Sendable (@escaping Receive) async throws -> UpdateSubscription,
        change: @escaping @Sendable (Int) async throws -> Void
    ) {
        self.subscribe = subscribe
        self.change = change
    }

    /// Runs the suite.
    public func check(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let calls = Mutex(0)
        let first = Recorder<NetworkUpdate>()
        let one = try await subscribe { update in
            let others = calls.withLock { calls in
                defer { calls += 1 }
                return calls
            }
            #expect(others == 0, "one call at a time", sourceLocation: sourceLocation)
            first.record(update)
            calls.withLock { $0 -= 1 }
        }
        var last = try await first.next()
        #expect(last.delta.changes == [], "the first update lists no changes", sourceLocation: sourceLocation)

        try await change(1)
        last = try await expectChange(first, after: last, sourceLocation)

        let second = Recorder<NetworkUpdate>()
        let two = try await subscribe { second.record($0) }
        let greeting = try await second.next()
        #expect(greeting.snapshot == last.snapshot, "the current state first", sourceLocation: sourceLocation)
        #expect(greeting.delta.changes == [], sourceLocation: sourceLocation)

        for number in 2...4 {
            try await change(number)
            last = try await expectChange(first, after: last, sourceLocation)
            let same = try await second.next()
            #expect(
                same.snapshot == last.snapshot, "every subscriber receives the same", sourceLocation: sourceLocation)
            #expect(same.delta == last.delta, sourceLocation: sourceLocation)
        }

        two.cancel()
        two.cancel()
        let heard = second.values.count
        try await change(5)
        last = try await expectChange(first, after: last, sourceLocation)
        #expect(second.values.count == heard, "silence after the end", sourceLocation: sourceLocation)
        // The first, five changes, and nothing else.
        #expect(first.values.count == 6, "each change once", sourceLocation: sourceLocation)

        one.cancel()
        try await change(6)
        let third = Recorder<NetworkUpdate>()
        try await check(third, since: last, sourceLocation)
        #expect(first.values.count == 6, sourceLocation: sourceLocation)
    }

    /// After every subscriber has left, a new one gets the current state; and releasing a subscription ends it.
    private func check(
        _ third: Recorder<NetworkUpdate>, since last: NetworkUpdate, _ sourceLocation: SourceLocation
    ) async throws {
        do {
            let three = try await subscribe { third.record($0) }
            let current = try await third.next()
            #expect(
                current.snapshot != last.snapshot, "an outdated state was delivered", sourceLocation: sourceLocation)
            #expect(current.delta.changes == [], sourceLocation: sourceLocation)
            withExtendedLifetime(three) {}
        }
        try await change(7)
        let fourth = Recorder<NetworkUpdate>()
        let four = try await subscribe { fourth.record($0) }
        _ = try await fourth.next()
        #expect(third.values.count == 1, "a released subscription is silent", sourceLocation: sourceLocation)
        four.cancel()
    }

    private func expectChange(
        _ recorder: Recorder<NetworkUpdate>, after last: NetworkUpdate, _ sourceLocation: SourceLocation
    ) async throws -> NetworkUpdate {
        let update = try await recorder.next()
        #expect(update.snapshot != last.snapshot, sourceLocation: sourceLocation)
        #expect(update.delta.changes != [], sourceLocation: sourceLocation)
        #expect(
            update.delta == SnapshotDelta(from: last.snapshot, to: update.snapshot), sourceLocation: sourceLocation)
        return update
    }
}
#endif
