// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// The shapes of a timeline drawing, by state.
///
/// Each state has its own height, so that states differ without color, and in marks that are not wide enough for a
/// texture. A long span is drawn at this height. In a column of shorter spans, each state gets its share of its height,
/// so that the area drawn for a state is proportional to its time.
struct TimelineMarks {
    /// The resolution of the drawing: the number of columns.
    static let columns = 360
    /// The size of the drawing, in its own units; three of them are a column.
    static let width = 1080.0
    static let height = 80.0
    /// The minimum height of a share without the Internet, so that a short outage is never hidden: that of the line for
    /// online, on which it stands.
    static let minimum = 6.0
    private static let bottom = 74.0

    /// A rectangle, in the units of the drawing.
    struct Mark: Hashable {
        var state: HistoryState
        var left: Double
        var right: Double
        var top: Double
        var bottom: Double
        /// Whether it is a share of a column, instead of a span.
        var isShare: Bool
    }

    let marks: [Mark]

    init(_ overview: TimelineOverview) {
        let length = max(0.001, overview.end.timeIntervalSince(overview.start))
        func x(_ date: Date) -> Double { date.timeIntervalSince(overview.start) / length * Self.width }
        marks = overview.parts.flatMap { part -> [Mark] in
            let left = x(part.start)
            let right = x(part.end)
            // The worst state stands on the better ones.
            var bottom = Self.bottom
            return part.shares.reversed().map { share in
                let full = Self.height(share.state)
                let height = part.shares.count == 1 ? full : full * share.seconds / part.length
                let top = bottom - (share.state.availability == .down ? max(Self.minimum, height) : height)
                defer { bottom = top }
                return Mark(
                    state: share.state, left: left, right: right, top: top, bottom: bottom,
                    isShare: part.shares.count > 1)
            }
        }
    }

    /// The height of a span in a state.
    static func height(_ state: HistoryState) -> Double {
        switch state {
        case .online: 6
        case .offline, .requiresConnection: 68
        case .captivePortal: 50
        case .noInternet: 60
        case .limited: 36
        case .unverified: 6
        case .unknown: 18
        case .asleep: 24
        case .notWatching: 3
        }
    }

    /// One path for the spans of each state, and one for its shares of columns.
    var paths: [HTML] {
        // By the class of the path.
        var data: [String: String] = [:]
        var last: [String: Mark] = [:]
        for mark in marks {
            let key = Self.key(mark.state, isShare: mark.isShare)
            // Adjacent marks are one outline.
            if let last = last[key], last.right != mark.left || last.bottom != mark.bottom {
                data[key, default: ""] += Self.end(last)
            }
            if last[key]?.right != mark.left || last[key]?.bottom != mark.bottom {
                data[key, default: ""] += "M\(Self.tenths(mark.left)) \(Self.tenths(mark.bottom))"
            }
            data[key, default: ""] += "V\(Self.tenths(mark.top))H\(Self.tenths(mark.right))"
            last[key] = mark
        }
        return HistoryState.bySeverity.reversed().flatMap { state in
            [false, true].compactMap { isShare -> HTML? in
                let key = Self.key(state, isShare: isShare)
                guard let data = data[key], let last = last[key] else { return nil }
                return "<path class=\"\(key)\" d=\"\(data)\(Self.end(last))\"/>"
            }
        }
    }

    /// The end of an outline after its last mark.
    private static func end(_ mark: Mark) -> String { "V\(tenths(mark.bottom))z" }

    private static func key(_ state: HistoryState, isShare: Bool) -> String {
        "s-\(state.rawValue)\(isShare ? " share" : "")"
    }

    /// A number with at most one decimal.
    static func tenths(_ value: Double) -> String {
        let tenths = Int((min(max(value, -1e12), 1e12) * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
    }

    /// The outline of a rectangle, as a part of a path.
    static func box(_ left: Double, _ right: Double, top: Double = 0, height: Double) -> String {
        "M\(tenths(left)) \(tenths(top))H\(tenths(right))v\(tenths(height))H\(tenths(left))z"
    }
}

extension TimelineOverview.Share {
    var state: HistoryState { span.state }
}
