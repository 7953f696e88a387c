// SPDX-License-Identifier: Apache-2.0

import Dialtone
package import DialtoneAgent
package import Logging
package import SystemSupport

/// Serves the dashboard, the event stream, the JSON API and the metrics of an agent.
///
/// It listens as soon as it is created, and answers requests once `run()` is called. It is a view: the agent has the state of the
/// network, and works without it.
package final class DialtoneServer: Sendable {
    /// The addresses the server listens on, with the actual ports.
    package var addresses: [ListenAddress] { listener.addresses }

    /// The URLs of the dashboard, one for each address the server listens on.
    package var urls: [String] { addresses.map { "\(listener.isEncrypted ? "https" : "http")://\($0)/" } }

    let listener: HTTPListener
    private let agent: Agent
    private let hub: EventHub
    private let logger: Logger
    private let time: TimeSource
    let router: Router

    /// Creates a server, starts to listen, and starts the agent.
    ///
    /// - Parameters:
    ///   - logger: receives requests; logs nothing by default.
    ///   - time: the time that limits, intervals and pages refer to.
    /// - Throws: an error if the configuration is invalid or the server cannot listen.
    package init(
        _ configuration: ServerConfiguration, of agent: Agent,
        logger: Logger = Logger(label: "dialtone", factory: { _ in SwiftLogNoOpLogHandler() }),
        time: TimeSource = .system
    ) throws(ServiceError) {
        let token = try Self.check(configuration)
        var limits = configuration.limits
        limits.connections = Descriptors.connections(limits.connections, ofDescriptors: Descriptors.raiseLimit())
        if limits.connections < configuration.limits.connections {
            limits.streams = max(1, min(limits.streams, limits.connections * 3 / 4))
        }
        self.agent = agent
        self.logger = logger
        self.time = time
        hub = EventHub(
            series: String(UInt32.random(in: .min ... .max), radix: 16), keepAlive: configuration.keepAlive,
            listenerLimit: limits.streams, time: time)
        listener = try HTTPListener(
            configuration.listen, limits: limits, identity: configuration.identity, logger: logger, time: time)
        let past = HistorySectionCache(limit: limits.historyTime, time: time)
        let throttle = LoginThrottle(
            delay: configuration.limits.wrongTokenDelay, limit: configuration.limits.wrongTokensPending, logger: logger,
            time: time)
        let accessControl = AccessControl(
            hosts: HostAllowList(listener.addresses, extra: configuration.allowedHosts), token: token)
        router = Router(
            current: CurrentConfiguration(configuration, accessControl), agent: agent, hub: hub, past: past,
            logger: logger, throttle: throttle, visitors: Visitors(time: time), time: time)
        agent.start(
            AgentView(
                connectivity: { [hub] in hub.publish("connectivity", $0.event(at: time.moment.realtime)) },
                transition: { _ in past.noteChange() },
                host: { [hub, monitor = agent.monitor] row in
                    let host = ServedHost(row: row, connectivity: monitor.current, now: time.moment.realtime)
                    hub.publish("host", OneLineJSON.string(host))
                }))
    }

    private static func check(_ configuration: ServerConfiguration) throws(ServiceError) -> Token? {
        let token = try configuration.token.map { text throws(ServiceError) in try Token(text) }
        for name in configuration.allowedHosts { try ServerConfiguration.check(allowedHost: name) }
        try configuration.checkAccess()
        return token
    }

    /// Replaces the token, the identity and the allowed hosts while the server runs.
    ///
    /// Everything else keeps its value, and HTTPS is neither turned on nor off. Connections, event streams and sessions continue; only a
    /// change of the token ends the sessions and streams that the old one has opened. Calls must not overlap.
    ///
    /// - Throws: ``ServiceError`` if the configuration is invalid; then nothing is replaced.
    package func reload(_ new: ServerConfiguration) throws(ServiceError) {
        var configuration = router.configuration
        configuration.token = new.token
        configuration.allowedHosts = new.allowedHosts
        if listener.isEncrypted, let identity = new.identity { configuration.identity = identity }
        let token = try Self.check(configuration)
        let oldToken = router.accessControl.token
        router.current.replace(
            configuration,
            AccessControl(hosts: HostAllowList(listener.addresses, extra: configuration.allowedHosts), token: token))
        if token != oldToken {
            router.visitors.beginTokenEpoch()
            hub.recheck()
        }
        if let identity = configuration.identity { listener.present(identity) }
        logCertificateProblem()
    }

    /// The server's activity, for its user and for the service manager.
    package var status: String { "Serving on \(urls.joined(separator: ", "))" }

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

    /// Runs the agent, and serves until the task is cancelled or `stop()` is called.
    ///
    /// Requests in progress then get a few seconds to complete.
    ///
    /// - Throws: ``ServiceError`` if connections can no longer be accepted.
    @available(macOS 14, *)
    package func run() async throws {
        logger.info("listening", metadata: ["address": "\(addresses.map(\.description).joined(separator: ", "))"])
        logCertificateProblem()
        logUnencryptedToken()
        try await agent.run(status: status, responds: listener.responds) {
            defer { hub.end() }
            do {
                if !(try await listener.run(router.respond)) { logger.warning("stopping with requests in progress") }
            } catch {
                logger.error("stopped serving", metadata: ["error": "\(error)"])
                throw error
            }
        }
    }

    /// Ends `run()`.
    package func stop() {
        hub.end()
        listener.stop()
    }
}
