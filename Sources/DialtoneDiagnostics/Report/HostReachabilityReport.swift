// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

/// The JSON that `dialtone host` prints: a contract to which fields are added, and never removed.
///
/// ```json
/// {"time":"2026-11-20T12:00:00.000Z","host":"example.com","port":443,"reachable":true,
///  "route":{"milliseconds":0.4,"interface":{"name":"eth0","index":2,"type":"wiredEthernet"},"gateway":"192.0.2.1",
///    "isDirect":false,"isLocalAddress":false,"error":null},
///  "resolved":{"milliseconds":11.2,"addresses":["2001:db8::7","198.51.100.7"],"error":null},
///  "connected":{"milliseconds":18.9,"address":"2001:db8::7","error":null,
///    "attempts":[{"address":"2001:db8::7","milliseconds":18.8,"outcome":"connected","error":null}]},
///  "changes":["reachable"]}
/// ```
/// `reachable` is null if unknown. `resolved` is null if nothing was resolved, `connected` if nothing was
/// connected to; an `outcome` is `connected`, `failed` or `abandoned`. An `error` is null or
/// `{"code":"refused","message":"…"}`, with the codes of `HostError`. Only a stream has `changes`, which is empty in
/// the first object. Every other field is always present.
public struct HostReachabilityReport: Encodable, Sendable {
    /// The time of the report.
    public var time: Date
    /// The report.
    public var report: HostReport
    /// The fields that differ from the previous report; nil outside a stream.
    public var changes: [String]?

    /// Creates a report.
    public init(time: Date, report: HostReport, changes: [String]? = nil) {
        self.time = time
        self.report = report
        self.changes = changes
    }

    private enum Key: String, CodingKey {
        case time, host, port, reachable, route, resolved, connected, changes
    }

    /// Writes the object.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), forKey: .time)
        try object.encode(report.target.hostText, forKey: .host)
        try object.encode(report.port ?? report.target.port, forKey: .port)
        try object.encode(report.verdict == .unknown ? nil : report.verdict == .reachable, forKey: .reachable)
        try object.encode(RouteStep(step: report.route), forKey: .route)
        try object.encode(report.resolution.map { ResolvedStep(step: $0) }, forKey: .resolved)
        try object.encode(
            report.connection.map { ConnectedStep(step: $0, attempts: report.attempts) }, forKey: .connected)
        try object.encodeIfPresent(changes, forKey: .changes)
    }

    /// The object on one line, with sorted keys.
    public func json() throws -> String { try OneLineJSON.text(self) }
}

private struct RouteStep: Encodable {
    let step: HostStep<HostRoute>

    private enum Key: String, CodingKey { case milliseconds, interface, gateway, isDirect, isLocalAddress, error }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(step.duration.inMilliseconds, forKey: .milliseconds)
        try object.encode(step.value?.interface.map(InterfaceReport.init), forKey: .interface)
        try object.encode(step.value?.gateway, forKey: .gateway)
        try object.encode(step.value?.isDirect ?? false, forKey: .isDirect)
        try object.encode(step.value?.isLocalAddress ?? false, forKey: .isLocalAddress)
        try object.encode(step.error.map(ErrorReport.init), forKey: .error)
    }
}

private struct ResolvedStep: Encodable {
    let step: HostStep<[NetworkAddress]>

    private enum Key: String, CodingKey { case milliseconds, addresses, error }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(step.duration.inMilliseconds, forKey: .milliseconds)
        try object.encode((step.value ?? []).map(\.scopedText), forKey: .addresses)
        try object.encode(step.error.map(ErrorReport.init), forKey: .error)
    }
}

private struct ConnectedStep: Encodable {
    let step: HostStep<NetworkAddress>
    let attempts: [HostAttempt]

    private enum Key: String, CodingKey { case milliseconds, address, error, attempts }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(step.duration.inMilliseconds, forKey: .milliseconds)
        try object.encode(step.value?.scopedText, forKey: .address)
        try object.encode(step.error.map(ErrorReport.init), forKey: .error)
        try object.encode(attempts.map(AttemptReport.init), forKey: .attempts)
    }
}

private struct AttemptReport: Encodable {
    let attempt: HostAttempt

    private enum Key: String, CodingKey { case address, milliseconds, outcome, error }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(attempt.address.scopedText, forKey: .address)
        try object.encode(attempt.duration.inMilliseconds, forKey: .milliseconds)
        try object.encode(attempt.outcome.reportName, forKey: .outcome)
        try object.encode(attempt.error.map(ErrorReport.init), forKey: .error)
    }
}

private struct ErrorReport: Encodable {
    let code: String
    let message: String

    init(_ error: HostError) {
        code = error.code.description
        message = error.description
    }
}

extension HostAttempt.Outcome {
    /// Its spelling in reports.
    public var reportName: String {
        switch self {
        case .connected: "connected"
        case .failed: "failed"
        case .abandoned: "abandoned"
        }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded to a microsecond.
    var inMilliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}
