// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneNotifications
import DialtoneSupport
import Dispatch
import Synchronization

/// Watches the reachability of the configured hosts, and of the few that visitors entered last.
final class HostWatch: Sendable {
    private struct Entry {
        var row: HostFlags
        let listener: ReachabilityListener?
    }

    private let entries = Mutex<[Entry]>([])
    private let queue = DispatchQueue(label: "dialtone.hosts")
    private let onChange: @Sendable (HostFlags) -> Void

    /// The maximum number of visitors' hosts; the oldest is removed first.
    static let visitorLimit = 4

    /// Creates a watch.
    ///
    /// - Parameter onChange: called with each change; must return quickly.
    init(onChange: @escaping @Sendable (HostFlags) -> Void) { self.onChange = onChange }

    /// The hosts, in order.
    var rows: [HostFlags] { entries.withLock { $0.map(\.row) } }

    /// Adds a host.
    func add(_ target: HostTarget, isVisitors: Bool) {
        let host = target.hostText
        let listener = ReachabilityListener(host: host)
        let (isNew, oldest) = entries.withLock { entries -> (Bool, ReachabilityListener?) in
            guard !entries.contains(where: { $0.row.host == host }) else { return (false, nil) }
            var oldest: ReachabilityListener?
            if isVisitors, entries.count(where: { $0.row.isVisitors }) >= Self.visitorLimit,
                let place = entries.firstIndex(where: { $0.row.isVisitors })
            {
                oldest = entries.remove(at: place).listener
            }
            entries.append(
                Entry(row: HostFlags(host: host, since: .now, isVisitors: isVisitors), listener: listener))
            return (true, oldest)
        }
        oldest?.stop()
        guard isNew else { return }
        listener?.start(queue: queue) { [weak self] in self?.receive($0, of: host) }
    }

    /// Stops watching.
    func stop() { for listener in entries.withLock({ $0.map(\.listener) }) { listener?.stop() } }

    private func receive(_ flags: SCNetworkReachabilityFlags, of host: String) {
        let row = entries.withLock { entries -> HostFlags? in
            guard let place = entries.firstIndex(where: { $0.row.host == host }) else { return nil }
            entries[place].row.flags = flags
            entries[place].row.since = .now
            return entries[place].row
        }
        if let row { onChange(row) }
    }
}
