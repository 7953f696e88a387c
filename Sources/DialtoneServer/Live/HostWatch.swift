// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import DialtoneNotifications
import Dispatch
import Synchronization
import SystemSupport

/// Watches the configured hosts by connecting to them at an interval, and the few that visitors entered last by their
/// routes, because a visitor must not make this machine connect anywhere.
final class HostWatch: Sendable {
    private struct Entry {
        var row: HostRow
        var task: Task<Void, Never>?
        let listener: ReachabilityListener?
        /// Counts the restarts, so that a report of an earlier task is recognized.
        var round: UInt64 = 0

        func stop() {
            task?.cancel()
            listener?.stop()
        }
    }

    private struct State {
        var entries: [Entry] = []
        var connectivity = ConnectivityState.unknown
        var interval: Duration
        var isStopped = false
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "dialtone.hosts")
    private let changes = DeliveryQueue<HostRow>()
    private let connects: Bool
    private let onChange: @Sendable (HostRow) -> Void

    /// The maximum number of visitors' hosts; the oldest is removed first.
    static let visitorLimit = 4

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - interval: the time after a connection until the next one.
    ///   - connects: whether to connect to the configured hosts; if false, no packet is sent.
    ///   - onChange: called with each change, in order; must return quickly.
    init(interval: Duration, connects: Bool, onChange: @escaping @Sendable (HostRow) -> Void) {
        state = Mutex(State(interval: interval))
        self.connects = connects
        self.onChange = onChange
    }

    /// The hosts, in order.
    var rows: [HostRow] { state.withLock { $0.entries.map(\.row) } }

    /// Adds a host, unless one with the same name is watched already.
    func add(_ host: WatchedHost, isVisitors: Bool) {
        let listener =
            Self.mayResolve(host, connects && !isVisitors) ? ReachabilityListener(host: host.target.hostText) : nil
        let (isNew, oldest) = state.withLock { state -> (Bool, Entry?) in
            guard !state.isStopped, !state.entries.contains(where: { $0.row.host.name == host.name }) else {
                return (false, nil)
            }
            var oldest: Entry?
            if isVisitors, state.entries.count(where: { $0.row.isVisitors }) >= Self.visitorLimit,
                let place = state.entries.firstIndex(where: { $0.row.isVisitors })
            {
                oldest = state.entries.remove(at: place)
            }
            var entry = Entry(row: HostRow(host: host, isVisitors: isVisitors, since: .now), listener: listener)
            start(&entry, state.connectivity, state.interval)
            state.entries.append(entry)
            return (true, oldest)
        }
        oldest?.stop()
        guard isNew else { return }
        listener?.start(queue: queue) { [weak self] in self?.receive($0, of: host.name) }
    }

    /// Whether a listener for the host's flags sends only what connections to it send as well: it resolves names.
    private static func mayResolve(_ host: WatchedHost, _ connects: Bool) -> Bool {
        if case .address = host.target.host { true } else { connects }
    }

    /// Connects to the configured hosts again if the network begins or ceases to fail: a hop that fails beyond this
    /// machine's links causes no event by which a host would be checked.
    func connectivityChanged(to new: ConnectivityState) {
        let old = state.withLock { state -> [Task<Void, Never>?] in
            let previous = state.connectivity
            state.connectivity = new
            guard new != previous, new.isFailure || previous.isFailure, connects, !state.isStopped else { return [] }
            return state.entries.indices.filter { !state.entries[$0].row.isVisitors }.map { index in
                let task = state.entries[index].task
                state.entries[index].row.isOutdated = true
                start(&state.entries[index], new, state.interval)
                return task
            }
        }
        for task in old { task?.cancel() }
    }

    /// Replaces the configured hosts and the interval; a host that is still configured keeps its row.
    func reload(_ hosts: [WatchedHost], every interval: Duration) {
        let positions = Dictionary(hosts.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let (removed, restarted) = state.withLock { state -> ([Entry], [Task<Void, Never>?]) in
            guard !state.isStopped else { return ([], []) }
            func isRemoved(_ entry: Entry) -> Bool {
                !entry.row.isVisitors && positions[entry.row.host.name] == nil
            }
            let removed = state.entries.filter(isRemoved)
            state.entries.removeAll(where: isRemoved)
            guard state.interval != interval else { return (removed, []) }
            state.interval = interval
            let tasks = state.entries.map(\.task)
            for index in state.entries.indices { start(&state.entries[index], state.connectivity, interval) }
            return (removed, tasks)
        }
        for entry in removed { entry.stop() }
        for task in restarted { task?.cancel() }
        for host in hosts { add(host, isVisitors: false) }
        // The visitors' hosts come last.
        state.withLock { state in
            state.entries.sort {
                (positions[$0.row.host.name] ?? .max) < (positions[$1.row.host.name] ?? .max)
            }
        }
    }

    /// Stops watching.
    func stop() {
        let entries = state.withLock { state in
            state.isStopped = true
            return state.entries
        }
        for entry in entries { entry.stop() }
    }

    private func start(_ entry: inout Entry, _ connectivity: ConnectivityState, _ interval: Duration) {
        entry.round += 1
        // A connection would dial a link that is established on demand.
        let connects = connects && !entry.row.isVisitors && connectivity != .requiresConnection
        let host = HostReachability(entry.row.host.target, connects: connects)
        entry.task = Task { [weak self, name = entry.row.host.name, round = entry.round] in
            for await report in host.reports(checkingEvery: interval) { self?.receive(report, of: name, round) }
        }
    }

    private func receive(_ report: HostReport, of name: String, _ round: UInt64) {
        state.withLock { state in
            guard let place = state.entries.firstIndex(where: { $0.row.host.name == name && $0.round == round }) else {
                return
            }
            let old = state.entries[place].row
            state.entries[place].row.report = report
            state.entries[place].row.checkedAt = .now
            state.entries[place].row.isOutdated = false
            if report.verdict != old.report?.verdict { state.entries[place].row.since = .now }
            let isNews = old.isOutdated || old.report.map { !report.changes(since: $0).isEmpty } ?? true
            if isNews { changes.append(state.entries[place].row) }
        }
        changes.drain(onChange)
    }

    private func receive(_ flags: SCNetworkReachabilityFlags, of name: String) {
        state.withLock { state in
            guard let place = state.entries.firstIndex(where: { $0.row.host.name == name }) else { return }
            state.entries[place].row.flags = flags
            changes.append(state.entries[place].row)
        }
        changes.drain(onChange)
    }
}

extension ConnectivityState {
    /// Whether the Internet is known not to answer.
    fileprivate var isFailure: Bool { HistoryState(self).availability == .down }
}
