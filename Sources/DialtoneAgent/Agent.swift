// SPDX-License-Identifier: Apache-2.0

package import CommandSupport
package import Dialtone
package import DialtoneHistory
package import Logging
package import SystemSupport

/// Watches the network of one monitor: records its history, runs hooks, delivers events, counts, watches hosts, and reports to the
/// service manager.
///
/// It needs no server. A server is a view of it: it reads the values below, and receives the changes of `AgentView`.
package final class Agent: Sendable {
    /// The configuration that the agent was created with; a reload replaces the hosts, their interval and the collector.
    package let configuration: AgentConfiguration
    /// The monitor, which has the current state.
    package let monitor: ConnectivityMonitor
    /// The history, which also is the queue of events.
    package let history: HistoryStore
    package let hosts: HostWatch
    package let recorder: MetricsRecorder
    /// Sends the events to a collector.
    package let sender: EventSender
    private let hooks: HookRunner?
    private let logger: Logger
    private let time: TimeSource
    private let reporter: ServiceReporter
    /// End the subscriptions of `start`.
    private let ends = Mutex<[@Sendable () -> Void]>([])

    /// Creates an agent, which watches nothing before `start`.
    ///
    /// - Parameters:
    ///   - checks: the monitor's checks, which the metrics count.
    ///   - logger: receives changes; logs nothing by default.
    ///   - time: the time that intervals and limits refer to; the monitor and the history have their own.
    /// - Throws: an error if the configuration is invalid.
    package init(
        _ configuration: AgentConfiguration, monitor: ConnectivityMonitor, history: HistoryStore,
        checks: RecordedCheck? = nil, hooks: HookRunner? = nil,
        logger: Logger = Logger(label: "dialtone", factory: { _ in SwiftLogNoOpLogHandler() }),
        time: TimeSource = .system
    ) throws(ServiceError) {
        try configuration.check()
        self.configuration = configuration
        self.monitor = monitor
        self.history = history
        self.hooks = hooks
        self.logger = logger
        self.time = time
        recorder = checks?.metricsRecorder ?? MetricsRecorder(time: time)
        sender = EventSender(
            history, machine: configuration.machineName, proxies: configuration.proxies, logger: logger, time: time)
        reporter = ServiceReporter(
            notifier: ServiceNotifier(environment: ProcessInfo.processInfo.environment), history: history,
            logger: logger, time: time)
        hosts = HostWatch(
            { monitor.current }, interval: configuration.hostInterval, connects: !configuration.isPassive, time: time,
            history: history, onReturn: { monitor.report(.reached) })
    }

    /// Starts to watch.
    ///
    /// The monitor is started on this thread, and watches this thread's network namespace.
    ///
    /// - Parameter view: receives the changes.
    package func start(_ view: AgentView = AgentView()) {
        sender.setTarget(configuration.events)
        let minutes = monitor.hopMinutes.subscribe { [history] in history.record($0) }
        let silences = monitor.silences.subscribe { [weak self] in self?.receive($0) }
        let observation = monitor.observeTransitions(isPassive: configuration.isPassive) {
            [weak self] connectivity, transition in
            self?.receive(connectivity, transition, view)
        }
        let changes = hosts.changes.subscribe(view.host)
        ends.withLock { [monitor, hosts] in
            $0 = [
                { observation.cancel() }, { monitor.hopMinutes.cancel(minutes) }, { monitor.silences.cancel(silences) },
                { hosts.changes.cancel(changes) },
            ]
        }
        // A host that is configured twice is watched once.
        for host in configuration.hosts { hosts.add(host) }
    }

    func receive(_ silence: Silence) {
        history.record(silence)
        recorder.count(silence)
    }

    func receive(_ connectivity: Connectivity, _ transition: Transition?, _ view: AgentView = AgentView()) {
        if let transition {
            history.record(HistoryTransition(transition))
            recorder.count(transition)
            sender.connectivityChanged(to: transition.state)
            logger.info("connectivity", metadata: Self.logMetadata(transition))
            view.transition(transition)
            hooks?.submit(transition)
        }
        view.connectivity(connectivity)
        hosts.connectivityChanged(to: connectivity)
    }

    /// Replaces the watched hosts, their interval, and the collector of events.
    ///
    /// - Parameters:
    ///   - new: the configuration; everything else in it is ignored.
    ///   - view: replaces the configuration of a view of this agent; if it throws, nothing is replaced.
    /// - Throws: an error if a configuration is invalid; then nothing is replaced.
    package func reload(_ new: AgentConfiguration, _ view: () throws -> Void = {}) throws {
        try new.check()
        try view()
        hosts.reload(new.hosts, every: new.hostInterval)
        sender.setTarget(new.events)
    }

    /// Reports a reload to the service manager, from its beginning to its end.
    ///
    /// - Parameter status: what the agent does, for the service manager.
    package func reportReload(status: String, _ body: () async -> ReloadResult) async -> ReloadResult {
        await reporter.beginReload()
        let result = await body()
        let words =
            switch result {
            case .applied(note: nil): ""
            case .applied(let note?): "; \(note)"
            case .refused(let reason): "; the last reload was refused: \(reason)"
            }
        await reporter.endReload(status: status + words)
        return result
    }

    /// Reports to the service manager and writes the history while a body runs, then ends everything.
    ///
    /// - Parameters:
    ///   - status: what the agent does, for the service manager.
    ///   - responds: whether the body works; it does not return while that hangs.
    package func run(
        status: String, responds: @escaping @Sendable () async -> Bool = { true }, _ body: () async throws -> Void
    ) async throws {
        await restoreHosts()
        let reporting = Task { await reporter.run(status: status, responds: responds) }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        reporting.cancel()
        await reporter.end()
        await end()
        logger.info("stopped")
        try result.get()
    }

    private func end() async {
        hosts.stop()
        let ends = ends.withLock { ends in
            defer { ends = [] }
            return ends
        }
        // It keeps a drop for more than a minute, and the packets of the minute under way.
        _ = await completes(within: .seconds(1), on: time, monitor.endHeartbeat)
        for end in ends { end() }
        sender.stop()
        // The disk may not respond.
        if await !completes(within: .seconds(5), on: time, history.close) {
            logger.warning(
                "stopping without closing the history: the disk does not respond",
                metadata: ["waiting": "\(history.status.waiting)"])
        }
        hooks?.stop()
    }

    /// The last minute of the heartbeat; nil before the first.
    package var hops: HopMinute? {
        // A minute arrives with the first answer after it, which may take another one.
        monitor.hopMinutes.value.flatMap { $0.start > time.moment.realtime - 180 ? $0 : nil }
    }

    /// Which outages are always noticed; nil without a heartbeat, and until it is known.
    package var coverage: HeartbeatCoverage? { monitor.coverage.value }

    /// The number of hooks that ran, by result.
    package var hookRuns: [String: Int] { hooks?.counts ?? [:] }

    /// The fields of the log's entry about a transition.
    static func logMetadata(_ transition: Transition) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "transition": "\(transition.number)", "state": "\(transition.state.rawValue)",
            "interface": "\(transition.interfaceName ?? "none")", "cause": "\(transition.cause?.rawValue ?? "none")",
            "reason": "\(transition.reason ?? "none")", "fault": "\(transition.fault?.rawValue ?? "none")",
        ]
        if let remark = transition.remark { metadata["remark"] = "\(remark)" }
        if let portal = transition.portal { metadata["portal"] = "\(portal)" }
        return metadata
    }
}

