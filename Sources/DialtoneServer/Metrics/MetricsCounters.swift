//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import DialtoneHistory

/// What is counted from the start of the process on: a value that is told what happens and when.
///
/// Moments are seconds of a clock that is never set, such as ``DialtoneHistory/ClockReading/monotonic``: what the host
/// sleeps is not counted.
package struct MetricsCounters: Hashable, Sendable {
    /// How many times the state changed.
    package private(set) var transitions = 0
    /// How many outages there were, the present one among them.
    package private(set) var outages = 0
    /// How many seconds each state lasted.
    package private(set) var seconds: [HistoryState: Double] = [:]
    /// How many checks came to each verdict.
    package private(set) var checks: [CheckRecord.Verdict: Int] = [:]
    /// How long checks took.
    package private(set) var checkDurations = MetricsHistogram()
    private var state: HistoryState
    private var moment: Double
    private var isOut = false

    /// Begins to count.
    package init(_ state: HistoryState = .unknown, at moment: Double) {
        self.state = .unknown
        self.moment = moment
        enter(state)
    }

    /// How many seconds outages lasted.
    package var outageSeconds: Double {
        seconds.reduce(0) { $1.key.standing == .down ? $0 + $1.value : $0 }
    }

    /// Counts the time since the last call; to be called before the counters are told, too.
    package mutating func advance(to moment: Double) {
        guard moment > self.moment else { return }
        seconds[state, default: 0] += moment - self.moment
        self.moment = moment
    }

    /// Takes a transition in; one into the same state changes nothing.
    package mutating func transition(to state: HistoryState, at moment: Double) {
        advance(to: moment)
        guard state != self.state else { return }
        transitions += 1
        enter(state)
    }

    /// Takes a check in.
    package mutating func check(_ verdict: CheckRecord.Verdict, duration: Double) {
        checks[verdict, default: 0] += 1
        checkDurations.observe(duration)
    }

    private mutating func enter(_ state: HistoryState) {
        self.state = state
        switch state.standing {
        case .down:
            if !isOut { outages += 1 }
            isOut = true
        case .up, .unwatched: isOut = false
        // A moment of not knowing between two failures is not an end.
        case .undecided: break
        }
    }
}
