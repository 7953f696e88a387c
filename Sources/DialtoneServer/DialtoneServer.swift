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

    private let configuration: ServerConfiguration
    private let listener: HTTPListener
    private let publisher: LiveStatePublisher
    private let hub: EventHub
    private let history: HistoryStore
    private let logger: Logger
    private let router: Router
    private let metricsRecorder: MetricsRecorder

    /// Creates a server and starts to listen.
    ///
    /// - Parameters:
    ///   - configuration: the configuration of the server.
    ///   - monitor: the monitor to show; it is started on this thread and watches this thread's network namespace.
    ///   - paths: the source of the paths shown beside the monitor's.
    ///   - history: the history to show, which also records changes.
    ///   - checks: the monitor's checks, which the metrics count.
    ///   - logger: receives requests and changes; logs nothing by default.
    /// - Throws: an error if the configuration is invalid or the server cannot listen.
    public init(
        _ configuration: ServerConfiguration, monitor: ConnectivityMonitor, paths: any PathSource = SystemPathSource(),
        history: HistoryStore, checks: RecordedCheck? = nil,
        logger: Logger = Logger(label: "dialtone", factory: { _ in SwiftLogNoOpLogHandler() })
    ) throws(ServerError) {
        let token = try configuration.token.map { text throws(ServerError) in try Token(text) }
        for name in configuration.allowedHosts { try ServerConfiguration.check(allowedHost: name) }
        try configuration.checkAccess()
        try configuration.checkHostInterval()
        let request = try PlainRequest(configuration.request, proxies: configuration.proxies)
        var limits = configuration.limits
        limits.connections = Descriptors.connections(limits.connections, ofDescriptors: Descriptors.raiseLimit())
        if limits.connections < configuration.limits.connections {
            limits.streams = max(1, min(limits.streams, limits.connections * 3 / 4))
        }
        self.configuration = configuration
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
                monitor, paths: paths, request: request, hosts: hosts, demo: configuration.isDemo ? Demo() : nil,
                hub: hub)
        } catch {
            throw ServerError(.system, "\(error)")
        }
        listener = try HTTPListener(configuration.listen, limits: limits)
        let past = HistorySectionCache(limit: limits.historyTime)
        let throttle = LoginThrottle(
            time: configuration.limits.wrongTokenDelay, limit: configuration.limits.wrongTokensPending, logger: logger)
        let accessControl = AccessControl(
            hosts: HostAllowList(listener.address, extra: configuration.allowedHosts), token: token)
        router = Router(
            accessControl: accessControl, configuration: configuration, publisher: publisher, hub: hub,
            history: history, metricsRecorder: metricsRecorder,
            past: past, logger: logger, throttle: throttle)
        let isPassive = configuration.isPassive
        publisher.start(configuration.hosts) { [history, metricsRecorder, logger] connectivity in
            let transition = HistoryTransition(connectivity, at: .now, isPassive: isPassive)
            metricsRecorder.transition(to: connectivity.state, cause: transition.cause)
            history.record(transition)
            Self.log(connectivity, logger)
            past.noteChange()
        }
    }

    /// Serves until the task is cancelled or `stop()` is called.
    ///
    /// Requests in progress then get a few seconds to complete.
    ///
    /// - Throws: ``ServerError`` if connections can no longer be accepted.
    public func run() async throws {
        logger.info("listening", metadata: ["address": "\(address)"])
        await restoreHosts()
        let heartbeat = WatchdogHeartbeat(
            notifier: ServiceNotifier(environment: ProcessInfo.processInfo.environment), history: history,
            logger: logger, responds: listener.responds)
        let beating = Task { await heartbeat.run(status: "Serving on http://\(address)/") }
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
