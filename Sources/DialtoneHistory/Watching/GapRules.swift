// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

extension GapRules {
    /// The number of seconds after the last tick from which nothing is watched, although the host is awake.
    ///
    /// - Parameter interval: the maximum number of seconds between two ticks.
    static func overdue(_ interval: Double) -> Double { 3 * interval + 5 }

    /// Returns the transitions between the last tick of one run and the start of the next, or now.
    ///
    /// After a reboot, the host counts as off until that boot. In a longer gap, only the duration of a suspension is
    /// known, not its position; it is placed first.
    ///
    /// - Returns: transitions from the last tick on; only the end of the run if the clock was set back over the
    ///   whole gap.
    static func gap(after tick: Tick, until now: ClockReading) -> [HistoryTransition] {
        let last = tick.reading
        let cause: HistoryCause = tick.isEnd ? .stopped : .crashed
        guard now.wall >= last.wall else {
            // If the clock is set forward again, this marks the end of the trustworthy records.
            return [HistoryTransition(time: last.wall, state: .notWatching, cause: cause)]
        }
        let (absenceCause, absenceEnd): (HistoryCause, Date)
        if now.boot != last.boot {
            absenceCause = .off
            absenceEnd = min(max(last.wall, now.started), now.wall)
        } else {
            let slept = now.suspended(since: last)
            absenceCause = .suspended
            absenceEnd = slept >= shortestSleep ? min(last.wall + slept, now.wall) : last.wall
        }
        var transitions: [HistoryTransition] = []
        if absenceEnd > last.wall {
            transitions.append(HistoryTransition(time: last.wall, state: .asleep, cause: absenceCause))
        }
        if absenceEnd < now.wall {
            transitions.append(HistoryTransition(time: absenceEnd, state: .notWatching, cause: cause))
        }
        return transitions
    }

    /// The number of seconds by which the clock was set between two ticks of one run; nil if it was not.
    static func step(since last: ClockReading, now: ClockReading) -> Double? {
        let step = now.wall.timeIntervalSince(last.wall) - (now.boottime - last.boottime)
        return now.boot == last.boot && abs(step) >= TimeSource.shortestStep ? step : nil
    }

    /// Returns the changes between two ticks of one run: a pause of the process, or a suspension.
    ///
    /// - Parameters:
    ///   - last: the clock reading at the last tick.
    ///   - current: the state that was and still is in effect.
    ///   - interval: the maximum number of seconds between two ticks.
    static func changes(
        since last: ClockReading, now: ClockReading, current: HistoryTransition, interval: Double
    ) -> [HistoryTransition] {
        guard now.boot == last.boot else { return [] }
        let states = unwatched(
            passed: now.boottime - last.boottime, slept: now.suspended(since: last), overdue: overdue(interval))
        guard !states.isEmpty else { return [] }
        return states.map { HistoryTransition(time: now.wall - $0.before, $0.record) }
            + [HistoryTransition(time: now.wall, current.record)]
    }
}
