//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin) || Publishers

extension ConnectivityMonitor {
    /// The values: the current one first, then each change.
    ///
    /// Each subscriber is an observation of its own and holds the monitor. One that demands nothing for a while gets the newest
    /// value after it, with the changes since its last. It never completes. Values come on no particular thread: use
    /// `receive(on:)`.
    public var publisher: AnyPublisher<Connectivity, Never> {
        AnyPublisher(LatestElements(base: updates()) { $0.news(after: $1) })
    }
}

extension Connectivity {
    /// The value with its changes since another, or as the first of all; nil when it is no news.
    func news(after last: Connectivity?) -> Connectivity? {
        var value = self
        value.changes = last.map { changes(since: $0) } ?? []
        return last != nil && value.changes.isEmpty ? nil : value
    }
}

#endif
