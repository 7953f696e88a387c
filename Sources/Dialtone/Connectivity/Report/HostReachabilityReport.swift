// SPDX-License-Identifier: Apache-2.0

import SystemSupport

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
package struct HostReachabilityReport: Encodable, Sendable {
    /// The time of the report.
    package var time: Date
    /// The report.
    @Boxed package var report: HostReport
    /// The fields that differ from the previous report; nil outside a stream.
    package var changes: [String]?

    /// Creates a report.
    package init(time: Date, report: HostReport, changes: [String]? = nil) {
        self.time = time
        self.report = report
        self.changes = changes
    }

    /// Writes the object.
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "time": time.iso8601, "host": report.target.hostText, "port": report.port ?? report.target.port,
            "reachable": report.state == .unknown ? nil : report.state == .reachable,
            "route": RouteStep(step: report.route), "resolved": report.resolution.map { ResolvedStep(step: $0) },
            "connected": report.connection.map { ConnectedStep(step: $0, attempts: report.attempts) },
        ])
        if let changes { try encoder.encode(["changes": changes]) }
    }

    /// The object on one line, with sorted keys.
    package func json() throws -> String { try OneLineJSON.text(self) }
}

private struct RouteStep: Encodable {
    let step: HostStep<HostRoute>

    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "milliseconds": step.duration.inMilliseconds,
            "interface": step.value?.interface.map(InterfaceReport.init), "gateway": step.value?.gateway?.description,
            "isDirect": step.value?.isDirect ?? false, "isLocalAddress": step.value?.isLocalAddress ?? false,
            "error": step.error.map(ErrorReport.init),
        ])
    }
}

private struct ResolvedStep: Encodable {
    let step: HostStep<[NetworkAddress]>

    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "milliseconds": step.duration.inMilliseconds, "addresses": (step.value ?? []).map(\.scopedText),
            "error": step.error.map(ErrorReport.init),
        ])
    }
}

private struct ConnectedStep: Encodable {
    let step: HostStep<NetworkAddress>
    let attempts: [HostAttempt]

    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "milliseconds": step.duration.inMilliseconds, "address": step.value?.scopedText,
            "error": step.error.map(ErrorReport.init), "attempts": attempts.map(AttemptReport.init),
        ])
    }
}

private struct AttemptReport: Encodable {
    let attempt: HostAttempt

    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "address": attempt.address.scopedText, "milliseconds": attempt.duration.inMilliseconds,
            "outcome": attempt.outcome.reportName, "error": attempt.error.map(ErrorReport.init),
        ])
    }
}

private struct ErrorReport: Encodable {
    let error: HostError

    func encode(to encoder: any Encoder) throws {
        try encoder.encode(["code": error.code.description, "message": error.description])
    }
}

extension HostAttempt.Outcome {
    /// Its spelling in reports.
    package var reportName: String {
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
