// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// Watches the configured hosts by connecting to them at an interval.
package final class HostWatch: Sendable {
    private struct Entry {
        var row: HostRow
        var task: Task<Void, Never>?
        /// Counts the restarts, so that a report of an earlier task is recognized.
        var round: UInt64 = 0
        /// The earliest time to read the certificate again; nil for as soon as the host is reachable.
        var certificateDue: ContinuousClock.Instant?
    }

    private struct State {
        var entries: [Entry] = []
        /// The last state of the network, with which the next one is compared; nil before the first, until which no host is checked.
        var network: ConnectivityState?
        var interval: Duration
        /// The last task that reads a certificate.
        var certificates: Task<Void, Never>?
        /// Whether each host was reachable, by the last change in the history.
        var reachable: [String: Bool] = [:]
        /// Whether the history has been read, so that checks may be recorded: none is then counted twice.
        var isRestored = false
        var isStopped = false
    }

    private let state: Mutex<State>
    private let connectivity: @Sendable () -> Connectivity
    /// The changed rows, in order.
    let changes = Broadcaster<HostRow>()
    private let connects: Bool
    private let history: HistoryStore
    private let time: TimeSource
    private let onReturn: @Sendable () -> Void

    /// The time after which a certificate is read again.
    private static let certificateInterval = Duration.seconds(3600)

    /// - Parameters:
    ///   - connectivity: returns the state of the network now; called under the lock of this object.
    ///   - interval: the time after a connection until the next one.
    ///   - connects: whether to connect to hosts; if false, no packet is sent.
    ///   - onReturn: called when a host beyond this machine's links answers again although the Internet is not known to.
    init(
        _ connectivity: @escaping @Sendable () -> Connectivity, interval: Duration, connects: Bool,
        time: TimeSource = .system, history: HistoryStore, onReturn: @escaping @Sendable () -> Void = {}
    ) {
        state = Mutex(State(interval: interval))
        self.connectivity = connectivity
        self.connects = connects
        self.time = time
        self.history = history
        self.onReturn = onReturn
    }

    /// The hosts, in order.
    package var rows: [HostRow] { state.withLock { $0.entries.map(\.row) } }

    /// Watches a host, unless it is watched already.
    package func add(_ host: WatchedHost) {
        state.withLock { state in
            guard !state.isStopped, !state.entries.contains(where: { $0.row.host.name == host.name }) else { return }
            var entry = Entry(row: HostRow(host: host, since: time.moment.realtime))
            start(&entry, state.network, state.interval)
            state.entries.append(entry)
        }
    }

    /// Adds the checks that earlier runs recorded, and begins to record those of this run.
    func restore(_ stored: StoredHosts) {
        let periods = stored.periods
        state.withLock { state in
            guard !state.isRestored else { return }
            state.isRestored = true
            state.reachable = stored.reachable
            for index in state.entries.indices {
                let row = state.entries[index].row
                for check in row.statistics.recent { record(check, of: row.host.name) }
                if let stored = periods[row.host.name] { state.entries[index].row.statistics.add(stored) }
                recordChange(of: row, &state)
            }
        }
    }

    /// Records whether a host is reachable, if that is known and differs from the last record.
    private func recordChange(of row: HostRow, _ state: inout State) {
        guard state.isRestored, connects, let time = row.checkedAt else { return }
        let result = row.result(in: connectivity())
        let isReachable = result.state == .reachable
        guard result.state != .unknown, state.reachable[row.host.name] != isReachable else { return }
        state.reachable[row.host.name] = isReachable
        history.record(HostChange(time: time, host: row.host.name, isReachable: isReachable, reason: result.reason))
    }

    private func record(_ check: HostStatistics.Check, of name: String) {
        history.recordCheck(ofHost: name, at: check.time, succeeded: check.latency != nil)
    }

    /// Connects to the hosts again if the network begins or ceases to fail.
    ///
    /// A hop that fails beyond this machine's links causes no event by which a host would be checked. Hosts that were not reachable
    /// while the state was not known are checked again once this machine is online.
    func connectivityChanged(to new: Connectivity) {
        let old = state.withLock { state -> [Task<Void, Never>?] in
            let previous = state.network
            state.network = new.state
            guard !state.isStopped else { return [] }
            readCertificates(&state)
            guard new.state != previous, connects || previous == nil else { return [] }
            let isForAll = new.state.isFailure || previous?.isFailure != false
            return state.entries.indices.filter { index in
                let row = state.entries[index].row
                let hasFailed = row.report.map { $0.state != .reachable } ?? false
                return isForAll || new.state == .online && hasFailed
            }.map { index in
                let task = state.entries[index].task
                state.entries[index].row.isOutdated = true
                start(&state.entries[index], new.state, state.interval)
                return task
            }
        }
        for task in old { task?.cancel() }
    }

    /// Replaces the hosts and the interval; a host that is still configured keeps its row.
    func reload(_ hosts: [WatchedHost], every interval: Duration) {
        let positions = Dictionary(hosts.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let (removed, restarted) = state.withLock { state -> ([Entry], [Task<Void, Never>?]) in
            guard !state.isStopped else { return ([], []) }
            let removed = state.entries.filter { positions[$0.row.host.name] == nil }
            state.entries.removeAll { positions[$0.row.host.name] == nil }
            guard state.interval != interval else { return (removed, []) }
            state.interval = interval
            let tasks = state.entries.map(\.task)
            for index in state.entries.indices { start(&state.entries[index], state.network, interval) }
            return (removed, tasks)
        }
        for entry in removed { entry.task?.cancel() }
        for task in restarted { task?.cancel() }
        for host in hosts { add(host) }
        state.withLock { state in
            state.entries.sort { (positions[$0.row.host.name] ?? .max) < (positions[$1.row.host.name] ?? .max) }
        }
    }

    func stop() {
        let entries = state.withLock { state in
            state.isStopped = true
            return state.entries
        }
        for entry in entries { entry.task?.cancel() }
    }

    private func start(_ entry: inout Entry, _ network: ConnectivityState?, _ interval: Duration) {
        // A connection would dial a link that is established on demand; before the first state, every link may be one.
        guard let network else { return }
        entry.round += 1
        let connects = connects && network != .requiresConnection
        let host = HostReachability(entry.row.host.target, connects: connects)
        entry.task = Task { [weak self, name = entry.row.host.name, round = entry.round] in
            for await report in host.reports(checkingEvery: interval) { self?.receive(report, of: name, round) }
        }
    }

    private func receive(_ report: HostReport, of name: String, _ round: UInt64) {
        let returns = state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.row.host.name == name && $0.round == round }) else {
                return false
            }
            let old = state.entries[index].row
            var row = old
            row.report = report
            let now = time.moment.realtime
            row.checkedAt = now
            row.isOutdated = false
            if report.state != old.report?.state { row.since = now }
            let network = connectivity()
            if let check = row.check(in: network) {
                row.statistics.add(check)
                if state.isRestored { record(check, of: name) }
            }
            state.entries[index].row = row
            recordChange(of: row, &state)
            if report.state != old.report?.state { state.entries[index].certificateDue = nil }
            if !state.isStopped { readCertificates(&state) }
            let isNews = old.isOutdated || old.report.map { !report.changes(since: $0).isEmpty } ?? true
            if isNews { changes.enqueue(row) }
            let isNear = report.route.value.map { $0.isDirect || $0.isLocalAddress } ?? true
            return !network.isOnline && !isNear && report.connection?.value != nil
                && (old.isOutdated || old.report?.state != .reachable)
        }
        changes.deliver()
        if returns { onReturn() }
    }

    // MARK: Certificates

    /// Starts to read the certificates that are due, one after the other: each takes a thread.
    private func readCertificates(_ state: inout State) {
        let network = connectivity()
        guard connects, Self.mayReadCertificates(in: network) else { return }
        let now = time.now
        for index in state.entries.indices {
            let entry = state.entries[index]
            guard entry.row.host.usesTLS, entry.certificateDue.map({ $0 <= now }) ?? true,
                let address = entry.row.report?.connection?.value, let port = entry.row.port,
                entry.row.result(in: network).state == .reachable
            else { continue }
            state.entries[index].certificateDue = now + Self.certificateInterval
            let previous = state.certificates
            let host = entry.row.host
            state.certificates = Task { [weak self] in
                await previous?.value
                guard self?.isWatching(host.name) == true else { return }
                let certificate = await ServerCertificate.read(of: host.target.hostText, at: address, port: port)
                if let certificate { self?.receive(certificate, of: host.name) }
            }
        }
    }

    private func isWatching(_ name: String) -> Bool {
        state.withLock { state in !state.isStopped && state.entries.contains { $0.row.host.name == name } }
    }

    private func receive(_ certificate: ServerCertificate, of name: String) {
        state.withLock { state in
            // The network may have begun to fail in the meantime.
            guard Self.mayReadCertificates(in: connectivity()),
                let index = state.entries.firstIndex(where: { $0.row.host.name == name }),
                state.entries[index].row.certificate != certificate
            else { return }
            state.entries[index].row.certificate = certificate
            changes.enqueue(state.entries[index].row)
        }
        changes.deliver()
    }

    /// Whether a certificate would be the host's own: a captive portal presents its own, and until the first check of the
    /// Internet ends, there may be one.
    private static func mayReadCertificates(in connectivity: Connectivity) -> Bool {
        switch connectivity.state {
        case .captivePortal: false
        case .unknown, .unverified: connectivity.evidence != nil
        case .online, .offline, .requiresConnection, .noInternet, .limited: true
        }
    }
}

extension HostRow {
    /// The last report as a check of the host.
    ///
    /// - Returns: nil if it says nothing about the host: there was no route, so that nothing was sent, or another machine
    ///   may have answered.
    fileprivate func check(in connectivity: Connectivity) -> HostStatistics.Check? {
        guard let report, report.resolution != nil || report.connection != nil, let checkedAt,
            result(in: connectivity).state != .unknown
        else { return nil }
        return HostStatistics.Check(time: checkedAt, latency: connectDuration.map { $0 / .seconds(1) })
    }
}

extension ConnectivityState {
    /// Whether the Internet is known not to answer.
    fileprivate var isFailure: Bool { HistoryState(self).availability == .down }
}
