// SPDX-License-Identifier: Apache-2.0

public import Dialtone
import DialtoneHistory
import DialtoneNotifications
import SystemSupport

/// A host that the server watches.
public struct WatchedHost: Hashable, Sendable, CustomStringConvertible {
    /// The name on the page, in the JSON and in the metrics: `example.com`, `example.com:22`, `https://example.com:443`.
    ///
    /// Of a URL it has neither the user nor the path, which may be secret.
    public let name: String
    /// The target of the connections; without a port, port 443.
    public let target: HostTarget
    /// Whether its port is one of TLS, so that its certificate is watched: the scheme is `https`, or the port is 443.
    let usesTLS: Bool

    /// Creates a host from a name, an address, either with a port, or a URL, as `HostTarget` parses them.
    ///
    /// - Throws: the problem with the text.
    public init(_ text: String) throws(HostTargetError) {
        target = try HostTarget(text)
        let scheme = text.utf8.firstRange(of: "://".utf8).map { text[..<$0.lowerBound].lowercased() + "://" }
        name = (scheme ?? "") + target.description
        let port = target.port ?? HostReachability.defaultPort
        usesTLS = scheme == "https://" || (port == 443 && scheme != "http://")
    }

    /// The name.
    public var description: String { name }
}

/// A watched host with its last report.
struct HostRow: Equatable, Sendable {
    /// The host.
    var host: WatchedHost
    /// The source of the host.
    var origin = Origin.configured
    /// The last report; nil before the first.
    var report: HostReport?
    /// The time of the last report.
    var checkedAt: Date?
    /// The time at which the report's verdict changed last.
    var since: Date
    /// The reachability flags of the route to it; nil before the first, and for a name that this machine does not connect to.
    var flags: SCNetworkReachabilityFlags?
    /// Whether the network began or ceased to fail after the last report.
    var isOutdated = false
    /// The last checks.
    var statistics = HostStatistics()
    /// The certificate that it presented last; nil before, and without TLS.
    var certificate: ServerCertificate?

    /// The source of a host.
    enum Origin: String, Hashable, Sendable {
        /// A setting.
        case configured
        /// The page. The host is stored, and connected to like a configured one.
        case added
        /// A visitor of a demo, who must not make this machine connect anywhere: only the route is looked up.
        case visitor
    }

    /// Whether a host is reachable, and if not, or if it is unknown, why.
    struct Result: Equatable, Sendable {
        var verdict: HostReport.Verdict
        /// A sentence; nil for a reachable host.
        var reason: String?
    }

    /// The result of the last report, as far as it can be trusted on this network.
    ///
    /// Only a connection proves that a host is reachable, and only where the network does not answer in its place.
    func result(in connectivity: Connectivity) -> Result {
        guard let report else { return Result(verdict: .unknown, reason: "It has not been checked yet.") }
        guard report.verdict == .reachable else {
            return Result(verdict: report.verdict, reason: report.error?.description)
        }
        guard report.connection != nil else {
            return Result(verdict: .unknown, reason: "There is a route to it; no connection was tried.")
        }
        if let doubt = doubt(about: report, connectivity) { return Result(verdict: .unknown, reason: doubt) }
        return Result(verdict: .reachable)
    }

    /// The result to show beside the state of the network.
    ///
    /// A host that began to answer after the latest check contradicts its verdict; the check that this caused will decide.
    func presentResult(in connectivity: Connectivity) -> Result {
        let result = result(in: connectivity)
        guard result.verdict == .reachable, connectivity.state == .noInternet,
            let checkedAt = connectivity.evidence?.checkedAt, since > checkedAt,
            report?.route.value.map({ $0.isDirect || $0.isLocalAddress }) != true
        else { return result }
        return Result(verdict: .unknown, reason: "It answers again. The Internet is being checked again.")
    }

