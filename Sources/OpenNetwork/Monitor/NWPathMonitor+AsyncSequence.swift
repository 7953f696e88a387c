// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

extension NWPathMonitor: AsyncSequence {
    /// The element of the sequence is a path.
    public typealias Element = NWPath
    /// Iterating never fails.
    public typealias Failure = Never
    /// The iterator that a `for await` loop uses.
    public typealias AsyncIterator = NWPathMonitor.Iterator

    /// Begins an iteration; the first one starts the monitor, so `start(queue:)` is not needed.
    ///
    /// The current path comes first. A loop that is slower than the network gets the newest path and skips those in
    /// between. The iteration ends when the monitor or the task is cancelled. Several iterations may run at the same
    /// time.
    public func makeAsyncIterator() -> NWPathMonitor.Iterator {
        Iterator(stream: iterate().makeAsyncIterator())
    }

    /// Returns one path after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var stream: AsyncStream<NWPath>.Iterator

        /// Returns the next path; nil once the monitor or the task is cancelled.
        public mutating func next() async -> NWPathMonitor.Element? {
            await stream.next(isolation: #isolation)
        }
    }
}

#endif
