// SPDX-License-Identifier: Apache-2.0

public import Dialtone
import SystemSupport

/// Tests whether an implementation of `PathSource` meets the protocol's requirements.
///
/// ```swift
/// let paths = PathSourceConformance {
///     SimulatedNetwork()
/// } change: { network in
///     network.become(network.path == .wifi ? .wired : .wifi)
/// }
/// print(await paths.violations())
/// ```
public struct PathSourceConformance<Source: PathSource>: Sendable {
    private let make: @Sendable () async throws -> Source
    private let change: @Sendable (Source) async throws -> Void
    private let timeout: Duration

    /// Creates a conformance test.
    ///
    /// - Parameters:
    ///   - timeout: the maximum time to wait for a path.
    ///   - make: creates a new source, whose path is known or soon will be.
    ///   - change: gives the source a different path; called several times.
    public init(
        timeout: Duration = .seconds(10), make: @escaping @Sendable () async throws -> Source,
        change: @escaping @Sendable (Source) async throws -> Void
    ) {
        self.make = make
        self.change = change
        self.timeout = timeout
    }

    /// Runs the test and describes each violated requirement; empty when all are met.
    public func violations() async -> [String] {
        var violations: [String] = []
        for examine in [firstValue, order, lateSubscriber, cancellation, release] {
            do {
                violations += try await examine(make())
            } catch {
                violations.append("\(error)")
            }
        }
        return violations
    }

    private func firstValue(_ source: Source) async throws -> [String] {
        let witness = Witness()
        let subscription = source.subscribe(witness.receive)
        defer { subscription.cancel() }
        return await witness.has(1, within: timeout) ? [] : ["The current path is not delivered without a change."]
    }

    private func order(_ source: Source) async throws -> [String] {
        let (first, second) = (Witness(), Witness())
        let subscriptions = [source.subscribe(first.receive), source.subscribe(second.receive)]
        defer { for subscription in subscriptions { subscription.cancel() } }
        guard await first.has(1, within: timeout), await second.has(1, within: timeout) else {
            return ["The second subscriber does not get the current path."]
        }
        for count in 2...6 {
            try await change(source)
            guard await first.has(count, within: timeout), await second.has(count, within: timeout) else {
                return ["A change is not delivered to every subscriber."]
            }
        }
        var violations: [String] = []
        if first.paths != second.paths {
            violations.append("Two subscribers get different paths, or in different order.")
        }
        if zip(first.paths, first.paths.dropFirst()).contains(where: ==) {
            violations.append("The same path is delivered twice in a row.")
        }
        if first.overlapped || second.overlapped {
            violations.append("Two calls are made to one subscriber at a time.")
        }
        return violations
    }

    private func lateSubscriber(_ source: Source) async throws -> [String] {
        let (first, second) = (Witness(), Witness())
        let subscription = source.subscribe(first.receive)
        defer { subscription.cancel() }
        guard await first.has(1, within: timeout) else { return [] }
        try await change(source)
        guard await first.has(2, within: timeout) else { return [] }
        let late = source.subscribe(second.receive)
        defer { late.cancel() }
        guard await second.has(1, within: timeout) else { return ["A late subscriber does not get the current path."] }
        return second.paths.first == first.paths.last ? [] : ["A late subscriber gets an old path first."]
    }

    private func cancellation(_ source: Source) async throws -> [String] {
        let (ended, other) = (Witness(), Witness())
        let subscription = source.subscribe(ended.receive)
        let remaining = source.subscribe(other.receive)
        defer { remaining.cancel() }
        guard await ended.has(1, within: timeout), await other.has(1, within: timeout) else { return [] }
        subscription.cancel()
        subscription.cancel()
        try await change(source)
        guard await other.has(2, within: timeout) else {
            return ["The end of one subscription ends another."]
        }
        return ended.paths.count == 1 ? [] : ["A path is delivered after the end of the subscription."]
    }

    private func release(_ source: Source) async throws -> [String] {
        let (ended, other) = (Witness(), Witness())
        var subscription: UpdateSubscription? = source.subscribe(ended.receive)
        let remaining = source.subscribe(other.receive)
        defer { remaining.cancel() }
        guard await ended.has(1, within: timeout), await other.has(1, within: timeout) else { return [] }
        withExtendedLifetime(subscription) {}
        subscription = nil
        try await change(source)
        guard await other.has(2, within: timeout) else { return [] }
        return ended.paths.count == 1 ? [] : ["A path is delivered to a subscription that was released."]
    }
}

/// Records what one subscriber receives, and lets the test wait for it.
private final class Witness: Sendable {
    private struct State {
        var paths: [NetworkPath] = []
        var calls = 0
        var overlapped = false
    }

    private let state = Mutex(State())
    private let received = EventCounter()

    var paths: [NetworkPath] { state.withLock { $0.paths } }
    var overlapped: Bool { state.withLock { $0.overlapped } }

    @Sendable func receive(_ path: NetworkPath) {
        state.withLock { state in
            state.calls += 1
            if state.calls > 1 { state.overlapped = true }
            state.paths.append(path)
        }
        received.increment()
        state.withLock { $0.calls -= 1 }
    }

    /// Waits for a number of paths; false if they are not delivered in time.
    func has(_ count: Int, within timeout: Duration) async -> Bool {
        await firstAnswer(until: TimeSource.system.now + timeout, late: false, cancelled: false) { [received] in
            await received.wait(for: count)
            return true
        }
    }
}
