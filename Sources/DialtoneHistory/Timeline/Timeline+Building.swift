//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

extension Timeline {
    /// Makes the timeline of a window from what was recorded.
    ///
    /// Of two records that speak of the same time, the one that was made later is believed: it was made with the better
    /// clock. So a clock that was set back tells the hour anew. Times in which nobody watched hide nothing: when a clock was
    /// wrong by years and is set right, what was recorded before is told again.
    ///
    /// - Parameters:
    ///   - start: when the window starts.
    ///   - end: when it ends; a window that ends before it starts is empty.
    ///   - transitions: in the order in which they were recorded, at least from the one on that was the case at the start.
    ///     Each speaks of the time up to the next one; one that is followed by an earlier one says nothing. What was before the
    ///     first of them was not watched; the last one lasts to the end.
    public init(from start: Date, to end: Date, transitions: [HistoryTransition]) {
        let (first, last) = (start.milliseconds, max(start.milliseconds, end.milliseconds))
        let spans = Self.spans(from: first, to: last, transitions)
        let outages = Outage.outages(in: spans)
        self.init(
            start: Date(milliseconds: first), end: Date(milliseconds: last), spans: spans, outages: outages,
            summary: Summary(spans: spans, outages: outages))
    }

    /// This, with other spans to be drawn; the figures stay.
    func drawn(as spans: [Span]) -> Timeline {
        Timeline(start: start, end: end, spans: spans, outages: outages, summary: summary)
    }

    private static func spans(from first: Int64, to last: Int64, _ transitions: [HistoryTransition]) -> [Span] {
        guard first < last else { return [] }
        var builder = TimelineBuilder(from: first)
        var current: HistoryTransition?
        for transition in transitions {
            builder.go(to: min(max(first, transition.time.milliseconds), last), telling: current)
            current = transition
        }
        builder.go(to: last, telling: current)
        return builder.told.map { stretch in
            Span(
                start: Date(milliseconds: stretch.start), end: Date(milliseconds: stretch.end),
                state: stretch.what.state, cause: stretch.what.cause, interfaceName: stretch.what.interfaceName,
                interfaceType: stretch.what.interfaceType)
        }
    }
}
