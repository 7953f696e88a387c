// SPDX-License-Identifier: Apache-2.0

package import Netlink
import Synchronization

/// The state that a source publishes: a snapshot, with the paths and routes that follow from it.
///
/// All subscribers share it: filters, monitors, watched hosts and reachability targets are views of it. Each value is
/// evaluated when it is first read, and only once.
package final class EvaluatedSnapshot: Sendable {
    package let snapshot: NetworkSnapshot
    private let paths: Mutex<[EvaluatedPath]>
    private let routes = Mutex<[RouteLookup: HostEvaluation]>([:])

    /// Creates a state.
    ///
    /// - Parameter old: an earlier state, whose paths are shared if nothing that they depend on has changed. An event
    ///   that changes nothing, such as an address of a container's bridge, then takes 9,000 instructions less.
    package init(_ snapshot: NetworkSnapshot, after old: EvaluatedSnapshot? = nil) {
        self.snapshot = snapshot
        let earlier = old?.paths.withLock { $0 } ?? []
        paths = Mutex(
            earlier.filter { path in
                old?.snapshot.differsOnlyInHosts(from: snapshot, comparingAddressesOf: path.sources) ?? false
            })
    }

    /// The path to the Internet.
    package var path: NetworkPath { path(PathFilter()).path }

    /// Returns the path over the links that a filter allows.
    package func path(_ filter: PathFilter) -> EvaluatedPath {
        let filter = filter.restricts(snapshot) ? filter : PathFilter()
        return paths.withLock { paths in
            if let known = paths.first(where: { $0.filter == filter }) { return known }
            var sources = LinkPlaces()
            let path = PathEvaluator(snapshot).evaluate(filter, &sources)
            let new = EvaluatedPath(path, filter, dependingOn: sources)
            paths.append(new)
            return new
        }
    }

    /// Returns whether packets can be sent to a lookup's address, and how; nil while the snapshot has no result for it.
    package func route(_ lookup: RouteLookup) -> HostEvaluation? {
        routes.withLock { routes in
            if let known = routes[lookup] { return known }
            // It may read the path, whose lock is another one.
            let new = HostEvaluator(self).evaluate(lookup)
            routes[lookup] = new
            return new
        }
    }

    /// The number of paths and routes that were evaluated for this state, or shared with an earlier one.
    package var evaluations: (paths: Int, routes: Int) {
        (paths.withLock { $0.count }, routes.withLock { $0.count })
    }
}

/// A path that all monitors with the same filter share.
package final class EvaluatedPath: Sendable {
    package let path: NetworkPath
    let filter: PathFilter
    /// The links whose addresses the path depends on.
    let sources: LinkPlaces

    /// Whether only one type of interface, or one interface, is allowed.
    package var isScoped: Bool { filter.requiredType != nil || filter.interfaceName != nil }

    package convenience init(_ path: NetworkPath) { self.init(path, PathFilter(), dependingOn: .all) }

    init(_ path: NetworkPath, _ filter: PathFilter, dependingOn sources: LinkPlaces) {
        self.path = path
        self.filter = filter
        self.sources = sources
    }
}
