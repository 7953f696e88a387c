// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import SystemSupport

/// The object of `/api/hosts`, and, without the recent checks, the data of the event `host`.
struct ServedHost: Encodable {
    let row: HostRow
    let connectivity: Connectivity
    let now: Date
    var hasChecks = false

    /// A number of milliseconds with at most three decimals.
    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1_000_000).rounded() / 1000 }

    func encode(to encoder: any Encoder) throws {
        let result = row.result(in: connectivity)
        let availability = row.statistics.availability(at: now)
        if hasChecks {
            let checks = row.statistics.recent.map {
                EncodedObject(["time": $0.time.iso8601, "connectMilliseconds": $0.latency.map(Self.milliseconds)])
            }
            try encoder.encode(["checks": checks])
        }
        try encoder.encode([
            "name": row.host.name, "host": row.host.target.hostText, "port": row.port,
            "reachable": result.state == .unknown ? nil : result.state == .reachable, "reason": result.reason,
            "connectMilliseconds": row.connectDuration.map { Self.milliseconds($0 / .seconds(1)) },
            "loss": row.statistics.loss, "jitterMilliseconds": row.statistics.jitter.map(Self.milliseconds),
            "availability": availability?.share, "availabilitySeconds": availability?.period.rounded(),
            "certificateExpiry": row.certificate?.expiry?.iso8601,
            "certificateProblem": row.certificate?.problem.map(Wording.failure),
            "checkedAt": row.checkedAt?.iso8601, "since": row.since.iso8601,
        ])
    }
}