    private func doubt(about report: HostReport, _ connectivity: Connectivity) -> String? {
        let isNear = report.route.value.map { $0.isDirect || $0.isLocalAddress } ?? false
        if connectivity.state == .captivePortal, !isNear {
            return "This network requires a login; its login page may answer in place of the host."
        }
        if case .name = host.target.host, connectivity.state == .limited,
            connectivity.evidence?.verdict.reason == .hijackedNames
        {
            return "DNS answers are forged, so another machine may answer in place of the host."
        }
        return isOutdated && HistoryState(connectivity.state).availability == .down ? "It is being checked again." : nil
    }

    /// The duration of the last connection; nil unless it succeeded.
    var connectDuration: Duration? { report?.connection.flatMap { $0.error == nil ? $0.duration : nil } }

    /// The port that is connected to; nil if none is known.
    var port: UInt16? { report?.port ?? host.target.port }
}

extension HostRow {
    /// The row as it would be on a simulated network.
    func simulated(_ connectivity: Connectivity, over path: NetworkPath) -> HostRow {
        let route = HostStep(.success(HostRoute(interface: path.interfaces.first)), .zero)
        var row = self
        var report = HostReport(target: host.target, route: route, port: port ?? HostReachability.defaultPort)
        switch connectivity.state {
        case .offline, .requiresConnection:
            report.route.result = .failure(HostError(.noRoute, diagnosis: path.diagnosis))
        case .unknown: report.route.result = .failure(HostError(.unknown))
        case .limited, .noInternet: report.connection = HostStep(.failure(HostError(.timedOut)), .seconds(10))
        case .online, .unverified, .captivePortal:
            report.connection = HostStep(.success(NetworkAddress(198, 51, 100, 1)), .milliseconds(20))
        }
        (row.report, row.checkedAt, row.since, row.isOutdated) = (report, connectivity.since, connectivity.since, false)
        (row.flags, row.statistics, row.certificate) = (nil, HostStatistics(), nil)
        return row
    }
}

/// The object of `/api/hosts`, and, without the recent checks, the data of the event `host`.
struct ServedHost: Encodable {
    private let row: HostRow
    private let result: HostRow.Result
    private let now: Date
    private let checks: [ServedCheck]?

    init(_ row: HostRow, in connectivity: Connectivity, at now: Date, withChecks: Bool = false) {
        self.row = row
        self.now = now
        result = row.result(in: connectivity)
        checks = withChecks ? row.statistics.recent.map(ServedCheck.init) : nil
    }

    /// A check in the list `checks`.
    private struct ServedCheck: Encodable {
        let check: HostStatistics.Check

        func encode(to encoder: any Encoder) throws {
            try encoder.encode([
                "time": check.time.iso8601, "connectMilliseconds": check.latency.map(ServedHost.milliseconds),
            ])
        }
    }

    /// A number of milliseconds with at most three decimals.
    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1_000_000).rounded() / 1000 }

    func encode(to encoder: any Encoder) throws {
        let availability = row.statistics.availability(at: now)
        if let checks { try encoder.encode(["checks": checks]) }
        try encoder.encode([
            "name": row.host.name, "origin": row.origin.rawValue, "host": row.host.target.hostText, "port": row.port,
            "reachable": result.verdict == .unknown ? nil : result.verdict == .reachable, "reason": result.reason,
            // By the route alone: a host that refuses connections has the flag `reachable`.
            "flags": row.flags.map { FlagText.text($0) }, "rawFlags": row.flags?.rawValue,
            "connectMilliseconds": row.connectDuration.map { Self.milliseconds($0 / .seconds(1)) },
            "loss": row.statistics.loss, "jitterMilliseconds": row.statistics.jitter.map(Self.milliseconds),
            "availability": availability?.share, "availabilitySeconds": availability?.period.rounded(),
            "certificateExpiry": row.certificate?.expiry?.iso8601,
            "certificateProblem": row.certificate?.problem.map(Wording.failure),
            "checkedAt": row.checkedAt?.iso8601, "since": row.since.iso8601,
        ])
    }
}
