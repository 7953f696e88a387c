// SPDX-License-Identifier: Apache-2.0

import Dialtone
import GRDB
import SystemSupport

extension HistoryStore {
    /// The store's state, apart from its files.
    struct State: Sendable {
        var log: WatchLog
        var pending = PendingRecords()
        var notices: [HistoryNotice] = []
        var problem: HistoryProblem?
        var isScheduled = false
        var isTickScheduled = false
        /// The monotonic time at which the queue began its current write; nil while it is not writing.
        var writingSince: Double?
        /// The monotonic time at which the queue last finished work.
        var lastWork: Double
        /// The earliest time to reopen the files after a failure, and the pause between two attempts.
        var reopening = (after: 0.0, pause: 0.0)
        var isEnding = false
        var isClosed = false
        /// The database, its lock and its reader; nil before the database is opened.
        var opening: DatabaseOpening?
        /// The numbers that the first records in `pending` will have.
        var next = Queries.LastRecords(transition: 1, check: 1, host: 1)
        /// The delivery of events to a collector.
        var delivery = HistoryStore.Delivery()
        /// The clock reading at the start of this run.
        let beginning: ClockReading
        /// Whether another program replaced the file, so that the next one that is opened lacks the records of this run.
        var isFileReplaced = false
        /// Whether `pending` starts with the gap between the previous run and this one.
        var isGapKnown = false
        /// The earliest monotonic time of the next retention round, and whether the last one failed.
        var retention = (after: 0.0, isFailing: false)
        /// Whether retention may trust the wall clock.
        var trust: ClockTrust

        init(at now: ClockReading, interval: Double) {
            log = WatchLog(at: now, interval: interval)
            beginning = now
            lastWork = now.monotonic
            trust = ClockTrust(after: nil, at: now)
            pending.append([log.current])
        }

        /// Continues with an opened database.
        mutating func adopt(_ opened: DatabaseOpening) {
            if let last = opened.last {
                let isNew = last.transition == 0
                if !isGapKnown { trust = ClockTrust(after: opened.tick?.reading.wall, at: beginning) }
                if let tick = opened.tick, !isGapKnown {
                    pending.prepend(GapRules.gap(after: tick, until: beginning))
                } else if isGapKnown, isNew || isFileReplaced {
                    // The database was recreated in the middle of a run, so it needs the current state.
                    var current = log.current
                    current.outages = []
                    let isWaiting = pending.transitions.contains {
                        $0.time == current.time && $0.record == current.record
                    }
                    if !isWaiting { pending.prepend([current]) }
                    if let tick = opened.tick {
                        pending.prepend([
                            HistoryTransition(time: tick.reading.wall, state: .notWatching, cause: .noRecord)
                        ])
                    }
                    log.forgetRecords(before: pending.transitions.count)
                }
                isGapKnown = true
                isFileReplaced = false
                next = last.next
                delivery.adopt(opened.delivery, after: last)
            }
            opening = opened
        }

        /// The transitions that are not on disk yet.
        var waitingRecords: WaitingRecords { .init(records: pending.transitions, first: next.transition) }

        mutating func notify(_ notice: HistoryNotice) {
            notices.append(notice)
            if notices.count > 100 { notices.removeFirst() }
        }
    }
}
