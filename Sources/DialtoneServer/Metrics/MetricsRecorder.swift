// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import DialtoneNotifications
import SystemSupport

/// Counts events for the metrics.
final class MetricsRecorder: Sendable {
    private struct State {
        var counters: MetricsCounters
        var lastCheck: InternetCheck.Report?
    }

    private let time: TimeSource
    private let state: Mutex<State>

    init(time: TimeSource = .system) {
        self.time = time
        state = Mutex(State(counters: MetricsCounters(at: time.moment.monotonic / .seconds(1))))
    }

    func count(_ transition: Transition) { state.withLock { $0.counters.count(transition) } }

    func check(_ report: InternetCheck.Report) {
        state.withLock { state in
            state.counters.check(CheckRecord(report).verdict, duration: report.duration / .seconds(1))
            state.lastCheck = report
        }
    }

    /// Returns the values of all metrics now.
    func snapshot(
        _ live: LiveState, history: HistoryStatus, streams: Int, loginFailures: UInt64, version: String
    ) -> MetricsSnapshot {
        let now = time.moment.monotonic / .seconds(1)
        let (counters, check) = state.withLock { state in
            state.counters.advance(to: now)
            return (state.counters, state.lastCheck)
        }
        let connectivity = live.connectivity
        return MetricsSnapshot(
            version: version, state: HistoryState(connectivity.state),
            stateSince: connectivity.since.timeIntervalSince1970, cause: connectivity.cause,
            isPathSatisfied: connectivity.path.status == .satisfied,
            interface: connectivity.path.interfaces.first.map {
                .init(name: $0.name, type: $0.type.reportName)
            },
            counters: counters, lastCheck: check?.checkedAt.timeIntervalSince1970,
            lastLatency: check.flatMap { CheckRecord($0).latency }, isHTTPSVerified: check?.tls.map { $0 == .verified },
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
/// It is a value type that is given each event and its time. Times are seconds of CLOCK_MONOTONIC, as those of a transition, so
/// suspended time is not counted.
struct MetricsCounters: Hashable, Sendable {
    /// The number of transitions.
    var transitions: Int { newest?.number ?? 0 }
    /// The number of outages, including the current one.
    var outages: Int { newest?.outageCount ?? 0 }
    /// The number of seconds per state.
    private(set) var seconds: [HistoryState: Double] = [:]
    /// The number of checks per verdict.
    private(set) var checks: [CheckRecord.Verdict: Int] = [:]
    /// The durations of checks.
    private(set) var checkDurations = MetricsHistogram()
    /// The number of seconds of outages by the place of the fault; nil while it is not known.
    private(set) var outageSeconds: [ConnectivityFault?: Double] = [:]
    /// The seconds of the outage in progress that have been counted.
    private var counted = 0.0
    private var newest: Transition?
    private var moment: Double

    /// Starts counting before the first transition.
    init(at moment: Double) { self.moment = moment }

    /// Counts the time since the last call; must also be called before the counters are read.
    mutating func advance(to moment: Double) {
        guard moment > self.moment else { return }
        let state = newest?.state ?? .unknown
        seconds[state, default: 0] += moment - self.moment
        if state.availability == .down {
            outageSeconds[newest?.fault, default: 0] += moment - self.moment
            counted += moment - self.moment
        }
        self.moment = moment
    }

    /// Counts a transition, and the time until then.
    mutating func count(_ transition: Transition) {
        advance(to: transition.uptime)
        for outage in transition.outages {
            // The time before its first failed check, and any short doubt in it, are counted now.
            if outage.length > counted { outageSeconds[outage.fault, default: 0] += outage.length - counted }
            counted = 0
        }
        newest = transition
    }

    mutating func check(_ verdict: CheckRecord.Verdict, duration: Double) {
        checks[verdict, default: 0] += 1
        checkDurations.observe(duration)
    }
}
