// SPDX-License-Identifier: Apache-2.0

/// Makes a monitor the sequence of its values: `for await connectivity in monitor`.
///
/// This is short for `updates()`.
extension ConnectivityMonitor: AsyncSequence {
    /// Starts an iteration: the current value first, then each change.
    public func makeAsyncIterator() -> ConnectivityUpdates.Iterator { updates().makeAsyncIterator() }
}
