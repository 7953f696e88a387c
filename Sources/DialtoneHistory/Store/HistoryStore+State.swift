//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials
import GRDB

extension HistoryStore {
    /// What the store knows, apart from its files.
    struct State: Sendable {
        var log: WatchLog
        var pending = PendingRecords()
        var notices: [HistoryNotice] = []
        var trouble: HistoryTrouble?
        var isScheduled = false
        var isClosed = false
        /// The database, its lock, and what reads it; none of them before it was opened.
        var opening: DatabaseOpening?
        /// The numbers that the first records in `pending` will have.
        var next = Queries.LastRecords(transition: 1, check: 1)
        /// What the clocks said when this run began.
        let beginning: ClockReading
        /// Whether `pending` began with what lies between the run before and this one.
        var isGapKnown = false
        /// When retention was last seen to, by the monotonic clock.
        var retained: Double?
        /// Whether retention may believe the wall clock.
        var trust: ClockTrust

        init(at now: ClockReading, interval: Double) {
            let (log, records) = WatchLog.beginning(at: now, after: nil, interval: interval)
            self.log = log
            beginning = now
            trust = ClockTrust(after: nil, at: now)
            pending.append(records)
        }

        /// Goes on with what was opened.
        mutating func adopt(_ opened: DatabaseOpening) {
            if let last = opened.last {
                let isNew = last.transition == 0
                if !isGapKnown { trust = ClockTrust(after: opened.beat?.reading.wall, at: beginning) }
                if let beat = opened.beat, !isGapKnown {
                    pending.prepend(GapRules.gap(after: beat, until: beginning))
                } else if isNew, isGapKnown, !pending.transitions.contains(log.current) {
                    // The database was begun anew in the middle of a run: it must say what is the case.
                    pending.prepend([log.current])
                }
                isGapKnown = true
                next = Queries.LastRecords(transition: last.transition + 1, check: last.check + 1)
            }
            opening = opened
        }

        mutating func tell(_ notice: HistoryNotice) {
            notices.append(notice)
            if notices.count > 100 { notices.removeFirst() }
        }
    }
}
