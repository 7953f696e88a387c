// SPDX-License-Identifier: Apache-2.0

package import Dialtone
package import DialtoneHistory
package import Logging
import SystemSupport

/// Serves the dashboard, the event stream, the JSON API and the metrics of one monitor and one history.
///
/// It listens as soon as it is created, and answers requests once `run()` is called.
public final class DialtoneServer: Sendable {
    /// The addresses the server listens on, with the actual ports.
    public var addresses: [ListenAddress] { listener.addresses }

    /// The URLs of the dashboard, one for each address the server listens on.
    public var urls: [String] { addresses.map { "\(listener.isEncrypted ? "https" : "http")://\($0)/" } }

    let listener: HTTPListener
    private let publisher: LiveStatePublisher
    private let hub: EventHub
    private let history: HistoryStore
    private let logger: Logger
    private let time: TimeSource
    private let router: Router
    private let metricsRecorder: MetricsRecorder
    private let sender: EventSender
    private let endMinutes: @Sendable () -> Void
    private let notifier = ServiceNotifier(environment: ProcessInfo.processInfo.environment)

    /// Creates a server and starts to listen.
    ///
    /// - Parameters:
    ///   - configuration: the configuration of the server.
    ///   - monitor: the monitor to show; it is started on this thread and watches this thread's network namespace.
    ///   - paths: the source of the paths shown beside the monitor's.
    ///   - history: the history to show, which also records the transitions.
    ///   - checks: the monitor's checks, which the metrics count.
    ///   - logger: receives requests and changes; logs nothing by default.
    ///   - hookRuns: the number of hooks that ran, by result, for the metrics.
    ///   - time: the time that limits, intervals and pages refer to; the monitor and the history have their own.
    ///   - onTransition: called with each transition, in order, after the history received it.
    /// - Throws: an error if the configuration is invalid or the server cannot listen.
    package init(
        _ configuration: ServerConfiguration, monitor: ConnectivityMonitor, paths: any PathSource = SystemPathSource(),
        history: HistoryStore, checks: RecordedCheck? = nil,
        logger: Logger = Logger(label: "dialtone", factory: { _ in SwiftLogNoOpLogHandler() }),
        hookRuns: @escaping @Sendable () -> [String: Int] = { [:] }, time: TimeSource = .system,
        onTransition: @escaping @Sendable (Transition) -> Void = { _ in }
    ) throws(ServerError) {
        let (token, request) = try Self.check(configuration)
        var limits = configuration.limits
        limits.connections = Descriptors.connections(limits.connections, ofDescriptors: Descriptors.raiseLimit())
        if limits.connections < configuration.limits.connections {
            limits.streams = max(1, min(limits.streams, limits.connections * 3 / 4))
        }
        self.history = history
        self.logger = logger
        self.time = time
        metricsRecorder = checks?.metricsRecorder ?? MetricsRecorder(time: time)
        hub = EventHub(
            series: String(UInt32.random(in: .min ... .max), radix: 16), heartbeat: configuration.heartbeat,
            listenerLimit: limits.streams, time: time)
        let hosts = HostWatch(
            monitor.current, interval: configuration.hostInterval, connects: !configuration.isPassive, time: time,
            history: history,
            onReturn: { monitor.report(.reached) },
            onChange: { [hub] row in
                let host = ServedHost(row, in: monitor.current, at: time.moment.realtime)
                hub.publish("host", OneLineJSON.string(host))
            })
        do {
            publisher = try LiveStatePublisher(
                monitor, paths: paths, request: request, hosts: hosts,
                demo: configuration.isDemo ? Demo(time: time) : nil,
                hub: hub, time: time)
        } catch {
            throw ServerError(.system, "\(error)")
        }
        listener = try HTTPListener(
            configuration.listen, limits: limits, identity: configuration.identity, logger: logger, time: time)
        sender = EventSender(
            history, machine: configuration.machineName, proxies: configuration.proxies, logger: logger,
            time: time)
        sender.setTarget(configuration.events)
        let past = HistorySectionCache(limit: limits.historyTime, time: time)
        let throttle = LoginThrottle(
            delay: configuration.limits.wrongTokenDelay, limit: configuration.limits.wrongTokensPending, logger: logger,
            time: time)
        let accessControl = AccessControl(
            hosts: HostAllowList(listener.addresses, extra: configuration.allowedHosts), token: token)
        router = Router(
            current: CurrentConfiguration(configuration, accessControl), publisher: publisher, hub: hub,
            history: history, metricsRecorder: metricsRecorder, sender: sender, hookRuns: hookRuns,
            past: past, logger: logger, throttle: throttle, visitors: Visitors(time: time), time: time)
        let minutes = monitor.hopMinutes.subscribe { [history] in history.record($0) }
        endMinutes = { monitor.hopMinutes.cancel(minutes) }
        publisher.start(configuration.hosts, isPassive: configuration.isPassive) {
            [history, metricsRecorder, sender, logger] transition in
            history.record(HistoryTransition(transition))
            metricsRecorder.count(transition)
            sender.connectivityChanged(to: transition.state)
            logger.info("connectivity", metadata: Self.logMetadata(transition))
            past.noteChange()
            onTransition(transition)
        }
    }

    private static func check(_ configuration: ServerConfiguration) throws(ServerError) -> (Token?, PlainRequest) {
        let token = try configuration.token.map { text throws(ServerError) in try Token(text) }
        for name in configuration.allowedHosts { try ServerConfiguration.check(allowedHost: name) }
        try configuration.checkAccess()
        try configuration.checkHostInterval()
        return (token, try PlainRequest(configuration.request, proxies: configuration.proxies))
    }

