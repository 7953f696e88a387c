// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The JSON that `dialtone doctor` prints: a contract to which fields are added, and never removed.
///
/// ```json
/// {"time":"2026-11-20T12:00:00.000Z","connectivity":"noInternet","fault":"router","cause":"router",
///  "explanation":"The router (192.0.2.1) does not answer: is it on, and is this the right network?",
///  "path":{…},"routers":[{"address":"192.0.2.1","outcome":"silent","milliseconds":3104.2}],
///  "nameServers":[{"address":"192.0.2.53","outcome":"silent","isNearby":true,"milliseconds":3500.1}],
///  "publicAddresses":[],"internet":{…},"host":null,"facts":{…}}
/// ```
/// `path` and `internet` are those of `StatusReport`, `host` is that of `HostReachabilityReport`. `fault` is null, `machine`,
/// `tunnel`, `router`, `nameServers`, `proxy`, `portal`, `filter`, `provider`, `endpoints` or `host`. `explanation` is
/// the sentence for people. `cause` is its name, and null for the fault `host`.
/// `internet` is null if there was no path to check. `publicAddresses` has the addresses that were contacted because the check
/// did not simply pass; an `outcome` there is `answers`, `accepts`, `refuses`, `unreachable`, `silent` or `notSent`.
/// While the Internet answers, a silent hop is listed only if a remark may be about it.
/// `facts` is that of `dialtone check`: it is no contract.
package struct DiagnosticsReport: Encodable, Sendable {
    private let time: Date
    private let report: NetworkDiagnostics.Report

    package init(time: Date, report: NetworkDiagnostics.Report) {
        self.time = time
        self.report = report
    }

    package func encode(to encoder: any Encoder) throws {
        let hops = report.consistentHops
        try encoder.encode([
            "time": time.iso8601, "connectivity": report.state.rawValue, "fault": report.fault?.rawValue,
            "cause": report.cause?.rawValue, "explanation": report.reason, "remarks": report.remarks,
            "path": report.path.encoded,
            "routers": hops.routers, "nameServers": hops.nameServers, "publicAddresses": hops.publicAddresses,
            "internet": report.internet,
            "host": report.host.map { HostReachabilityReport(time: time, report: $0) },
            "facts": Facts(report.path, report.internet),
        ])
    }

    /// The object on one line, with sorted keys.
    package func json() throws -> String { try OneLineJSON.text(self) }
}
