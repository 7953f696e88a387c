//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Timeline {
    /// The timeline with at most so many spans, to be drawn.
    ///
    /// Long spans stay exactly as they are. Neighbours that are too short to be seen become one, which shows the worst of
    /// them: an outage is never hidden, though a short one may look longer than it was. ``outages`` and ``summary`` stay
    /// exact.
    ///
    /// - Parameter maximum: how many spans there may be; at least 1.
    public func thinned(to maximum: Int) -> Timeline {
        let maximum = max(1, maximum)
        guard spans.count > maximum else { return self }
        // There can be so many spans of that width, and a group of shorter ones before, between and after them.
        let groups = (maximum - 1) / 2
        let width = groups == 0 ? Int64.max : (end.milliseconds - start.milliseconds) / Int64(groups) + 1
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
        return self.drawn(as: drawn)
    }
}

extension Timeline.Span {
    /// Both, neighbours in time, as one that shows the worse.
    fileprivate func merged(with next: Timeline.Span) -> Timeline.Span {
        var span = next.state.severity < state.severity ? next : self
        span.start = start
        span.end = next.end
        span.merged = merged + next.merged
        return span
    }
}
