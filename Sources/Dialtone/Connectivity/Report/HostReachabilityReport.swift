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
    private let time: Date
    @Boxed private var report: HostReport
    private let changes: [String]?

    /// Creates a report.
    ///
    /// - Parameter changes: the fields that differ from the previous report; nil outside a stream.
    package init(time: Date, report: HostReport, changes: [String]? = nil) {
        self.time = time
        self.report = report
        self.changes = changes
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "time": time.iso8601, "host": report.target.hostText, "port": report.port ?? report.target.port,
            "reachable": report.state == .unknown ? nil : report.state == .reachable,
            "route": encoded(report.route), "resolved": report.resolution.map(encoded),
            "connected": report.connection.map { encoded($0, report.attempts) },
        ])
        if let changes { try encoder.encode(["changes": changes]) }
    }
}

private func encoded(_ step: HostStep<HostRoute>) -> EncodedObject {
    EncodedObject([
        "milliseconds": step.duration.inMilliseconds, "interface": step.value?.interface?.encoded,
        "gateway": step.value?.gateway?.description, "isDirect": step.value?.isDirect ?? false,
        "isLocalAddress": step.value?.isLocalAddress ?? false, "error": step.error.map(encoded),
    ])
}

private func encoded(_ step: HostStep<[NetworkAddress]>) -> EncodedObject {
    EncodedObject([
        "milliseconds": step.duration.inMilliseconds, "addresses": (step.value ?? []).map(\.scopedText),
        "error": step.error.map(encoded),
    ])
}

private func encoded(_ step: HostStep<NetworkAddress>, _ attempts: [HostAttempt]) -> EncodedObject {
    EncodedObject([
        "milliseconds": step.duration.inMilliseconds, "address": step.value?.scopedText,
        "error": step.error.map(encoded), "attempts": attempts.map(encoded),
    ])
}

private func encoded(_ attempt: HostAttempt) -> EncodedObject {
    EncodedObject([
        "address": attempt.address.scopedText, "milliseconds": attempt.duration.inMilliseconds,
        "outcome": attempt.outcome.reportName, "error": attempt.error.map(encoded),
    ])
}

private func encoded(_ error: HostError) -> EncodedObject {
    EncodedObject(["code": error.code.description, "message": error.description])
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