extension Agent {
    /// Adds the checks that earlier runs stored in the history, which may not be readable.
    private func restoreHosts() async {
        let stored: StoredHosts? = await firstAnswer(
            until: time.now + .seconds(5), on: time, late: nil, cancelled: nil
        ) { [history, logger] in
            do throws(HistoryReadingError) {
                return try await history.storedHosts()
            } catch {
                logger.warning("earlier checks of hosts are not counted", metadata: ["error": "\(error)"])
                return StoredHosts()
            }
        }
        if stored == nil { logger.warning("earlier checks of hosts are not counted: the disk does not respond") }
        hosts.restore(stored ?? StoredHosts())
    }
}

/// Receives the changes that an agent notices, each kind in order; each closure must return quickly.
package struct AgentView: Sendable {
    /// Called with each value of the monitor.
    package var connectivity: @Sendable (Connectivity) -> Void
    /// Called with each transition, after it was recorded and before its value of the monitor.
    package var transition: @Sendable (Transition) -> Void
    /// Called with each change of a watched host.
    package var host: @Sendable (HostRow) -> Void

    package init(
        connectivity: @escaping @Sendable (Connectivity) -> Void = { _ in },
        transition: @escaping @Sendable (Transition) -> Void = { _ in },
        host: @escaping @Sendable (HostRow) -> Void = { _ in }
    ) {
        self.connectivity = connectivity
        self.transition = transition
        self.host = host
    }
}

package enum ReloadResult: Hashable, Sendable {
    /// The settings are in effect, except for what the note names.
    case applied(note: String?)
    /// All settings keep their values.
    case refused(reason: String)
}
