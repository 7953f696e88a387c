//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials

/// What the times were in which nobody recorded anything: pure rules over what the clocks said before and after.
package enum GapRules {
    /// Suspended for less than this many seconds is not told: it is within what clocks differ by.
    static let shortestSleep = 1.0
    /// A clock that was set by less than this many seconds is left as it is.
    static let shortestStep = 2.0

    /// What was between the last sign of life of one run and the beginning of the next, or now.
    ///
    /// After another start of the host, it was off until that start. Which part of a longer gap the host slept is not known,
    /// only how long: that is put first.
    ///
    /// - Returns: transitions from the last sign of life on; only the end of the run when the clock was set back over the
    ///   whole gap.
    package static func gap(after beat: Beat, until now: ClockReading) -> [HistoryTransition] {
        let last = beat.reading
        let cause: HistoryCause = beat.isEnd ? .stopped : .crashed
        guard now.wall >= last.wall else {
            // When the clock is set forward again, it is known up to when there is something to believe.
            return [HistoryTransition(time: last.wall, state: .notWatching, cause: cause)]
        }
        let (absence, absenceCause, absenceEnd): (HistoryState, HistoryCause, Date)
        if now.boot != last.boot {
            (absence, absenceCause) = (.asleep, .off)
            absenceEnd = min(max(last.wall, now.started), now.wall)
        } else {
            let slept = now.suspended(since: last)
            (absence, absenceCause) = (.asleep, .suspended)
            absenceEnd = slept >= shortestSleep ? min(last.wall + slept, now.wall) : last.wall
        }
        var transitions: [HistoryTransition] = []
        if absenceEnd > last.wall {
            transitions.append(HistoryTransition(time: last.wall, state: absence, cause: absenceCause))
        }
        if absenceEnd < now.wall {
            transitions.append(HistoryTransition(time: absenceEnd, state: .notWatching, cause: cause))
        }
        return transitions
    }

    /// What was between two signs of life of one run, where that is not what it was before: a sleep, or a clock that was set.
    ///
    /// A sleep is put at the end of the time: the first thing that happens after it is a sign of life.
    ///
    /// - Parameters:
    ///   - last: what the clocks said at the last sign of life.
    ///   - now: what they say now.
    ///   - current: what was the case, and still is.
    package static func changes(
        since last: ClockReading, now: ClockReading, current: HistoryTransition
    ) -> [HistoryTransition] {
        guard now.boot == last.boot else { return [] }
        let passed = now.boottime - last.boottime
        let slept = now.suspended(since: last)
        let stepped = now.wall.timeIntervalSince(last.wall) - passed
        var transitions: [HistoryTransition] = []
        if slept >= shortestSleep {
            transitions.append(
                HistoryTransition(time: last.wall + (passed - slept), state: .asleep, cause: .suspended))
        }
        if abs(stepped) >= shortestStep {
            // Set back, this ends what is told up to now, in case that the clock is set forward again.
            transitions.append(HistoryTransition(time: last.wall + passed, state: .notWatching, cause: .clockSet))
        }
        if !transitions.isEmpty {
            var continued = current
            continued.time = now.wall
            transitions.append(continued)
        }
        return transitions
    }
}
