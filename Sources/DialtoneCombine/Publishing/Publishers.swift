//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin) || Publishers

extension NWPathMonitor {
    /// The paths: the present one first, then each change.
    ///
    /// With the first subscriber it begins to watch; `start(queue:)` is not needed. A subscriber that demands nothing for a
    /// while gets the newest path after it. Completes when the monitor is cancelled. Values come on no particular thread: use
    /// `receive(on:)`.
    public var publisher: AnyPublisher<NWPath, Never> { AnyPublisher(LatestElements(differing: self)) }
}

extension NetworkPath {
    /// The paths that a filter lets through, as plain values: the present one first, then each change.
    ///
    /// Demand and threads are as for `NWPathMonitor.publisher`. It never completes.
    public static func publisher(_ filter: PathFilter = PathFilter()) -> AnyPublisher<NetworkPath, Never> {
        AnyPublisher(LatestElements(differing: updates(filter)))
    }
}

extension HostReachability {
    /// The answers: the present one first, then each that differs in more than time, as `updates()` gives them.
    ///
    /// Each subscriber has the question asked for itself. Demand and threads are as for `NWPathMonitor.publisher`. It never
    /// completes.
    public var publisher: AnyPublisher<HostReport, Never> {
        AnyPublisher(
            LatestElements(base: updates()) { report, last in
                guard let last else { return report }
                return report.changes(since: last).isEmpty ? nil : report
            })
    }
}

#endif
