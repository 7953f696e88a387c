// SPDX-License-Identifier: Apache-2.0

import Dialtone
package import DialtoneHistory
import DialtoneNotifications
import SystemSupport

/// Counts events for the metrics.
final class MetricsRecorder: Sendable {
    private struct State {
        var counters: MetricsCounters
        var lastCheck: Double?
        var lastLatency: Double?
        var isHTTPSVerified: Bool?
    }

    private let state = Mutex(State(counters: MetricsCounters(at: ClockReading.now().monotonic)))

    /// - Parameter cause: the cause that the history records.
    func transition(to connectivity: ConnectivityState, cause: HistoryCause?) {
        state.withLock {
            $0.counters.transition(to: HistoryState(connectivity), cause: cause, at: ClockReading.now().monotonic)
        }
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
            hosts: live.hosts.filter { $0.origin != .visitor }.map { row in
                let verdict = row.result(in: connectivity).verdict
                return .init(
                    name: row.host.name, isReachable: verdict == .unknown ? nil : verdict == .reachable,
                    succeeded: row.statistics.succeeded, failed: row.statistics.failed,
                    connectSeconds: row.connectDuration.map { $0 / .seconds(1) },
                    lastCheck: row.checkedAt?.timeIntervalSince1970,
                    certificateExpiry: row.certificate?.expiry?.timeIntervalSince1970)
            },
            isHistoryHealthy: history.isHealthy, waitingRecords: history.waiting, eventStreams: streams,
            loginFailures: loginFailures,
            discardedRecords: history.discarded)
    }
}

/// The counts since the start of the process.
///
/// It is a value type that is given each event and its time. Times are seconds of a clock that is never set, such as
/// ``DialtoneHistory/ClockReading/monotonic``, so suspended time is not counted.
package struct MetricsCounters: Hashable, Sendable {
    /// The number of state changes.
    package private(set) var transitions = 0
    /// The number of outages, including the current one.
    package private(set) var outages = 0
    /// The number of seconds per state.
    package private(set) var seconds: [HistoryState: Double] = [:]
    /// The number of checks per verdict.
    package private(set) var checks: [CheckRecord.Verdict: Int] = [:]
    /// The durations of checks.
    package private(set) var checkDurations = MetricsHistogram()
    private var state: HistoryState
    private var moment: Double
    private var isOut = false

    /// Starts counting in a state.
    package init(_ state: HistoryState = .unknown, at moment: Double) {
        self.state = .unknown
        self.moment = moment
        enter(state, nil)
    }

    /// The total duration of outages in seconds.
    package var outageSeconds: Double {
        seconds.reduce(0) { $1.key.availability == .down ? $0 + $1.value : $0 }
    }

    /// Counts the time since the last call; must also be called before the counters are read.
    package mutating func advance(to moment: Double) {
        guard moment > self.moment else { return }
        seconds[state, default: 0] += moment - self.moment
        self.moment = moment
    }

    /// Counts a transition; one into the same state changes nothing.
    package mutating func transition(to state: HistoryState, cause: HistoryCause? = nil, at moment: Double) {
        advance(to: moment)
        guard state != self.state else { return }
        transitions += 1
        enter(state, cause)
    }

    package mutating func check(_ verdict: CheckRecord.Verdict, duration: Double) {
        checks[verdict, default: 0] += 1
        checkDurations.observe(duration)
    }

    private mutating func enter(_ state: HistoryState, _ cause: HistoryCause?) {
        self.state = state
        switch state.availability {
        case .down:
            if !isOut { outages += 1 }
            isOut = true
        case .up, .unwatched: isOut = false
        // The Internet is not checked: more than a path is never known.
        case .undecided where cause == .passive: isOut = false
        // An unknown state between two failures does not end an outage.
        case .undecided: break
        }
    }
}
