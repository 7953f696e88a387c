// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

extension GapRules {
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

    /// The number of seconds by which the clock was set between two heartbeats of one run; nil if it was not.
    static func step(since last: ClockReading, now: ClockReading) -> Double? {
        let step = now.wall.timeIntervalSince(last.wall) - (now.boottime - last.boottime)
        return now.boot == last.boot && abs(step) >= shortestStep ? step : nil
    }

    /// Returns the changes between two heartbeats of one run: a pause of the process, or a suspension.
    ///
    /// - Parameters:
    ///   - last: the clock reading at the last heartbeat.
    ///   - current: the state that was and still is in effect.
    ///   - interval: the maximum number of seconds between two heartbeats.
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
