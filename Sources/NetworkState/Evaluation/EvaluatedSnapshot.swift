// SPDX-License-Identifier: Apache-2.0

package import Netlink
import SystemSupport

/// The state that a source publishes: a snapshot, with the paths and routes that follow from it.
///
/// All subscribers share it: filters, monitors, watched hosts and reachability targets are views of it. Each value is
/// evaluated when it is first read, and only once.
package final class EvaluatedSnapshot: Sendable {
    package let snapshot: NetworkSnapshot
    /// The paths that were evaluated for this state, or shared with an earlier one.
    let paths: Mutex<[EvaluatedPath]>
    let routes = Mutex<[RouteLookup: AddressEvaluation]>([:])

    /// Creates a state.
    ///
    /// - Parameter old: an earlier state, whose paths are shared if the two differ in nothing but watched hosts.
    package init(_ snapshot: NetworkSnapshot, after old: EvaluatedSnapshot? = nil) {
        self.snapshot = snapshot
        let earlier = old.flatMap { $0.snapshot.differsOnlyInHosts(from: snapshot) ? $0.paths.withLock { $0 } : nil }
        paths = Mutex(earlier ?? [])
    }

    /// The path to the Internet.
    package var path: NetworkPath { path(PathFilter()).path }

    /// Returns the path over the links that a filter allows.
    package func path(_ filter: PathFilter) -> EvaluatedPath {
        let filter = filter.restricts(snapshot) ? filter : PathFilter()
        return paths.withLock { paths in
            if let known = paths.first(where: { $0.filter == filter }) { return known }
            let new = EvaluatedPath(PathEvaluator(snapshot).evaluate(filter), filter)
            paths.append(new)
            return new
        }
    }

    /// Returns whether packets can be sent to a lookup's address, and how; nil while the snapshot has no result for it.
    package func route(_ lookup: RouteLookup) -> AddressEvaluation? {
        routes.withLock { routes in
            if let known = routes[lookup] { return known }
            // It may read the path, whose lock is another one.
            let new = AddressEvaluator(self).evaluate(lookup)
            routes[lookup] = new
            return new
        }
    }
}

/// A path that all monitors with the same filter share.
package final class EvaluatedPath: Sendable {
    package let path: NetworkPath
    let filter: PathFilter

    /// Whether only one type of interface, or one interface, is allowed.
    package var isScoped: Bool { filter.requiredType != nil || filter.interfaceName != nil }

    package init(_ path: NetworkPath, _ filter: PathFilter = PathFilter()) {
        self.path = path
        self.filter = filter
    }
}
