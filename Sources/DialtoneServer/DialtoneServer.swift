// SPDX-License-Identifier: Apache-2.0

public import Dialtone
public import DialtoneHistory
public import Logging
import SystemSupport

/// Serves the dashboard, the event stream, the JSON API and the metrics of one monitor and one history.
///
/// It listens as soon as it is created, and answers requests once `run()` is called.
public final class DialtoneServer: Sendable {
    /// The address the server listens on, with the actual port.
    public var address: ListenAddress { listener.address }

    /// The URL of the dashboard, with the address the server listens on.
    public var url: String { "\(listener.isEncrypted ? "https" : "http")://\(address)/" }

    private let listener: HTTPListener
    private let publisher: LiveStatePublisher
    private let hub: EventHub
    private let history: HistoryStore
    private let logger: Logger
    private let router: Router
    private let metricsRecorder: MetricsRecorder
    private let sender: EventSender
    private let notifier = ServiceNotifier(environment: ProcessInfo.processInfo.environment)

    /// Creates a server and starts to listen.
    ///
    /// - Parameters:
    ///   - configuration: the configuration of the server.
    ///   - monitor: the monitor to show; it is started on this thread and watches this thread's network namespace.
    ///   - paths: the source of the paths shown beside the monitor's.
    ///   - history: the history to show, which also records changes.
    ///   - checks: the monitor's checks, which the metrics count.
    ///   - diagnostics: finds the broken hop when a check fails; nil to query no hops.
    ///   - logger: receives requests and changes; logs nothing by default.
    ///   - hookRuns: the number of hooks that ran, by result, for the metrics.
    /// - Throws: an error if the configuration is invalid or the server cannot listen.
    public init(
        _ configuration: ServerConfiguration, monitor: ConnectivityMonitor, paths: any PathSource = SystemPathSource(),
        history: HistoryStore, checks: RecordedCheck? = nil, diagnostics: NetworkDiagnostics? = nil,
        logger: Logger = Logger(label: "dialtone", factory: { _ in SwiftLogNoOpLogHandler() }),
        hookRuns: @escaping @Sendable () -> [String: Int] = { [:] }
    ) throws(ServerError) {
        let (token, request) = try Self.check(configuration)
        var limits = configuration.limits
        limits.connections = Descriptors.connections(limits.connections, ofDescriptors: Descriptors.raiseLimit())
        if limits.connections < configuration.limits.connections {
            limits.streams = max(1, min(limits.streams, limits.connections * 3 / 4))
        }
        self.history = history
        self.logger = logger
        metricsRecorder = checks?.metricsRecorder ?? MetricsRecorder()
        hub = EventHub(
            series: String(UInt32.random(in: .min ... .max), radix: 16), heartbeat: configuration.heartbeat,
            listenerLimit: limits.streams)
        let hosts = HostWatch(
            monitor.current, interval: configuration.hostInterval, connects: !configuration.isPassive, history: history
        ) { [hub] row in
            hub.publish("host", OneLineJSON.string(ServedHost(row, in: monitor.current)))
        }
        do {
            publisher = try LiveStatePublisher(
                monitor, paths: paths, request: request, hosts: hosts, diagnostics: diagnostics,
                demo: configuration.isDemo ? Demo() : nil, hub: hub)
        } catch {
            throw ServerError(.system, "\(error)")
        }
        listener = try HTTPListener(
            configuration.listen, limits: limits, identity: configuration.identity, logger: logger)
        sender = EventSender(
            history, machine: configuration.machineName, proxies: configuration.proxies, logger: logger)
        sender.setTarget(configuration.events)
        let past = HistorySectionCache(limit: limits.historyTime)
        let throttle = LoginThrottle(
            time: configuration.limits.wrongTokenDelay, limit: configuration.limits.wrongTokensPending, logger: logger)
        let accessControl = AccessControl(
            hosts: HostAllowList(listener.address, extra: configuration.allowedHosts), token: token)
        router = Router(
            current: CurrentConfiguration(configuration, accessControl), publisher: publisher, hub: hub,
            history: history, metricsRecorder: metricsRecorder, sender: sender, hookRuns: hookRuns,
            past: past, logger: logger, throttle: throttle)
        let isPassive = configuration.isPassive
        publisher.start(configuration.hosts) { [history, metricsRecorder, sender, logger] connectivity in
            let transition = HistoryTransition(connectivity, at: .now, isPassive: isPassive)
            metricsRecorder.transition(to: connectivity.state, cause: transition.cause)
            history.record(transition)
            sender.connectivityChanged(to: connectivity.state)
            Self.log(connectivity, logger)
            past.noteChange()
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
            AccessControl(hosts: HostAllowList(listener.address, extra: configuration.allowedHosts), token: token))
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
    /// - Parameter body: reloads, and returns the reason why it did not; nil if it did.
    package func reportReload(_ body: () async -> String?) async {
        await heartbeat.beginReload()
        let problem = await body()
        await heartbeat.endReload(
            status: status + (problem.map { "; the last reload was refused: \($0)" } ?? ""))
    }

    private var status: String { "Serving on \(url)" }

    private var heartbeat: WatchdogHeartbeat {
        WatchdogHeartbeat(notifier: notifier, history: history, logger: logger, responds: listener.responds)
    }

    private func logCertificateProblem() {
        if let problem = router.configuration.identity?.problem(at: .now) { logger.warning("\(problem)") }
    }

    /// Logs that other machines send the token unencrypted.
    private func logUnencryptedToken() {
        guard !listener.isEncrypted, !address.isLoopback else { return }
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
        logger.info("listening", metadata: ["address": "\(address)"])
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
        sender.stop()
        // The disk may not respond.
        if await !completes(within: .seconds(5), history.close) {
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
            until: .now + .seconds(5), late: nil, cancelled: nil
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

    private static func log(_ connectivity: Connectivity, _ logger: Logger) {
        if connectivity.changes.isEmpty || connectivity.changes.contains(.state) {
            logger.info("connectivity", metadata: logMetadata(connectivity))
        }
    }

    /// The fields of the log's entry about a new state.
    static func logMetadata(_ connectivity: Connectivity) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "state": "\(connectivity.state.rawValue)",
            "interface": "\(connectivity.path.interfaces.first?.name ?? "none")",
            "cause": "\(HistoryCause(connectivity)?.rawValue ?? "none")", "reason": "\(connectivity.reason ?? "none")",
        ]
        if let portal = connectivity.evidence?.verdict.portal { metadata["portal"] = "\(portal.absoluteString)" }
        return metadata
    }
}
