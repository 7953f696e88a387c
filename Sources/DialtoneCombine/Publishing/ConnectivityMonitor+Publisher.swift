// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

extension ConnectivityMonitor {
    /// Publishes the current value first, then each change.
    ///
    /// Each subscriber observes separately and keeps the monitor alive. A subscriber without demand later receives the
    /// newest value, with the changes since its last one. The publisher never completes. Values arrive on an arbitrary
    /// thread; use `receive(on:)`.
    public var publisher: AnyPublisher<Connectivity, Never> {
        AnyPublisher(LatestElements(base: updates()) { $0.news(after: $1) })
    }
}

extension Connectivity {
    /// Returns the value with its changes since another one, or as the first one; nil if nothing has changed.
    func news(after last: Connectivity?) -> Connectivity? {
        var value = self
        value.changes = last.map { changes(since: $0) } ?? []
        return last != nil && value.changes.isEmpty ? nil : value
    }
}

#endif
