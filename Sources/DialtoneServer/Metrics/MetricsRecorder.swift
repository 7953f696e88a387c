// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import DialtoneNotifications
import Synchronization

/// Counts events for the metrics.
final class MetricsRecorder: Sendable {
    private struct State {
        var counters: MetricsCounters
        var lastCheck: Double?
        var lastLatency: Double?
        var isHTTPSVerified: Bool?
    }

    private let state = Mutex(State(counters: MetricsCounters(at: ClockReading.now().monotonic)))

    func transition(to connectivity: ConnectivityState) {
        state.withLock { $0.counters.transition(to: HistoryState(connectivity), at: ClockReading.now().monotonic) }
    }

    func check(_ report: InternetCheck.Report) {
        let record = CheckRecord(report)
        state.withLock { state in
            state.counters.check(record.verdict, duration: report.duration / .seconds(1))
            state.lastCheck = report.checkedAt.timeIntervalSince1970
            state.lastLatency = record.latency
            state.isHTTPSVerified = report.tls.map { $0 == .verified }
        }
    }

    /// Returns the values of all metrics now.
    func snapshot(
        _ live: LiveState, history: HistoryStatus, streams: Int, loginFailures: UInt64, version: String
    ) -> MetricsSnapshot {
        let now = ClockReading.now().monotonic
        let (counters, lastCheck, lastLatency, isHTTPSVerified) = state.withLock { state in
            state.counters.advance(to: now)
            return (state.counters, state.lastCheck, state.lastLatency, state.isHTTPSVerified)
        }
        let connectivity = live.connectivity
        return MetricsSnapshot(
            version: version, state: HistoryState(connectivity.state),
            stateSince: connectivity.since.timeIntervalSince1970,
            isPathSatisfied: connectivity.path.status == .satisfied,
            interface: connectivity.path.interfaces.first.map {
                .init(name: $0.name, type: $0.type.reportName)
            },
            counters: counters, lastCheck: lastCheck, lastLatency: lastLatency,
            isHTTPSVerified: isHTTPSVerified,
            hosts: live.hosts.filter { !$0.isVisitors }.map {
                .init(name: $0.host, isReachable: $0.flags?.isReachable)
            },
            isHistoryHealthy: history.isHealthy, waitingRecords: history.waiting, eventStreams: streams,
            loginFailures: loginFailures,
            discardedRecords: history.discarded)
    }
}
