//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

extension NWPathMonitor: AsyncSequence {
    /// A path.
    public typealias Element = NWPath
    /// Iterating never fails.
    public typealias Failure = Never
    /// What a `for await` loop draws from.
    public typealias AsyncIterator = NWPathMonitor.Iterator

    /// Begins an iteration, and with the first one watching: `start(queue:)` is not needed.
    ///
    /// The current path comes first. A loop that is slower than the network gets the newest path and not those between. The
    /// iteration ends when the monitor or the task is cancelled. Several may run at the same time.
    public func makeAsyncIterator() -> NWPathMonitor.Iterator {
        Iterator(stream: iterate().makeAsyncIterator())
    }

    /// Draws one path after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var stream: AsyncStream<NWPath>.Iterator

        /// The next path; nil once the monitor or the task is cancelled.
        public mutating func next() async -> NWPathMonitor.Element? {
            await stream.next(isolation: #isolation)
        }
    }
}

#endif
