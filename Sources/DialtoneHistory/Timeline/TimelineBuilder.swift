//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials

/// Draws what was recorded onto a window, one record after the other, as the wall clock went: forward, or back.
struct TimelineBuilder {
    /// A stretch of time, in milliseconds, and what was the case.
    struct Stretch {
        var start: Int64
        var end: Int64
        var what: HistoryTransition
        /// Whether a record says so.
        var isRecorded: Bool
    }

    /// What is told up to where the clock is, without a gap.
    private(set) var told: [Stretch] = []
    /// What was told of later times before the clock was set back; the next stretch is the last here.
    private var ahead: [Stretch] = []
    private var clock: Int64
    private let nothing: HistoryTransition

    /// Begins where the window does.
    init(from start: Int64) {
        clock = start
        nothing = HistoryTransition(time: Date(milliseconds: start), state: .notWatching, cause: .noRecord)
    }

    /// The clock goes on, or is set back.
    ///
    /// - Parameters:
    ///   - time: to when.
    ///   - record: what says what was the case until then; nil when there is no record.
    mutating func go(to time: Int64, telling record: HistoryTransition?) {
        if time < clock {
            turnBack(to: time)
        } else if time > clock {
            if let record, !record.isAbsence {
                cover(to: time, with: record)
            } else {
                uncover(to: time, around: record)
            }
        }
        clock = time
    }

    /// What was told of later times is laid aside.
    private mutating func turnBack(to time: Int64) {
        while let tail = told.last, tail.end > time {
            told.removeLast()
            if tail.isRecorded {
                var later = tail
                later.start = max(tail.start, time)
                ahead.append(later)
            }
            if tail.start < time {
                var earlier = tail
                earlier.end = time
                told.append(earlier)
            }
        }
    }

    /// A record hides what was told of the same time before.
    private mutating func cover(to time: Int64, with record: HistoryTransition) {
        while let next = takeAhead(before: time) { keepAhead(next, from: time) }
        tell(Stretch(start: clock, end: time, what: record, isRecorded: true))
    }

    /// What was told of the same time before is believed; the record speaks of what is between.
    private mutating func uncover(to time: Int64, around record: HistoryTransition?) {
        let filling = record ?? nothing
        var place = clock
        while var next = takeAhead(before: time) {
            keepAhead(next, from: time)
            next.end = min(next.end, time)
            tell(Stretch(start: place, end: next.start, what: filling, isRecorded: record != nil))
            tell(next)
            place = next.end
        }
        tell(Stretch(start: place, end: time, what: filling, isRecorded: record != nil))
    }

    private mutating func takeAhead(before time: Int64) -> Stretch? {
        guard let next = ahead.last, next.start < time else { return nil }
        return ahead.removeLast()
    }

    /// Lays aside what reaches beyond a time.
    private mutating func keepAhead(_ stretch: Stretch, from time: Int64) {
        guard stretch.end > time else { return }
        var rest = stretch
        rest.start = time
        ahead.append(rest)
    }

    private mutating func tell(_ stretch: Stretch) {
        guard stretch.start < stretch.end else { return }
        if let tail = told.last, tail.what.saysTheSame(as: stretch.what) {
            told[told.count - 1].end = stretch.end
            if stretch.isRecorded { told[told.count - 1].isRecorded = true }
        } else {
            told.append(stretch)
        }
    }
}
