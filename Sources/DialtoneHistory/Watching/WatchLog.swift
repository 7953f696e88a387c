// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// Decides which events need a record: a value type without clock or file access.
struct WatchLog: Sendable {
    /// The last record.
    private(set) var current: HistoryTransition
    private(set) var last: ClockReading
    /// The maximum number of seconds between two ticks.
    let interval: Double
    /// The earliest time from which another transition can count, by the clock as it is now.
    private var floor: Date
    /// The newest records, in order, whose times change when the clock is set: those of the run until its clock is trusted, later those of
    /// the outage in progress.
    private var movable: [HistoryTransition]
    /// The boottime at which the Internet was first reachable; nil before.
    private var firstOnline: Double?

    /// The number of seconds after the Internet was first reachable in which the clock of a run is expected to be set.
    static let longestCorrection = 600.0
    /// The maximum number of records whose times change.
    static let maximumMovable = 1000

    /// Starts a run, whose first record is `current`.
    init(at now: ClockReading, interval: Double) {
        current = HistoryTransition(time: now.wall, state: .unknown, cause: .started)
        last = now
        floor = now.wall
        movable = [current]
        self.interval = interval
    }

    /// Handles a tick.
    ///
    /// A clock that was set counts as set right after the tick before.
    ///
    /// - Returns: the records to write; empty unless the process was paused, the host slept, or its clock was set.
    mutating func observe(_ now: ClockReading) -> [HistoryTransition] {
        trimMovable(at: now)
        var records: [HistoryTransition] = []
        if let step = GapRules.step(since: last, now: now) {
            // If the clock was set back, this ends the records up to now, in case the clock is set forward again.
            var end = HistoryTransition(time: movable.first?.time ?? last.wall, state: .notWatching, cause: .clockSet)
            if movable.isEmpty {
                records = [end, HistoryTransition(time: last.wall + step, current.record)]
            } else {
                end.record.reason = "time corrected by \(step < 0 ? "-" : "")\(Figures.duration(abs(step)))"
                end.replaced = movable.count
                movable = movable.map { $0.moved(by: step) }
                movable[movable.count - 1].isSilent = false
                records = [end] + movable
            }
            last.wall += step
            floor += step
        }
        current = records.last ?? current
        let gap = GapRules.changes(since: last, now: now, current: current, interval: interval)
        if !gap.isEmpty { floor = now.wall }
        current = gap.last ?? current
        last = now
        keep(gap, at: now)
        return records + gap
    }

    /// Handles a transition, which also counts as a tick.
    ///
    /// A fault that was found later replaces that of the last record from its time on, unless there is a record in between.
    mutating func record(_ transition: HistoryTransition, at now: ClockReading) -> [HistoryTransition] {
        let records = observe(now)
        var transition = transition
        if transition.isFound, transition.number == current.number {
            transition.time = current.time
            transition.earliest = current.earliest
        } else if transition.time < floor, transition.number != current.number {
            // The record before shows that it did not begin earlier, so its margin is not known.
            transition.time = now.wall
            transition.earliest = nil
        }
        current = transition
        floor = transition.time
        if transition.endsOutage, firstOnline == nil { firstOnline = now.boottime }
        keep([transition], at: now)
        return records + [transition]
    }

    private mutating func keep(_ records: [HistoryTransition], at now: ClockReading) {
        movable += records
        trimMovable(at: now)
    }

    private mutating func trimMovable(at now: ClockReading) {
        let isTrusted = firstOnline.map { now.boottime - $0 > Self.longestCorrection } ?? false
        if isTrusted, let last = movable.lastIndex(where: \.endsOutage) { movable.removeFirst(last + 1) }
        movable.removeFirst(max(0, movable.count - Self.maximumMovable))
    }

    /// Forgets that there are older records than the newest ones, because another file has those.
    mutating func forgetRecords(before count: Int) { movable = movable.suffix(count) }

    /// The last tick in its stored form.
    func tick(isEnd: Bool = false) -> Tick {
        Tick(reading: last, isEnd: isEnd, interval: interval)
    }
}

/// The last tick of a run: a reading of the clocks every ten seconds, or with a transition.
struct Tick: Hashable, Sendable {
    var reading: ClockReading
    /// Whether the run ended with a regular shutdown.
    var isEnd = false
    /// The maximum number of seconds between two ticks.
    var interval: Double

    /// Whether the run may still be active: its next tick is not long overdue.
    func isAlive(at now: ClockReading) -> Bool {
        !isEnd && now.boot == reading.boot && now.monotonic - reading.monotonic <= GapRules.overdue(interval)
    }
}

extension HistoryTransition {
    /// Whether an outage before it has ended.
    fileprivate var endsOutage: Bool { state.availability == .up || record.isUnchecked }

    /// The same record by a clock that was set, which is no event.
    fileprivate func moved(by step: Double) -> HistoryTransition {
        var copy = self
        copy.time = time + step
        copy.earliest = earliest.map { $0 + step }
        copy.isSilent = true
        copy.outages = []
        return copy
    }
}
