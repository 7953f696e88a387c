//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Dispatch
import Netlink
@testable import NetworkState
import OpenNetwork
import TestSupport

/// A monitor in a namespace, and all it says.
///
/// To prove that something did *not* happen, a watch makes a change that is no change of the path, a mark in the
/// resolver's file, and waits for that: whatever came before the mark was because of what was done before it.
final class Watch: Sendable {
    /// What is heard, in one order.
    enum Event: Sendable, CustomStringConvertible {
        case path(PathContents)
        case snapshot(NetworkSnapshot)

        var description: String {
            switch self {
            case .path(let path): "path \(Seen(path))"
            case .snapshot(let snapshot): "snapshot \(snapshot.brief)"
            }
        }

        var path: PathContents? { if case .path(let path) = self { path } else { nil } }
        var snapshot: NetworkSnapshot? { if case .snapshot(let snapshot) = self { snapshot } else { nil } }
    }

    let monitor: NWPathMonitor
    private let events = Recorder<Event>()
    private let snapshots = Recorder<Event>()
    private let paths = Recorder<Event>()
    private let resolver: ResolverFile
    private let subscription: NetworkStateSubscription

    init(
        _ source: KernelSource, in namespace: NetworkNamespace, _ resolver: ResolverFile,
        _ requirements: PathRequirements = PathRequirements()
    ) async throws {
        let (events, snapshots, paths) = (events, snapshots, paths)
        let queue = DispatchQueue(label: "watch")
        let monitor = NWPathMonitor(requirements, source: source)
        self.monitor = monitor
        self.resolver = resolver
        monitor.pathUpdateHandler = { path in
            // The one order of all is told last: who has waited for it finds the others complete.
            paths.record(.path(path.contents))
            events.record(.path(path.contents))
        }
        // The first subscription starts the source's thread, which must be in the namespace. It is the monitor's, so that of
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

    /// The path as last told.
    var path: PathContents { monitor.currentPath.contents }

    /// The state as last told.
    var snapshot: NetworkSnapshot? { snapshots.values.last?.snapshot }

    /// How many states were told.
    var snapshotCount: Int { snapshots.values.count }

    /// Waits for a state, the last one told included.
    func snapshot(where isWanted: @escaping @Sendable (NetworkSnapshot) -> Bool) async throws {
        _ = try await snapshots.latest { $0.snapshot.map(isWanted) ?? false }
    }

    /// Waits for a path, the current one included.
    func path(where isWanted: @escaping @Sendable (PathContents) -> Bool) async throws {
        _ = try await paths.latest { $0.path.map(isWanted) ?? false }
    }

    /// Every path told because of a change that the kernel makes at once.
    func updates(_ change: () async throws -> Void) async throws -> [PathContents] {
        _ = try await pathsBeforeMark()
        try await change()
        return try await pathsBeforeMark()
    }

    private func pathsBeforeMark() async throws -> [PathContents] {
        let mark = try resolver.mark()
        let heard = try await events.values { $0.snapshot?.resolver.servers.first?.address == mark }
        return heard.compactMap(\.path)
    }

    /// Every path told because of a change that takes the kernel a while: up to the wanted one, and what came right after.
    func updates(
        until isWanted: @escaping @Sendable (PathContents) -> Bool, _ change: () async throws -> Void
    ) async throws -> [PathContents] {
        try await updates {
            try await change()
            try await path(where: isWanted)
        }
    }
}

extension NetworkSnapshot {
    /// Short enough to read a list of them.
    fileprivate var brief: String {
        let links = interfaces.map { link in
            let flags = [(link.isUp, "up"), (link.isRunning, "running"), (link.isDormant, "dormant")]
            return "\(link.name) \(flags.filter(\.0).map(\.1)) \(link.addresses.map(\.prefix))"
        }
        return "\(links) \(resolver.servers.map(\.address)) \(visibility)"
    }
}
#endif
