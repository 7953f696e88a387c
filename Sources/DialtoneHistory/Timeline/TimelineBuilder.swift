//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneSupport

/// Places records onto a window one by one, as the wall clock moved forward or back.
struct TimelineBuilder {
    /// A period in milliseconds.
    ///
    /// It is small, because there may be a million of them.
    struct Stretch {
        var start: Int64
        var end: Int64
        /// The index in `kinds` of the record for this period.
        var kind: Int32
        /// Whether there is a record for this period.
        var isRecorded: Bool
    }

    /// The properties of a transition apart from its time.
    private struct Kind: Hashable {
        let state: HistoryState
        let cause: HistoryCause?
        let interfaceName: String?
        let interfaceType: String?
    }

    /// The periods up to the current position of the clock, without gaps.
    private(set) var told: [Stretch] = []
    /// The later periods, recorded before the clock was set back; the next one is the last element.
    private var ahead: [Stretch] = []
    private var clock: Int64
    private var kinds: [HistoryTransition] = []
    private var indexes: [Kind: Int32] = [:]

    /// Begins at the start of the window.
    init(from start: Int64) {
        clock = start
        // The first kind is the one for time without a record.
        _ = index(of: HistoryTransition(time: Date(milliseconds: start), state: .notWatching, cause: .noRecord))
    }

    /// Reserves capacity for this number of periods at once: growing step by step would use up to three times the
    /// memory.
    mutating func reserve(_ count: Int) { told.reserveCapacity(count) }

    /// The periods as spans, created lazily.
    var spans: some Sequence<Timeline.Span> {
        told.lazy.map { [kinds] stretch in
            let kind = kinds[Int(stretch.kind)]
            return Timeline.Span(
                start: Date(milliseconds: stretch.start), end: Date(milliseconds: stretch.end), state: kind.state,
                cause: kind.cause, interfaceName: kind.interfaceName, interfaceType: kind.interfaceType)
        }
    }

    private mutating func index(of transition: HistoryTransition) -> Int32 {
        let kind = Kind(
            state: transition.state, cause: transition.cause, interfaceName: transition.interfaceName,
            interfaceType: transition.interfaceType)
        if let index = indexes[kind] { return index }
        let index = Int32(kinds.count)
        indexes[kind] = index
        kinds.append(transition)
        return index
    }

    /// Moves the clock forward or back.
    ///
    /// - Parameters:
    ///   - time: the new time.
    ///   - record: the record that covers the time until then; nil without one.
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

    /// Moves periods after this time to `ahead`.
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

    /// Places a record over earlier records of the same time.
    private mutating func cover(to time: Int64, with record: HistoryTransition) {
        while let next = takeAhead(before: time) { keepAhead(next, from: time) }
        tell(Stretch(start: clock, end: time, kind: index(of: record), isRecorded: true))
    }

    /// Keeps earlier records of the same time; the new record fills the gaps between them.
    private mutating func uncover(to time: Int64, around record: HistoryTransition?) {
        let filling = record.map { index(of: $0) } ?? 0
        var place = clock
        while var next = takeAhead(before: time) {
            keepAhead(next, from: time)
            next.end = min(next.end, time)
            tell(Stretch(start: place, end: next.start, kind: filling, isRecorded: record != nil))
            tell(next)
            place = next.end
        }
        tell(Stretch(start: place, end: time, kind: filling, isRecorded: record != nil))
    }

    private mutating func takeAhead(before time: Int64) -> Stretch? {
        guard let next = ahead.last, next.start < time else { return nil }
        return ahead.removeLast()
    }

    /// Keeps the part of a period after this time for later.
    private mutating func keepAhead(_ stretch: Stretch, from time: Int64) {
        guard stretch.end > time else { return }
        var rest = stretch
        rest.start = time
        ahead.append(rest)
    }

    private mutating func tell(_ stretch: Stretch) {
        guard stretch.start < stretch.end else { return }
        if let tail = told.last, tail.kind == stretch.kind {
            told[told.count - 1].end = stretch.end
            if stretch.isRecorded { told[told.count - 1].isRecorded = true }
        } else {
            told.append(stretch)
        }
    }
}
