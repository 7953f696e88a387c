// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// Classifies time without records: pure rules over the clock readings before and after it.
enum GapRules {
    /// A suspension shorter than this number of seconds is ignored: it is within the difference between the clocks.
    static let shortestSleep = 1.0
    /// A clock step smaller than this number of seconds is ignored.
    static let shortestStep = 2.0
    /// The number of seconds after the last heartbeat from which nothing is watched, although the host is awake.
    ///
    /// - Parameter interval: the maximum number of seconds between two heartbeats.
    static func overdue(_ interval: Double) -> Double { 3 * interval + 5 }

    /// Returns the transitions between the last heartbeat of one run and the start of the next, or now.
    ///
    /// After a reboot, the host counts as off until that boot. In a longer gap, only the duration of a suspension is
    /// known, not its position; it is placed first.
    ///
    /// - Returns: transitions from the last heartbeat on; only the end of the run if the clock was set back over the
    ///   whole gap.
    static func gap(after heartbeat: Heartbeat, until now: ClockReading) -> [HistoryTransition] {
        let last = heartbeat.reading
        let cause: HistoryCause = heartbeat.isEnd ? .stopped : .crashed
        guard now.wall >= last.wall else {
            // If the clock is set forward again, this marks the end of the trustworthy records.
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

    /// Returns the changes between two heartbeats of one run: a pause of the process, a suspension, or a clock that was set.
    ///
    /// A suspension is placed at the end of the time between them, because a heartbeat is the first event after it.
    ///
    /// - Parameters:
    ///   - last: the clock reading at the last heartbeat.
    ///   - now: the current clock reading.
    ///   - current: the state that was and still is in effect.
    ///   - interval: the maximum number of seconds between two heartbeats.
    static func changes(
        since last: ClockReading, now: ClockReading, current: HistoryTransition, interval: Double
    ) -> [HistoryTransition] {
        guard now.boot == last.boot else { return [] }
        let passed = now.boottime - last.boottime
        let slept = now.suspended(since: last)
        let stepped = now.wall.timeIntervalSince(last.wall) - passed
        var transitions: [HistoryTransition] = []
        if passed - slept > overdue(interval) {
            transitions.append(HistoryTransition(time: last.wall, state: .notWatching, cause: .paused))
        }
        if slept >= shortestSleep {
            transitions.append(
                HistoryTransition(time: last.wall + (passed - slept), state: .asleep, cause: .suspended))
        }
        if abs(stepped) >= shortestStep {
            // If the clock was set back, this ends the records up to now, in case the clock is set forward again.
            transitions.append(HistoryTransition(time: last.wall + passed, state: .notWatching, cause: .clockSet))
        }
        if !transitions.isEmpty {
            var continued = current
            (continued.time, continued.earliest, continued.number) = (now.wall, nil, nil)
            (continued.isSilent, continued.outages) = (false, [])
            transitions.append(continued)
        }
        return transitions
    }
}
