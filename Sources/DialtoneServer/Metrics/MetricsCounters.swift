// SPDX-License-Identifier: Apache-2.0

package import DialtoneHistory

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
        enter(state)
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
    package mutating func transition(to state: HistoryState, at moment: Double) {
        advance(to: moment)
        guard state != self.state else { return }
        transitions += 1
        enter(state)
    }

    package mutating func check(_ verdict: CheckRecord.Verdict, duration: Double) {
        checks[verdict, default: 0] += 1
        checkDurations.observe(duration)
    }

    private mutating func enter(_ state: HistoryState) {
        self.state = state
        switch state.availability {
        case .down:
            if !isOut { outages += 1 }
            isOut = true
        case .up, .unwatched: isOut = false
        // An unknown state between two failures does not end an outage.
        case .undecided: break
        }
    }
}
