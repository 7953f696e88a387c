// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// A time in which the heartbeat counted no packet beyond the router, although this machine was watched and not in an outage.
struct UnseenTime: Hashable {
    let start: Date
    let end: Date

    var seconds: Double { end.timeIntervalSince(start) }

    /// The shortest one: packets are counted by the minute.
    private static let shortest = 120.0

    /// The times in order.
    ///
    /// - Parameter hops: the periods of the hops, in order.
    static func all(_ timeline: Timeline, _ hops: [HopPeriod]) -> [UnseenTime] {
        let counted = hops.filter { $0.hop == .beyond && $0.statistics.sent > 0 }
        var (times, next) = ([UnseenTime](), 0)
        for span in watched(timeline) {
            var place = span.start
            while next < counted.count, counted[next].start < span.end {
                if counted[next].start > place { times.append(UnseenTime(start: place, end: counted[next].start)) }
                place = max(place, counted[next].end)
                // A period that lasts longer belongs to the next time, too.
                guard counted[next].end <= span.end else { break }
                next += 1
            }
            if place < span.end { times.append(UnseenTime(start: place, end: span.end)) }
        }
        return times.filter { $0.seconds >= shortest }
    }

    /// The times with a path, and without an outage: in an outage, the packets that were lost are its evidence.
    private static func watched(_ timeline: Timeline) -> [UnseenTime] {
        timeline.spans.reduce(into: []) { times, span in
            guard span.state.hasPath, span.state.availability != .down else { return }
            if let last = times.last, last.end == span.start {
                times[times.count - 1] = UnseenTime(start: last.start, end: span.end)
            } else {
                times.append(UnseenTime(start: span.start, end: span.end))
            }
        }
    }
}
