// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

extension Timeline {
    /// Creates the timeline of a window from recorded transitions.
    ///
    /// If two records cover the same time, the later one counts, because it was made with the better clock. After a
    /// clock was set back, the new records therefore replace the old ones. Unwatched time hides nothing: if a clock was
    /// wrong by years and is corrected, the earlier records remain visible.
    ///
    /// - Parameters:
    ///   - start: the start of the window.
    ///   - end: the end of the window; a window that ends before it starts is empty.
    ///   - transitions: the transitions in recording order, at least from the one in effect at the start. Each lasts
    ///     until the next one; one that is followed by an earlier time is ignored. Time before the first transition was
    ///     not watched; the last one lasts to the end.
    public init(from start: Date, to end: Date, transitions: [HistoryTransition]) {
        var accumulator = TimelineAccumulator(from: start, to: end)
        for transition in transitions { accumulator.add(transition) }
        self = accumulator.timeline()
    }
}

/// Builds a timeline from transitions one at a time, so that they are not all in memory.
struct TimelineAccumulator: Sendable {
    private let first: Int64
    private let last: Int64
    private var builder: TimelineBuilder
    private var current: HistoryTransition?

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
    /// - Parameters:
    ///   - maximumSpans: the number of spans to which it is thinned, as ``Timeline/thinned(to:)`` does.
    ///   - maximumOutages: the number of latest outages to include.
    mutating func timeline(maximumSpans: Int = .max, maximumOutages: Int = .max) -> Timeline {
        builder.advance(to: last, record: current)
        let (start, end) = (Date(milliseconds: first), Date(milliseconds: last))
        guard first < last else {
            return Timeline(start: start, end: end, spans: [], outages: [], summary: .init(spans: [], outages: []))
        }
        var outages: [Outage] = []
        var summary = Timeline.Summary(spans: builder.spans, outages: [])
        Outage.forEach(in: builder.spans) { outage in
            summary.add(outage)
            outages.append(outage)
            // Not one at a time, because each removal moves all remaining elements.
            if outages.count / 2 > maximumOutages { outages.removeFirst(outages.count - maximumOutages) }
        }
        if outages.count > maximumOutages { outages.removeFirst(outages.count - maximumOutages) }
        let spans =
            builder.periods.count > maximumSpans
            ? Timeline.thinned(builder.spans, from: first, to: last, maximum: maximumSpans) : Array(builder.spans)
        return Timeline(start: start, end: end, spans: spans, outages: outages, summary: summary)
    }
}
