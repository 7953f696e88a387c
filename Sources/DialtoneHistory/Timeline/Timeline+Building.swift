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
    /// clock. So a clock that was set back tells the hour anew.
    ///
    /// - Parameters:
    ///   - start: when the window starts.
    ///   - end: when it ends; a window that ends before it starts is empty.
    ///   - transitions: in the order in which they were recorded, at least from the one on that was the case at the start.
    ///     What was before the first of them was not watched; the last one lasts to the end.
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
        let nothing = HistoryTransition(time: Date(milliseconds: first), state: .notWatching, cause: .noRecord)
        // Where each stretch starts; it ends where the next one does.
        var starts = [(time: first, what: nothing)]
        for transition in transitions {
            let time = max(first, transition.time.milliseconds)
            guard time < last else { continue }
            while let tail = starts.last, tail.time >= time { starts.removeLast() }
            if let tail = starts.last, tail.what.saysTheSame(as: transition) { continue }
            starts.append((time, transition))
        }
        let ends = starts.dropFirst().map(\.time) + [last]
        return zip(starts, ends).map { start, end in
            Span(
                start: Date(milliseconds: start.time), end: Date(milliseconds: end), state: start.what.state,
                cause: start.what.cause, interfaceName: start.what.interfaceName,
                interfaceType: start.what.interfaceType)
        }
    }
}
