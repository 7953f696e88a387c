// SPDX-License-Identifier: Apache-2.0

import SystemSupport

extension ConnectivityMonitor {
    /// The values as an asynchronous sequence: the current one first, then each change.
    ///
    /// ```swift
    /// for await connectivity in monitor.updates() where connectivity.isOnline {
    ///     print("online over \(connectivity.path.interfaces.map(\.name)).")
    /// }
    /// ```
    ///
    /// Each iteration is a separate observation. It lasts until the loop breaks or its task ends; the sequence itself
    /// never ends.
    ///
    /// - Parameter buffering: which values a loop gets that is slower than the network.
    public func updates(_ buffering: ConnectivityUpdates.Buffering = .newest) -> ConnectivityUpdates {
        ConnectivityUpdates(monitor: self, buffering: buffering)
    }
}

/// A monitor's values, as returned by `ConnectivityMonitor.updates(_:)`.
public struct ConnectivityUpdates: AsyncSequence, Sendable {
    /// The values that a loop gets if it is slower than the network.
    public struct Buffering: Hashable, Sendable {
        let capacity: Int

        /// Only the newest value: right for showing a state, or for acting on it.
        ///
        /// A value without a reportable change since the last one that the loop got is skipped, and `changes` are
        /// relative to that one.
        public static let newest = Buffering(capacity: 1)

        /// Every value, in order: right for a history.
        ///
        /// A loop that falls more than a thousand values behind loses the oldest ones.
        public static let everyTransition = everyTransition(upTo: 1000)

        /// Every value, in order; a loop that falls further behind than `capacity`, which is at least 1, loses the
        /// oldest ones.
        public static func everyTransition(upTo capacity: Int) -> Buffering {
            Buffering(capacity: Swift.max(1, capacity))
        }
    }

    let monitor: ConnectivityMonitor
    let buffering: Buffering

    /// Begins an iteration.
    public func makeAsyncIterator() -> Iterator {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Connectivity.self, bufferingPolicy: .bufferingNewest(buffering.capacity))
        let subscription = monitor.add { continuation.yield($0) }
        // The iterator holds the monitor; the end of the iteration releases both.
        continuation.onTermination = { [weak monitor] _ in monitor?.remove(subscription) }
        return Iterator(stream: stream.makeAsyncIterator(), monitor: monitor)
    }

    /// Delivers one value after another.
    public struct Iterator: AsyncIteratorProtocol {
        var stream: AsyncStream<Connectivity>.Iterator
        let monitor: ConnectivityMonitor
        var last: Connectivity?

        /// The next value; nil once the task is cancelled.
        public mutating func next() async -> Connectivity? { await next(isolation: #isolation) }

        /// The next value, fetched without leaving the given actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Connectivity? {
            while var value = await stream.nextElement(isolation: actor) {
                if let last {
                    // Values in between may have been skipped.
                    value.changes = value.changes(since: last)
                    if value.changes.isEmpty { continue }
                } else {
                    value.changes = []
                }
                last = value
                return value
            }
            return nil
        }
    }
}
