// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import SystemSupport

/// Places records onto a window one by one, as the wall clock moved forward or back.
struct TimelineBuilder {
    /// A period in milliseconds.
    ///
    /// It is small, because there may be a million of them.
    struct Period {
        var start: Int64
        var end: Int64
        /// The number of milliseconds by which the state may have begun before `start`; else `unknown` or `unrecorded`.
        var margin: Int32
        /// The index in `kinds` of the record for this period.
        var kind: Int32

        /// The margin of a period whose state began at a time that is not known, or elsewhere.
        static let unknown: Int32 = -1
        /// The margin of a period without a record.
        static let unrecorded: Int32 = -2

        /// Whether there is a record for this period.
        var isRecorded: Bool { margin != Self.unrecorded }
    }

    /// The periods up to the current position of the clock, without gaps.
    private(set) var periods: [Period] = []
    /// The later periods, recorded before the clock was set back; the next one is the last element.
    private var upcoming: [Period] = []
    private var clock: Int64
    private var kinds: [StateRecord] = []
    private var indexes: [StateRecord: Int32] = [:]
    /// The indexes of the kinds that were found last, the latest first.
    private var recent: [Int32] = []

    /// Begins at the start of the window.
    init(from start: Int64) {
        clock = start
        // The first kind is the one for time without a record.
        _ = index(of: StateRecord(.notWatching, cause: .noRecord))
    }

    /// Reserves capacity for this number of periods at once: growing step by step would use up to three times the
    /// memory.
    mutating func reserve(_ count: Int) { periods.reserveCapacity(count) }

    /// The periods as spans, created lazily.
    var spans: some RandomAccessCollection<Timeline.Span> {
        periods.lazy.map { [kinds] period in
            Timeline.Span(
                start: Date(milliseconds: period.start), earliestStart: period.earliestStart,
                end: Date(milliseconds: period.end), record: kinds[Int(period.kind)])
        }
    }

    private mutating func index(of kind: StateRecord) -> Int32 {
        // A host mostly changes between two states, and hashing a record takes longer than comparing it with both.
        if let index = recent.first(where: { kinds[Int($0)] == kind }) { return index }
        let index = indexes[kind] ?? Int32(kinds.count)
        if index == kinds.count {
            indexes[kind] = index
            kinds.append(kind)
        }
        recent = [index] + recent.prefix(1)
        return index
    }

    /// Moves the clock forward or back.
    ///
    /// - Parameter record: the record that covers the time until then; nil without one.
    mutating func advance(to time: Int64, record: HistoryTransition?) {
        if time < clock {
            rewind(to: time)
        } else if time > clock {
            if let record, !record.isAbsence {
                overwrite(to: time, with: record)
            } else {
                fillGaps(to: time, around: record)
            }
        }
        clock = time
    }

    /// Moves periods after this time to `upcoming`.
    private mutating func rewind(to time: Int64) {
        while let tail = periods.last, tail.end > time {
            periods.removeLast()
            if tail.isRecorded {
                var later = tail
                later.cut(to: max(tail.start, time))
                upcoming.append(later)
            }
            if tail.start < time {
                var earlier = tail
                earlier.end = time
                periods.append(earlier)
            }
        }
    }

    /// Places a record over earlier records of the same time.
    private mutating func overwrite(to time: Int64, with record: HistoryTransition) {
        while let next = dequeueUpcoming(before: time) { keepUpcoming(next, from: time) }
        append(Period(start: clock, end: time, margin: record.margin(at: clock), kind: index(of: record.record)))
    }

    /// Keeps earlier records of the same time; the new record fills the gaps between them.
    private mutating func fillGaps(to time: Int64, around record: HistoryTransition?) {
        let filling = record.map { index(of: $0.record) } ?? 0
        let margin = record == nil ? Period.unrecorded : Period.unknown
        var place = clock
        while var next = dequeueUpcoming(before: time) {
            keepUpcoming(next, from: time)
            next.end = min(next.end, time)
            append(Period(start: place, end: next.start, margin: margin, kind: filling))
            append(next)
            place = next.end
        }
        append(Period(start: place, end: time, margin: margin, kind: filling))
    }

    private mutating func dequeueUpcoming(before time: Int64) -> Period? {
        guard let next = upcoming.last, next.start < time else { return nil }
        return upcoming.removeLast()
    }

    /// Keeps the part of a period after this time for later.
    private mutating func keepUpcoming(_ period: Period, from time: Int64) {
        guard period.end > time else { return }
        var rest = period
        rest.cut(to: time)
        upcoming.append(rest)
    }

    private mutating func append(_ period: Period) {
        guard period.start < period.end else { return }
        if let tail = periods.last, tail.kind == period.kind {
            periods[periods.count - 1].end = period.end
            if period.isRecorded, !tail.isRecorded { periods[periods.count - 1].margin = Period.unknown }
        } else {
            periods.append(period)
        }
    }
}

extension TimelineBuilder.Period {
    fileprivate var earliestStart: Date? { margin < 0 ? nil : Date(milliseconds: start - Int64(margin)) }

    /// Removes the part before this time.
    fileprivate mutating func cut(to time: Int64) {
        if time > start {
            start = time
            margin = Self.unknown
        }
    }
}

extension HistoryTransition {
    /// The number of milliseconds by which the state may have begun before `start`.
    fileprivate func margin(at start: Int64) -> Int32 {
        guard let earliest, start == time.milliseconds else { return TimelineBuilder.Period.unknown }
        return Int32(clamping: max(0, start - earliest.milliseconds))
    }
}

