// SPDX-License-Identifier: Apache-2.0

/// Whether a host can be reached, by this machine's routing or proven by a connection.
///
/// Without `connects` no packet is sent: the report says whether, and by which interface, packets to the address would
/// leave this machine. For a name, that is the route to the Internet, whether or not the name exists. With `connects`
/// the name is resolved and a TCP connection is made and closed again, to the address that answers first (RFC 8305).
///
/// ```swift
/// let host = try HostReachability("example.com:443", connects: true)
/// print(await host.check().state)
/// for await report in host.updates() {
///     print(report.reason ?? "It can be reached.")
/// }
/// ```
public struct HostReachability: Sendable {
    /// The target.
    public let target: HostTarget
    /// Whether a connection must prove that the host is reachable.
    public let connects: Bool
    /// The time limit of resolution and connection together.
    public let timeout: Duration
    /// The port of a connection if the target names none.
    public static let defaultPort: UInt16 = 443

    let environment: HostEnvironment

    /// Creates a check of a target.
    ///
    /// - Parameters:
    ///   - target: the host to reach.
    ///   - connects: whether to prove it by a connection, to the target's port or to 443 if it names none.
    ///   - timeout: the time limit of resolution and connection together.
    public init(_ target: HostTarget, connects: Bool = false, timeout: Duration = .seconds(10)) {
        self.init(target, connects: connects, timeout: timeout, environment: .system)
    }

    /// Creates a check of a name, an address, either with a port, or a URL, as `HostTarget` parses them.
    ///
    /// - Throws: the problem with the text.
    public init(_ text: String, connects: Bool = false, timeout: Duration = .seconds(10)) throws(HostTargetError) {
        self.init(try HostTarget(text), connects: connects, timeout: timeout)
    }

    /// Creates a check of a target over a network.
    public init(
        _ target: HostTarget, connects: Bool = false, timeout: Duration = .seconds(10), over transport: NetworkTransport
    ) {
        self.init(target, connects: connects, timeout: timeout, environment: transport.environment)
    }

    init(_ target: HostTarget, connects: Bool, timeout: Duration, environment: HostEnvironment) {
        self.target = target
        self.connects = connects
        self.timeout = timeout
        self.environment = environment
    }

    /// Checks the host now.
    ///
    /// Without `connects` it takes about a millisecond. If the task is cancelled it returns at once, with `timedOut`
    /// or `unknown` for each unfinished step.
    public func check() async -> HostReport {
        let start = environment.time.now
        let view = await environment.routing.view(of: target.host.knownAddresses)
        guard let view else {
            return HostReport(
                target: target, route: HostStep(.failure(HostError(.unknown)), environment.time.now - start))
        }
        return await evaluate(view, since: start).report
    }

    /// Checks the host now, in one state of the network.
    func check(under view: HostView) async -> HostReport { await evaluate(view, since: environment.time.now).report }

    /// The reports: the current one first, then each that differs in more than its durations.
    ///
    /// The host is checked again whenever the path, the route to it or the name servers change. A failing host causes
    /// no event, so with `connects` it is also checked at an interval. A slow loop gets the newest report.
    /// The sequence ends with the task; several may run at once.
    ///
    /// - Parameter interval: the time after a report until the next check without a change; nil disables it, and
    ///   less than a tenth of a second counts as that. Ignored without `connects`: the kernel reports every change.
    public func updates(checkingEvery interval: Duration? = .seconds(30)) -> HostUpdates {
        HostUpdates(host: self, interval: connects ? interval.map { max($0, .milliseconds(100)) } : nil)
    }

    /// Every report, also those that do not differ from the one before, for callers that need their durations and times.
    package func reports(checkingEvery interval: Duration) -> HostUpdates {
        HostUpdates(host: self, interval: connects ? max(interval, .milliseconds(100)) : nil, includesUnchanged: true)
    }

    /// One evaluation under a view, and the view together with the routes to the resolved addresses.
    func evaluate(_ view: HostView, since start: ContinuousClock.Instant) async -> (report: HostReport, view: HostView)
    {
        let route = HostStep(view.route(to: target), environment.time.now - start)
        guard connects else { return (HostReport(target: target, route: route), view) }
        let port = target.port ?? Self.defaultPort
        let outlook = await environment.outlook(on: [target.host], under: view)
        if case .blocked(let error) = outlook {
            let failed = HostStep<HostRoute>(.failure(error), environment.time.now - start)
            return (HostReport(target: target, route: failed, port: port), view)
        }
        // Hosts on this machine's own links answer soon or not at all.
        var bounded = environment
        bounded.pace.bound = outlook == .open ? timeout : min(timeout, KernelSockets.neighborPatience)
        // IPv6, unless only IPv4 has a route to the Internet.
        let preferred = view.path.supportsIPv4 && !view.path.supportsIPv6 ? IPVersion.ipv4 : .ipv6
        let race = HostRace(target, port: port, preferred: preferred, environment: bounded)
        let outcome = await race.run()
        var report = HostReport(
            target: target, route: route, resolution: outcome.resolution, connection: outcome.connection, port: port,
            attempts: outcome.attempts)
        guard case .success(let addresses)? = outcome.resolution?.result,
            let used = outcome.connection?.value ?? addresses.first, !Task.isCancelled
        else { return (report, view) }
        // Now that the addresses are known, the route is the one to the address that counts.
        let lookup = environment.time.now
        let watched = Set(addresses).union(target.host.knownAddresses)
        guard let extended = view.hasRoutes(to: watched) ? view : await environment.routing.view(of: watched),
            let way = extended.routes[used]
        else { return (report, view) }
        report.route = HostStep(way, environment.time.now - lookup)
        var seen = view
        seen.routes = extended.routes
        return (report, seen)
    }
}
