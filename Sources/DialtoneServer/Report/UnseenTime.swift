// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// The times in which the heartbeat counted no packet beyond the router, although this machine was watched and not in an outage.
enum UnseenTime {
    typealias Span = (start: Date, end: Date)

    /// The shortest one: packets are counted by the minute.
    private static let shortest = 120.0

    /// The times in order.
    ///
    /// - Parameter hops: the periods of the hops, in order.
    static func all(_ timeline: Timeline, _ hops: [HopPeriod]) -> [Span] {
        let counted = hops.filter { $0.hop == .beyond && $0.statistics.sent > 0 }
        var times = [Span]()
        var next = 0
        for span in watched(timeline) {
            var start = span.start
            while next < counted.count, counted[next].start < span.end {
                if counted[next].start > start { times.append((start, counted[next].start)) }
                start = max(start, counted[next].end)
                // A period that lasts longer belongs to the next time, too.
                guard counted[next].end <= span.end else { break }
                next += 1
            }
            if start < span.end { times.append((start, span.end)) }
        }
        return times.filter { $0.end.timeIntervalSince($0.start) >= shortest }
    }

    /// The times with a path, and without an outage: in an outage, the packets that were lost are its evidence.
    private static func watched(_ timeline: Timeline) -> [Span] {
        timeline.spans.reduce(into: []) { times, span in
            guard span.state.hasPath, span.state.availability != .down else { return }
            if times.last?.end == span.start {
                times[times.count - 1].end = span.end
            } else {
                times.append((span.start, span.end))
            }
        }
    }
}