extension Timeline {
    /// Creates the timeline of a window from recorded transitions.
    ///
    /// If two records cover the same time, the later one counts, because it was made with the better clock. After a
    /// clock was set back, the new records therefore replace the old ones. Unwatched time hides nothing: if a clock was
    /// wrong by years and is corrected, the earlier records remain visible.
    ///
    /// - Parameters:
    ///   - end: the end of the window; a window that ends before it starts is empty.
    ///   - transitions: the transitions in recording order, at least from the one in effect at the start. Each lasts
    ///     until the next one; one that is followed by an earlier time is ignored. Time before the first transition was
    ///     not watched; the last one lasts to the end.
    ///   - silences: the silences of the window, in order.
    package init(from start: Date, to end: Date, transitions: [HistoryTransition], silences: [Silence] = []) {
        var accumulator = TimelineAccumulator(from: start, to: end)
        accumulator.silences = silences
        WaitingRecords(records: transitions).forEach(after: 0) { accumulator.add($0) }
        self = accumulator.timeline()
    }
}

/// Builds a timeline from transitions one at a time, so that they are not all in memory.
struct TimelineAccumulator: Sendable {
    private let first: Int64
    private let last: Int64
    private var builder: TimelineBuilder
    private var current: HistoryTransition?
    /// The silences of the window, in order.
    var silences: [Silence] = []

    init(from start: Date, to end: Date) {
        first = start.milliseconds
        last = max(first, end.milliseconds)
        builder = TimelineBuilder(from: first)
    }

    /// Reserves capacity for this number of transitions.
    mutating func reserve(_ count: Int) { builder.reserve(count) }

    /// Adds the next transition in recording order.
    mutating func add(_ transition: HistoryTransition) {
        builder.advance(to: min(max(first, transition.time.milliseconds), last), record: current)
        current = transition
    }

    /// Completes the timeline.
    ///
    /// The summary covers all spans and outages.
    ///
    /// - Parameter maximumSpans: the number of spans to which it is thinned, as `Timeline.thinned` does.
    mutating func timeline(maximumSpans: Int = .max, maximumOutages: Int = .max) -> Timeline {
        builder.advance(to: last, record: current)
        var figures = FigureAccumulator(maximumOutages: maximumOutages, silences: silences)
        for span in builder.spans { figures.add(span) }
        figures.finish()
        let spans =
            builder.periods.count > maximumSpans
            ? Timeline.thinned(builder.spans, from: first, to: last, maximum: maximumSpans) : Array(builder.spans)
        return Timeline(
            start: Date(milliseconds: first), end: Date(milliseconds: last), spans: spans,
            outages: figures.latestOutages, summary: figures.summary, silences: silences, drops: figures.drops)
    }

    /// Completes the timeline as an overview.
    mutating func overview(columns: Int, maximumSpans: Int, maximumOutages: Int, days: [Date]) -> TimelineOverview {
        builder.advance(to: last, record: current)
        var drawing = PartBuilder(from: first, to: last, columns: columns)
        var days = DayAccumulator(days)
        var figures = FigureAccumulator(maximumOutages: maximumOutages, silences: silences)
        for span in builder.spans {
            drawing.add(span)
            days.add(span)
            if let outage = figures.add(span) { days.add(outage) }
        }
        if let outage = figures.finish() { days.add(outage) }
        return TimelineOverview(
            start: Date(milliseconds: first), end: Date(milliseconds: last), parts: drawing.finish(),
            spans: Array(builder.spans.suffix(max(0, maximumSpans))), spanCount: builder.periods.count,
            outages: figures.latestOutages, drops: figures.drops.suffix(max(0, maximumOutages)),
            summary: figures.summary, days: days.days)
    }
}

/// Sums up spans that come in order, and finds the outages in them.
private struct FigureAccumulator {
    private(set) var summary = Timeline.Summary()
    private var outages: [Outage] = []
    private var machine = OutageMachine()
    private var end = Date.distantPast
    private let maximumOutages: Int
    /// The drops in order; those after ``place`` may still meet an outage.
    private(set) var drops: [Silence]
    private var place = 0

    /// - Parameter silences: the silences of the window, in order.
    init(maximumOutages: Int, silences: [Silence]) {
        self.maximumOutages = max(0, maximumOutages)
        drops = silences.filter(\.isDrop)
    }

    var latestOutages: [Outage] { Array(outages.suffix(maximumOutages)) }

    /// Adds the next span, and returns the outage that ended before it.
    @discardableResult mutating func add(_ span: Timeline.Span) -> Outage? {
        summary.add(span)
        end = span.end
        // Time that a clock skipped did not pass, so that what begins after it is known as well as without it.
        if span.record.cause == .clockSet, !span.record.state.isWatched, machine.beginning == nil { return nil }
        return note(machine.change(to: span.record, at: .init(span.start, earliest: span.earliestStart)))
    }

    /// Returns the outage that lasts until the end of the last span.
    @discardableResult mutating func finish() -> Outage? {
        defer { for drop in drops { summary.add(drop: drop) } }
        return note(machine.finish(at: .init(end)))
    }

    private mutating func note(_ outage: Outage?) -> Outage? {
        guard let outage else { return nil }
        summary.add(outage)
        outages.append(outage)
        // It became an outage when a check concluded in it.
        while place < drops.count, !drops[place].meets(outage), drops[place].end < outage.end { place += 1 }
        while place < drops.count, drops[place].meets(outage) { drops.remove(at: place) }
        // Not one at a time, because each removal moves all remaining elements.
        if outages.count / 2 > maximumOutages { outages.removeFirst(outages.count - maximumOutages) }
        return outage
    }
}

extension OutageMachine.Timestamp {
    /// Creates an instant of a recorded time: of two records, no steady clock is known.
    fileprivate init(_ time: Date, earliest: Date? = nil) {
        self.init(steady: time.milliseconds, wall: time, earliest: earliest)
    }
}
