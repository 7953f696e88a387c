// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

public import Dialtone
#if canImport(Darwin)
import OpenNetwork
#else
public import OpenNetwork
#endif

extension NWPathMonitor {
    /// Publishes the current path first, then each change.
    ///
    /// The first subscriber starts the monitor; `start(queue:)` is not needed. A subscriber without demand later
    /// receives the newest path. The publisher completes when the monitor is cancelled. Values arrive on an arbitrary
    /// thread; use `receive(on:)`.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    public var publisher: AnyPublisher<NWPath, Never> { AnyPublisher(LatestElements(differing: self)) }
}

extension NetworkPath {
    /// Publishes the path that a filter allows as a plain value: the current one first, then each change.
    ///
    /// Demand and threads work as in `NWPathMonitor.publisher`. The publisher never completes.
    public static func publisher(_ filter: PathFilter = PathFilter()) -> AnyPublisher<NetworkPath, Never> {
        AnyPublisher(LatestElements(differing: updates(filter)))
    }
}

extension HostReachability {
    /// Publishes the current report first, then each one that differs in more than time, as `updates()` returns them.
    ///
    /// Each subscriber starts its own lookup. Demand and threads work as in `NWPathMonitor.publisher`. The publisher
    /// never completes.
    public var publisher: AnyPublisher<HostReport, Never> {
        AnyPublisher(
            LatestElements(base: updates()) { report, last in
                guard let last else { return report }
                return report.changes(since: last).isEmpty ? nil : report
            })
    }
}

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

extension NetworkRequester {
    /// Publishes the status of the last request: the current one first, then each change.
    ///
    /// A subscriber without demand later receives the newest status. Values arrive on an arbitrary thread; use
    /// `receive(on:)`.
    public var publisher: AnyPublisher<NetworkRequester.Status, Never> {
        AnyPublisher(LatestElements(differing: updates()))
    }
}

#endif
