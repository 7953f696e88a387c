// SPDX-License-Identifier: Apache-2.0

extension Timeline {
    /// Returns the timeline with at most `maximum` spans, for drawing.
    ///
    /// Long spans are left unchanged. Adjacent spans that are too short to be visible are merged into one, which shows
    /// the worst of them: an outage is never hidden, though a short one may look longer than it was. ``outages`` and
    /// ``summary`` stay exact.
    ///
    /// - Parameter maximum: the maximum number of spans; at least 1.
    public func thinned(to maximum: Int) -> Timeline {
        let maximum = max(1, maximum)
        guard spans.count > maximum else { return self }
        var copy = self
        copy.spans = Self.thinned(spans, from: start.milliseconds, to: end.milliseconds, maximum: maximum)
        return copy
    }

    /// Works like ``thinned(to:)``, for a sequence of more spans than the maximum.
    static func thinned(_ spans: some Sequence<Span>, from start: Int64, to end: Int64, maximum: Int) -> [Span] {
        let maximum = max(1, maximum)
        // There can be this number of spans of that width, plus a group of shorter ones before, between and after them.
        let groups = (maximum - 1) / 2
        let width = groups == 0 ? Int64.max : (end - start) / Int64(groups) + 1
        var drawn: [Span] = []
        var group: Span?
        for span in spans {
            if span.milliseconds >= width {
                if let short = group { drawn.append(short) }
                drawn.append(span)
                group = nil
                continue
            }
            let merged = group?.merged(with: span) ?? span
            if merged.milliseconds >= width {
                drawn.append(merged)
                group = nil
            } else {
                group = merged
            }
        }
        if let group { drawn.append(group) }
        return drawn
    }
}

extension Timeline.Span {
    /// Merges two adjacent spans into one that shows the worse state.
    fileprivate func merged(with next: Timeline.Span) -> Timeline.Span {
        var span = next.state.severity < state.severity ? next : self
        span.start = start
        span.end = next.end
        span.merged = merged + next.merged
        return span
    }
}
