// SPDX-License-Identifier: Apache-2.0

package import Dialtone
package import DialtoneHistory
import SystemSupport

/// Counts events for the metrics.
package final class MetricsRecorder: Sendable {
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

    func count(_ silence: Silence) { state.withLock { $0.counters.count(silence) } }

    func check(_ report: InternetCheck.Report) {
        state.withLock { state in
            state.counters.check(CheckRecord(report).verdict, duration: report.duration / .seconds(1))
            state.lastCheck = report
        }
    }

    /// The counts up to now, and the last check.
    package var counts: (counters: MetricsCounters, lastCheck: InternetCheck.Report?) {
        let now = time.moment.monotonic / .seconds(1)
        return state.withLock { state in
            state.counters.advance(to: now)
            return (state.counters, state.lastCheck)
        }
    }
}

/// The counts since the start of the process.
///
/// It is a value type that is given each event and its time. Times are seconds of CLOCK_MONOTONIC, as those of a transition, so
/// suspended time is not counted.
package struct MetricsCounters: Hashable, Sendable {
    package var transitions: Int { newest?.number ?? 0 }
    /// The number of outages, including the current one.
    package var outages: Int { newest?.outageCount ?? 0 }
    /// The number of seconds per state.
    package private(set) var seconds: [HistoryState: Double] = [:]
    /// The number of checks per verdict.
    package private(set) var checks: [CheckRecord.Verdict: Int] = [:]
    package private(set) var checkDurations = MetricsHistogram()
    /// The number of seconds of outages by the place of the fault; nil while it is not known.
    package private(set) var outageSeconds: [ConnectivityFault?: Double] = [:]
    package private(set) var drops = 0
    package private(set) var dropSeconds = 0.0
    /// The latest outages that have ended.
    private var ended: [Outage] = []
    /// When the outage in progress began, at the earliest; nil without one.
    private var outageStart: Date?
    /// The seconds that have been counted of outages which no transition has ended.
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
            counted = max(0, counted - outage.length)
        }
        ended = (ended + transition.outages).suffix(16)
        if transition.outageBegan == nil {
            outageStart = nil
            counted = 0
        } else if outageStart == nil || !transition.outages.isEmpty {
            outageStart = transition.earliest ?? transition.time
        }
        newest = transition
    }

    /// Counts a silence if it is a drop that no outage meets.
    mutating func count(_ silence: Silence) {
        guard silence.isDrop, !ended.contains(where: { silence.meets($0) }),
            outageStart.map({ $0 > silence.end }) ?? true
        else { return }
        drops += 1
        dropSeconds += silence.length
    }

    mutating func check(_ verdict: CheckRecord.Verdict, duration: Double) {
        checks[verdict, default: 0] += 1
        checkDurations.observe(duration)
    }
}

/// Counts durations in buckets with upper bounds.
package struct MetricsHistogram: Hashable, Sendable {
    /// The upper bounds in seconds, from a fast response to the longest timeout; the last bucket, for longer durations, has none.
    package static let bounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// The number of durations per bucket, not cumulative.
    package private(set) var counts = Array(repeating: 0, count: bounds.count + 1)
    /// The sum of all durations, in seconds.
    package private(set) var sum = 0.0

    package var count: Int { counts.reduce(0, +) }

    /// Adds a duration in seconds.
    mutating func observe(_ seconds: Double) {
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }
}
