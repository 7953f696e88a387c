// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

/// The JSON that `dialtone doctor` prints: a contract to which fields are added, and never removed.
///
/// ```json
/// {"time":"2026-11-20T12:00:00.000Z","connectivity":"limited","fault":"router",
///  "path":{…},"routers":[{"address":"192.0.2.1","outcome":"silent","milliseconds":3104.2}],
///  "nameServers":[{"address":"192.0.2.53","outcome":"silent","isNearby":true,"milliseconds":3500.1}],
///  "internet":{…},"host":null}
/// ```
/// `path` and `internet` are those of `StatusReport`, `host` is that of `HostReachabilityReport`. `fault` is null, `machine`,
/// `router`, `nameServers`, `portal`, `provider` or `host`; `internet` is null if there was no path to check.
public struct DiagnosticsReport: Encodable, Sendable {
    /// The time of the report.
    public var time: Date
    /// The report.
    public var report: NetworkDiagnostics.Report

    /// Creates a report.
    public init(time: Date, report: NetworkDiagnostics.Report) {
        self.time = time
        self.report = report
    }

    private enum Key: String, CodingKey {
        case time, connectivity, fault, path, routers, nameServers, internet, host
    }

    /// Writes the object.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), forKey: .time)
        try object.encode(report.state.rawValue, forKey: .connectivity)
        try object.encode(report.fault?.rawValue, forKey: .fault)
        try object.encode(PathReport(path: report.path), forKey: .path)
        try object.encode(report.routers.map(RouterReport.init), forKey: .routers)
        try object.encode(report.nameServers.map(NameServerReport.init), forKey: .nameServers)
        try object.encode(report.internet, forKey: .internet)
        try object.encode(report.host.map { HostReachabilityReport(time: time, report: $0) }, forKey: .host)
    }

    /// The object on one line, with sorted keys.
    public func json() throws -> String { try OneLineJSON.text(self) }
}

extension NetworkDiagnostics.Report {
    /// The connectivity, as `dialtone status` reports it.
    public var state: ConnectivityState { ConnectivityState(path, checkedBy: internet) }
}

private struct RouterReport: Encodable {
    let address: String
    let outcome: String
    let milliseconds: Double

    init(_ answer: NetworkDiagnostics.RouterAnswer) {
        address = answer.address
        outcome = answer.outcome.rawValue
        milliseconds = answer.duration.inMilliseconds
    }
}

private struct NameServerReport: Encodable {
    let address: String
    let outcome: String
    let isNearby: Bool
    let milliseconds: Double

    init(_ answer: NetworkDiagnostics.NameServerAnswer) {
        address = answer.address
        outcome = answer.outcome.rawValue
        isNearby = answer.isNearby
        milliseconds = answer.duration.inMilliseconds
    }
}