    /// Replaces the configuration while the server runs.
    ///
    /// Replaced are the token, the identity, the allowed and the watched hosts, the host interval, the collector of events, and
    /// the button's request.
    /// Everything else keeps its value, and HTTPS is neither turned on nor off. Connections, event streams and sessions
    /// continue; only a change of the token ends the sessions and streams that the old one has opened. Calls must not overlap.
    ///
    /// - Throws: ``ServerError`` if the configuration is invalid; then nothing is replaced.
    public func reload(_ new: ServerConfiguration) throws(ServerError) {
        var configuration = router.configuration
        (configuration.token, configuration.allowedHosts) = (new.token, new.allowedHosts)
        (configuration.hosts, configuration.hostInterval) = (new.hosts, new.hostInterval)
        (configuration.request, configuration.events) = (new.request, new.events)
        if listener.isEncrypted, let identity = new.identity { configuration.identity = identity }
        let (token, request) = try Self.check(configuration)
        let oldToken = router.accessControl.token
        router.current.replace(
            configuration,
            AccessControl(hosts: HostAllowList(listener.addresses, extra: configuration.allowedHosts), token: token))
        if token != oldToken {
            router.visitors.beginTokenEpoch()
            hub.recheck()
        }
        if let identity = configuration.identity { listener.present(identity) }
        publisher.reload(configuration.hosts, every: configuration.hostInterval, request: request)
        sender.setTarget(configuration.events)
        logCertificateProblem()
    }

    /// Reports a reload to the service manager, from its beginning to its end.
    ///
    /// - Parameter body: reloads the settings.
    package func reportReload(_ body: () async -> ReloadResult) async -> ReloadResult {
        await heartbeat.beginReload()
        let result = await body()
        let words =
            switch result {
            case .applied(note: nil): ""
            case .applied(let note?): "; \(note)"
            case .refused(let reason): "; the last reload was refused: \(reason)"
            }
        await heartbeat.endReload(status: status + words)
        return result
    }

    /// What the server does, for its user and for the service manager.
    package var status: String {
        addresses.isEmpty ? "Watching without a port" : "Serving on \(urls.joined(separator: ", "))"
    }

    private var heartbeat: WatchdogHeartbeat {
        WatchdogHeartbeat(
            notifier: notifier, history: history, logger: logger, time: time, responds: listener.responds)
    }

    private func logCertificateProblem() {
        if let problem = router.configuration.identity?.problem(at: time.moment.realtime) {
            logger.warning("\(problem)")
        }
    }

    /// Logs that other machines send the token unencrypted.
    private func logUnencryptedToken() {
        guard !listener.isEncrypted, !addresses.allSatisfy(\.isLoopback) else { return }
        logger.warning(
            """
            the token is sent unencrypted, so anyone who can read the network traffic can log in: set --tls-certificate and \
            --tls-key, or listen on loopback behind a proxy with HTTPS
            """)
    }

    /// Serves until the task is cancelled or `stop()` is called.
    ///
    /// Requests in progress then get a few seconds to complete.
    ///
    /// - Throws: ``ServerError`` if connections can no longer be accepted.
    @available(macOS 14, *)
    public func run() async throws {
        let texts = addresses.isEmpty ? ["none"] : addresses.map(\.description)
        logger.info("listening", metadata: ["address": "\(texts.joined(separator: ", "))"])
        logCertificateProblem()
        logUnencryptedToken()
        await restoreHosts()
        let heartbeat = heartbeat
        let beating = Task { await heartbeat.run(status: status) }
        let result: Result<Void, any Error>
        do {
            if !(try await listener.run(router.respond)) { logger.warning("stopping with requests in progress") }
            result = .success(())
        } catch {
            logger.error("stopped serving", metadata: ["error": "\(error)"])
            result = .failure(error)
        }
        beating.cancel()
        await heartbeat.end()
        hub.end()
        publisher.stop()
        endMinutes()
        sender.stop()
        // The disk may not respond.
        if await !completes(within: .seconds(5), on: time, history.close) {
            logger.warning(
                "stopping without closing the history: the disk does not respond",
                metadata: ["waiting": "\(history.status.waiting)"])
        }
        logger.info("stopped")
        try result.get()
    }

    /// Watches the hosts that are stored in the history, which may not be readable.
    private func restoreHosts() async {
        let stored: Result<StoredHosts, HistoryReadingError>? = await firstAnswer(
            until: time.now + .seconds(5), on: time, late: nil, cancelled: nil
        ) { [history] in
            do throws(HistoryReadingError) {
                return .success(try await history.storedHosts())
            } catch {
                return .failure(error)
            }
        }
        switch stored {
        case .success(let hosts)?:
            for name in publisher.restore(hosts) {
                logger.warning("a host added on the page is not watched: invalid name", metadata: ["host": "\(name)"])
            }
            return
        case .failure(let error)?:
            logger.warning("hosts added on the page are not watched", metadata: ["error": "\(error)"])
        case nil: logger.warning("hosts added on the page are not watched: the disk does not respond")
        }
        _ = publisher.restore(StoredHosts())
    }

    /// The number of failed logins.
    var loginFailures: UInt64 { router.throttle.failures }

    /// Ends `run()`.
    public func stop() {
        hub.end()
        listener.stop()
    }

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

/// The result of a reload.
package enum ReloadResult: Hashable, Sendable {
    /// The settings are in effect, except for what the note names.
    case applied(note: String?)
    /// All settings keep their values.
    case refused(reason: String)
}
