//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone
public import DialtoneHistory
import FoundationEssentials
public import Logging
public import ServiceLifecycle

/// The dashboard, the event stream, the JSON API and the metrics, over one monitor and one history.
///
/// It listens from its making on, and answers once `run()` is called.
public final class DialtoneServer: Service {
    /// Where it listens, with the port that it got.
    public var address: ListenAddress { listener.address }

    private let configuration: ServerConfiguration
    private let listener: HTTPListener
    private let watch: Watch
    private let hub: EventHub
    private let history: HistoryStore
    private let logger: Logger
    private let router: Router
    private let meter: Meter

    /// Makes a server, and listens.
    ///
    /// - Parameters:
    ///   - configuration: how it is to be.
    ///   - monitor: what it shows; it is started, on this thread, and watches the network namespace of that.
    ///   - paths: whose paths are shown beside the monitor's.
    ///   - history: what has been, and where what happens is recorded.
    ///   - checks: the monitor's checks, which the metrics count.
    ///   - logger: hears of requests and changes; nobody unless given.
    /// - Throws: what is wrong with the configuration, or why the server cannot listen.
    public init(
        _ configuration: ServerConfiguration, monitor: ConnectivityMonitor, paths: any PathSource = SystemPathSource(),
        history: HistoryStore, checks: RecordedCheck? = nil,
        logger: Logger = Logger(label: "dialtone", factory: { _ in SwiftLogNoOpLogHandler() })
    ) throws(ServerError) {
        let token = try configuration.token.map { text throws(ServerError) in try Token(text) }
        guard token != nil || configuration.listen.isLoopback else {
            throw ServerError(
                .noToken,
                "On \(configuration.listen) others could connect: give a file with a token, --token-file FILE.")
        }
        // A further name is that of a proxy, whose visitors all come from this machine.
        guard token != nil || configuration.allowedHosts.isEmpty else {
            throw ServerError(
                .noToken,
                "As \(configuration.allowedHosts.joined(separator: ", ")) others could come through a proxy:"
                    + " give a file with a token, --token-file FILE.")
        }
        Descriptors.raiseLimit()
        self.configuration = configuration
        self.history = history
        self.logger = logger
        meter = checks?.meter ?? Meter()
        hub = EventHub(
            series: String(UInt32.random(in: .min ... .max), radix: 16), heartbeat: configuration.heartbeat,
            listenerLimit: configuration.limits.streams)
        do {
            watch = try Watch(
                monitor, paths: paths, request: try PlainRequest(configuration.requestURL),
                demo: configuration.isDemo ? Demo() : nil, hub: hub)
        } catch {
            throw ServerError(.badHost, "'\(configuration.requestURL)' cannot be asked for: \(error)")
        }
        listener = try HTTPListener(configuration.listen, limits: configuration.limits)
        let past = PastCache()
        let gate = Gate(
            hosts: HostAllowList(listener.address, extra: configuration.allowedHosts), token: token)
        router = Router(
            gate: gate, configuration: configuration, watch: watch, hub: hub, history: history, meter: meter,
            past: past, logger: logger)
        watch.start(configuration.hosts) { [history, meter, logger] connectivity in
            meter.transition(to: connectivity.state)
            Self.record(connectivity, in: history, logger)
            past.noteChange()
        }
    }

    /// Serves until the service group shuts down gracefully, the task is cancelled, or `stop()` is called.
    ///
    /// Then requests that are under way may end, for a few seconds.
    public func run() async throws {
        logger.info("listening", metadata: ["address": "\(address)"])
        let service = ServiceBeats(
            notifier: ServiceNotifier(environment: ProcessInfo.processInfo.environment), history: history,
            logger: logger)
        let beats = Task { await service.run() }
        defer { beats.cancel() }
        service.begin("Serving on http://\(address)/")
        try await withGracefulShutdownHandler {
            try await listener.run(router.respond)
        } onGracefulShutdown: {
            self.stop()
        }
        service.end()
        watch.stop()
        await history.close()
        logger.info("stopped")
    }

    /// Ends `run()`.
    public func stop() {
        hub.end()
        listener.stop()
    }

    private static func record(_ connectivity: Connectivity, in history: HistoryStore, _ logger: Logger) {
        let now = Date.now
        history.record(HistoryTransition(connectivity, at: now))
        if connectivity.changes.isEmpty || connectivity.changes.contains(.state) {
            logger.info(
                "connectivity",
                metadata: [
                    "state": "\(connectivity.state.rawValue)",
                    "interface": "\(connectivity.path.interfaces.first?.name ?? "none")",
                    "reason": "\(HistoryCause(connectivity)?.rawValue ?? "none")",
                ])
        }
    }
}
