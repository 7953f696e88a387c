// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import SystemSupport

/// What a page shows of a window: a drawing of limited resolution, the latest spans and outages, and the figures.
///
/// Its size is bounded, however many transitions the window has.
package struct TimelineOverview: Hashable, Sendable {
    package let start: Date
    package let end: Date
    /// The parts of the drawing, without gaps or overlaps, from the start to the end.
    package let parts: [Part]
    /// The latest spans, in order.
    package let spans: [Timeline.Span]
    package let spanCount: Int
    /// The latest outages, in order; the summary counts all of them.
    package let outages: [Outage]
    /// The latest drops, in order.
    package let drops: [Silence]
    package let summary: Timeline.Summary
    /// The outages of each day that was asked for.
    package let days: [DaySummary]

    /// The number of seconds since the first record in the window.
    package var recordedSeconds: Double {
        let shares = parts.first?.shares ?? []
        let isUnrecorded = shares.count == 1 && shares[0].span.record.cause == .noRecord
        return end.timeIntervalSince(isUnrecorded ? shares[0].span.end : start)
    }

    /// A part of the drawing: a span that is at least one column long, or a column that contains shorter spans.
    package struct Part: Hashable, Sendable {
        package let start: Date
        /// The end of the part, which is the start of the next one.
        package let end: Date
        /// The time in each state, the worst state first; a span has one.
        package let shares: [Share]

        /// The duration in seconds.
        package var length: Double { Double(end.milliseconds - start.milliseconds) / 1000 }
    }

    /// The time of a part in one state.
    package struct Share: Hashable, Sendable {
        /// The span that contributes the most time, which has the cause to show.
        package let span: Timeline.Span
        /// The number of seconds in this state.
        package let seconds: Double
    }
}

/// Divides a window into the parts of a drawing.
///
/// A short span makes its columns mixed: each shows the share of every state in it, so that the area drawn for a state
/// is proportional to its time. Columns begin at whole multiples of their width, so that a drawing whose window ends now
/// keeps its shape while time passes.
struct PartBuilder {
    /// The width of a column in milliseconds.
    private let width: Int64
    private var parts: [TimelineOverview.Part] = []
    /// The index of the column that is being filled.
    private var column: Int64 = .min
    /// The pieces of long spans in this column.
    private var pieces: [Piece] = []
    /// The time per state in this column, by severity.
    private var shares = [Share?](repeating: nil, count: HistoryState.allCases.count)
    private var isMixed = false
    /// The bounds of this column's content.
    private var bounds: (start: Int64, end: Int64) = (0, 0)

    private struct Piece {
        let start: Int64
        let end: Int64
        let span: Timeline.Span
    }

    private struct Share {
        var span: Timeline.Span
        var longest: Int64
        var total: Int64
    }

    /// - Parameter columns: the resolution of the drawing.
    init(from start: Int64, to end: Int64, columns: Int) {
        let columns = Int64(max(1, columns))
        width = max(1, (end - start + columns - 1) / columns)
    }

    mutating func add(_ span: Timeline.Span) {
        let isLong = span.milliseconds >= width
        var start = span.start.milliseconds
        let end = span.end.milliseconds
        while start < end {
            let index = Self.floor(start, by: width)
            if index != column { close() }
            if isLong, index != column, end - index * width >= width {
                // A long span covers the rest of this column and perhaps more columns, which nothing else can enter.
                let whole = Self.floor(end, by: width) * width
                append(Piece(start: start, end: whole, span: span))
                start = whole
                continue
            }
            let piece = Piece(start: start, end: min(end, (index + 1) * width), span: span)
            if index != column {
                column = index
                bounds = (start, start)
            }
            bounds.end = piece.end
            if isLong { pieces.append(piece) } else { isMixed = true }
            count(piece)
            start = piece.end
        }
    }

    mutating func finish() -> [TimelineOverview.Part] {
        close()
        return parts
    }

    private mutating func count(_ piece: Piece) {
        let place = piece.span.record.state.severity
        let length = piece.end - piece.start
        if shares[place] == nil { shares[place] = Share(span: piece.span, longest: length, total: 0) }
        shares[place]?.total += length
        if let share = shares[place], length > share.longest {
            shares[place]?.span = piece.span
            shares[place]?.longest = length
        }
    }

    /// Completes the current column.
    private mutating func close() {
        guard column != .min else { return }
        if isMixed {
            let shares = shares.compactMap(\.self)
            parts.append(
                TimelineOverview.Part(
                    start: Date(milliseconds: bounds.start), end: Date(milliseconds: bounds.end),
                    shares: shares.map { TimelineOverview.Share(span: $0.span, seconds: Double($0.total) / 1000) }))
        } else {
            for piece in pieces { append(piece) }
        }
        pieces.removeAll(keepingCapacity: true)
        for place in shares.indices { shares[place] = nil }
        isMixed = false
        column = .min
    }

    /// Adds a piece of a long span, as one part with the previous piece of the same span.
    private mutating func append(_ piece: Piece) {
        guard piece.start < piece.end else { return }
        var start = piece.start
        if let last = parts.last, last.shares.count == 1, last.shares.first?.span == piece.span {
            start = last.start.milliseconds
            parts.removeLast()
        }
        parts.append(
            TimelineOverview.Part(
                start: Date(milliseconds: start), end: Date(milliseconds: piece.end),
                shares: [TimelineOverview.Share(span: piece.span, seconds: Double(piece.end - start) / 1000)]))
    }

    private static func floor(_ value: Int64, by width: Int64) -> Int64 {
        value >= 0 ? value / width : -((-value + width - 1) / width)
    }
}
