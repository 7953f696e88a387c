// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Netlink
@testable import NetworkState
import OpenNetwork
import TestSupport

/// A monitor in a namespace, with everything that it reports.
///
/// To prove that a change has *no* effect, a watch makes another change that does not affect the path, a mark in the
/// resolver's file, and waits for it: everything reported before the mark results from the earlier change.
final class Watch: Sendable {
    /// The reports, in a single order.
    enum Event: Sendable, CustomStringConvertible {
        case path(NetworkPath)
        case snapshot(NetworkSnapshot)

        var description: String {
            switch self {
            case .path(let path): "path \(Seen(path))"
            case .snapshot(let snapshot): "snapshot \(snapshot.brief)"
            }
        }

        var path: NetworkPath? { if case .path(let path) = self { path } else { nil } }
        var snapshot: NetworkSnapshot? { if case .snapshot(let snapshot) = self { snapshot } else { nil } }
    }

    let monitor: NWPathMonitor
    private let events = Recorder<Event>()
    private let snapshots = Recorder<Event>()
    private let paths = Recorder<Event>()
    private let resolver: ResolverFile
    private let subscription: UpdateSubscription

    init(
        _ source: KernelSource, in namespace: NetworkNamespace, _ resolver: ResolverFile,
        _ filter: PathFilter = PathFilter()
    ) async throws {
        let (events, snapshots, paths) = (events, snapshots, paths)
        let queue = DispatchQueue(label: "watch")
        let monitor = NWPathMonitor(filter, source: source, reportsDiagnosis: true)
        self.monitor = monitor
        self.resolver = resolver
        monitor.pathUpdateHandler = { path in
            // The common record is updated last: once it has an event, the others have it too.
            paths.record(.path(path.networkPath))
            events.record(.path(path.networkPath))
        }
        // The first subscription starts the source's thread, which must be in the namespace. It is the monitor's, so that for
        // one update the path is queued before the snapshot.
        subscription = try await namespace.run {
            monitor.start(queue: queue)
            return source.subscribe { update in
                queue.async {
                    snapshots.record(.snapshot(update.snapshot))
                    events.record(.snapshot(update.snapshot))
                }
            }
        }
        _ = try await paths.next()
        _ = try await updates {}
    }

    deinit { monitor.cancel() }

    /// The last reported path.
    var path: NetworkPath { monitor.currentPath.networkPath }

    /// The last reported state.
    var snapshot: NetworkSnapshot? { snapshots.values.last?.snapshot }

    /// The number of states reported.
    var snapshotCount: Int { snapshots.values.count }

    /// Waits for a state, including the last one reported.
    func snapshot(where isWanted: @escaping @Sendable (NetworkSnapshot) -> Bool) async throws {
        _ = try await snapshots.latest { $0.snapshot.map(isWanted) ?? false }
    }

    /// Waits for a path, including the current one.
    func path(where isWanted: @escaping @Sendable (NetworkPath) -> Bool) async throws {
        _ = try await paths.latest { $0.path.map(isWanted) ?? false }
    }

    /// Every path reported for a change that the kernel makes at once.
    func updates(_ change: () async throws -> Void) async throws -> [NetworkPath] {
        _ = try await pathsBeforeMark()
        try await change()
        return try await pathsBeforeMark()
    }

    private func pathsBeforeMark() async throws -> [NetworkPath] {
        let mark = try resolver.mark()
        let heard = try await events.values { $0.snapshot?.resolver.servers.first?.address == mark }
        return heard.compactMap(\.path)
    }

    /// Every path reported for a change that takes the kernel a while: up to the wanted one, and those right after it.
    func updates(
        until isWanted: @escaping @Sendable (NetworkPath) -> Bool, _ change: () async throws -> Void
    ) async throws -> [NetworkPath] {
        try await updates {
            try await change()
            try await path(where: isWanted)
        }
    }
}

extension NetworkSnapshot {
    /// A short form for lists of paths.
    fileprivate var brief: String {
        let links = interfaces.map { link in
            let flags = [(link.isUp, "up"), (link.isRunning, "running"), (link.isDormant, "dormant")]
            return "\(link.name) \(flags.filter(\.0).map(\.1)) \(link.addresses.map(\.prefix))"
        }
        return "\(links) \(resolver.servers.map(\.address)) \(visibility)"
    }
}
#endif
