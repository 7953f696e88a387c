// SPDX-License-Identifier: Apache-2.0

package import Dialtone
package import DialtoneHistory
package import SystemSupport

/// A check that adds every report to the history and the metrics, even one that only confirms the previous one.
package final class RecordedCheck: InternetChecking {
    let metricsRecorder: MetricsRecorder
    /// The bound of the checker.
    package var timeLimit: Duration? { checker.timeLimit }

    /// The checker's hosts that may need no path.
    package var nearbyHosts: [HostTarget.Host] { checker.nearbyHosts }

    private let checker: any InternetChecking
    private let history: HistoryStore

    /// Creates a check that records its reports.
    package init(_ checker: any InternetChecking, in history: HistoryStore, time: TimeSource = .system) {
        metricsRecorder = MetricsRecorder(time: time)
        self.checker = checker
        self.history = history
    }

    /// The operators that the recorded check can query alone.
    package var endpointOperators: [InternetCheck.Operator] { checker.endpointOperators }

    /// Runs a check and records its report.
    package func check(over path: NetworkPath) async -> InternetCheck.Report {
        record(await checker.check(over: path))
    }

    /// Checks one operator and, unless it passes, all of them, and records the report.
    package func check(over path: NetworkPath, startingWith operatorName: String) async -> InternetCheck.Report {
        record(await checker.check(over: path, startingWith: operatorName))
    }

    private func record(_ report: InternetCheck.Report) -> InternetCheck.Report {
        // A cancelled check says nothing about the network.
        if !Task.isCancelled {
            history.record(CheckRecord(report))
            metricsRecorder.check(report)
        }
        return report
    }
}

extension RecordedCheck: HeartbeatTargeting {
    package func heartbeatTargets(over path: NetworkPath) -> HeartbeatTargets {
        (checker as? any HeartbeatTargeting)?.heartbeatTargets(over: path) ?? HeartbeatTargets()
    }
}
