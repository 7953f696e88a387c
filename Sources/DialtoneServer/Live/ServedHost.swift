// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import DialtoneNotifications
import SystemSupport

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
            "name": row.host.name, "host": row.host.target.hostText, "port": row.port,
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
