// SPDX-License-Identifier: Apache-2.0

import SystemSupport

#if canImport(Darwin)
import OpenNetwork
#else
package import OpenNetwork
#endif

extension NetworkPath {
    /// Reads the current path once, on the calling thread.
    ///
    /// ```swift
    /// let path = NetworkPath.read()
    /// print(path.status == .satisfied ? "There is a path." : path.reason ?? "There is no path.")
    /// ```
    ///
    /// It sends no packet. On Linux, it reads the network namespace of the calling thread, which takes less than a millisecond, and
    /// up to 0.3 seconds if NetworkManager is slow to report what the links cost. On Apple platforms it waits at most a
    /// second for the first update of a path monitor. A task that must not wait takes the first value of ``updates(_:)``. Whether the Internet answers is the question of
    /// `ConnectivityMonitor` and `InternetCheck`.
    ///
    /// Do not make a request depend on this value. Send the request, and use its outcome.
    ///
    /// - Parameter filter: the interfaces that count.
    /// - Returns: the path; if the network cannot be seen, its ``limitation`` gives the reason.
    public static func read(_ filter: PathFilter = PathFilter()) -> NetworkPath { filter.readPath() }

    /// The paths of this machine: the current one first, then each change; a slow loop gets only the newest.
    ///
    /// The sequence ends with the task.
    ///
    /// ```swift
    /// for await path in NetworkPath.updates() {
    ///     print(path.reason ?? "connected")
    /// }
    /// ```
    public static func updates(_ filter: PathFilter = PathFilter()) -> PathUpdates {
        PathUpdates(filter: filter) { filter.makeMonitor() }
    }

    /// The paths that a monitor observes, which must not have been started.
    package static func updates(of monitor: NWPathMonitor) -> PathUpdates {
        PathUpdates(filter: PathFilter()) { monitor }
    }
}

/// The paths of this machine, as returned by ``NetworkPath/updates(_:)``.
public struct PathUpdates: AsyncSequence, Sendable {
    let filter: PathFilter
    let makeMonitor: @Sendable () -> NWPathMonitor

    /// Begins an iteration.
    public func makeAsyncIterator() -> Iterator {
        let monitor = makeMonitor()
        monitor.reportDiagnosis()
        return Iterator(paths: monitor.iterate().makeAsyncIterator(), filter: filter)
    }

    /// Delivers one path after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var paths: AsyncStream<NWPath>.Iterator
        fileprivate let filter: PathFilter

        /// The next path; nil once the task is cancelled.
        public mutating func next() async -> NetworkPath? { await paths.nextElement().map(filter.path) }
    }
}

extension NetworkPath {
    /// Whether a probe over the path can give a result: the path is satisfied, hidden from view, or packets leave with an
    /// address to which answers may come back.
    ///
    /// A dial-on-demand link is not probed, because the probe would dial.
    var canBeChecked: Bool { status == .satisfied || isUnknown || diagnosis?.borrowedAddress != nil }

    /// Whether no packet can leave; false if the network is hidden, and for links that dial on demand.
    var isKnownToBeMissing: Bool {
        guard !canBeChecked else { return false }
        switch status {
        case .requiresConnection: return false
        default: return true
        }
    }
}
