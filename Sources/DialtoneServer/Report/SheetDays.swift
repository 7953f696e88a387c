// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// The picture of the report: a row for each day, with its outages, lost packets and round trips, and the evenings beside the rest.
///
/// It is black and white, so that it can be copied. Its size is bounded, however many outages there are.
struct SheetDays {
    private let timeline: Timeline
    private let wording: ReportWording
    private let days: [LocalDay]
    private let isWhole: Bool
    private let hops: [HopPeriod]

    /// The number of days drawn at most, and in one drawing, which is not divided between two pages.
    private static let most = 92
    private static let rows = 31
    /// The columns of a day: one is 5 minutes.
    private static let columns = 288
    /// The places and sizes in the drawing.
    private static let left = 66.0
    private static let width = 360.0
    private static let row = 13.0
    private static let height = 9.0

    init(_ timeline: Timeline, _ hops: [HopPeriod], _ wording: ReportWording) {
        self.timeline = timeline
        self.hops = hops
        self.wording = wording
        let days = LocalDay.days(from: timeline.start, to: timeline.end)
        self.days = Array(days.suffix(Self.most))
        isWhole = days.count <= Self.most
    }

    // MARK: The drawing

    private struct Row {
        let day: LocalDay
        var outages = 0
        /// Whether the Internet was unreachable, or nothing is known, in each column.
        var down = [Bool](repeating: false, count: SheetDays.columns)
        var unknown = [Bool](repeating: false, count: SheetDays.columns)
        var beyond: [HopStatistics] = []
    }

    var html: HTML? {
        var rows = days.map { Row(day: $0) }
        guard !rows.isEmpty else { return nil }
        for span in timeline.spans where span.state.availability != .up && span.state.availability != .down {
            // Time that is too short to be seen is not drawn as unknown.
            Self.forEach(&rows, span.start, span.end) {
                $0.unknown.mark($1.lowerBound.rounded(.up), $1.upperBound.rounded(.down))
            }
        }
        for outage in timeline.outages {
            Self.forEach(&rows, outage.start, outage.end) { row, part in
                row.down.mark(part.lowerBound.rounded(.down), part.upperBound.rounded(.up))
                row.outages += 1
            }
        }
        for period in hops where period.hop == .beyond {
            Self.forEach(&rows, period.start, period.start + 1) { row, _ in row.beyond.append(period.statistics) }
        }
        let trips = rows.compactMap { HopStatistics(merging: $0.beyond).seconds.median }
        // The longest bar of each column is as long as the column.
        let top = (
            trip: trips.max() ?? 1, loss: max(0.01, rows.map { HopStatistics(merging: $0.beyond).loss }.max() ?? 0)
        )
        let drawings: [HTML] = stride(from: 0, to: rows.count, by: Self.rows).map { first in
            drawing(Array(rows[first..<min(first + Self.rows, rows.count)]), top, number: first / Self.rows)
        }
        let note = wording.text(.daysNote) + (isWhole ? "" : " " + wording.text(.latestDays, "\(Self.most)"))
        return "<h2>\(wording.text(.days))</h2>\n\(drawings)<p class=\"small\">\(note)</p>"
    }

    /// Calls the closure with each row that a period touches, and its columns there.
    private static func forEach(
        _ rows: inout [Row], _ start: Date, _ end: Date, _ body: (inout Row, ClosedRange<Double>) -> Void
    ) {
        for index in rows.indices where start < end && rows[index].day.start < end && start < rows[index].day.end {
            let day = rows[index].day
            let scale = Double(columns) / day.end.timeIntervalSince(day.start)
            let left = max(0, start.timeIntervalSince(day.start)) * scale
            body(&rows[index], left...min(Double(columns), end.timeIntervalSince(day.start) * scale))
        }
    }

    private func drawing(_ rows: [Row], _ top: (trip: Double, loss: Double), number: Int) -> HTML {
        let bottom = 18 + Double(rows.count) * Self.row
        func hour(_ hour: Double) -> String { TimelineMarks.tenths(Self.left + hour / 24 * Self.width) }
        let hours: [HTML] = [0, 6, 12, 18, 24].map {
            "<text x=\"\(hour($0))\" y=\"12\" text-anchor=\"middle\">\(Int($0))</text>"
        }
        let end = TimelineMarks.tenths(bottom)
        return """
            <div class="scroll" tabindex="0"><svg class="picture" role="img" aria-label="\(said(rows))" viewBox="0 0 690 \(end)">
            <defs><pattern id="unknown-\(number)" width="4" height="4" patternUnits="userSpaceOnUse">\
            <path class="hatch" d="M-1 1 l2 -2 M0 4 l4 -4 M3 5 l2 -2"/></pattern></defs>
            <rect class="evening" x="\(hour(18))" y="16" width="\(TimelineMarks.tenths(Self.width * 5 / 24))" \
            height="\(TimelineMarks.tenths(bottom - 16))"/>
            \(hours)<text x="528" y="12" text-anchor="end">\(wording.text(.loss))</text>\
            <text x="690" y="12" text-anchor="end">\(wording.text(.roundTrip))</text>
            \(rows.enumerated().map { drawn($1, y: 18 + Double($0) * Self.row, top, number) })</svg></div>\n
            """
    }

    private func drawn(_ row: Row, y: Double, _ top: (trip: Double, loss: Double), _ number: Int) -> HTML {
        let start = max(row.day.start, timeline.start)
        let end = min(row.day.end, timeline.end)
        let scale = Self.width / row.day.end.timeIntervalSince(row.day.start)
        func x(_ time: Date) -> String {
            TimelineMarks.tenths(Self.left + time.timeIntervalSince(row.day.start) * scale)
        }
        let middle = TimelineMarks.tenths(y + Self.height / 2)
        let text = TimelineMarks.tenths(y + 8)
        let all = HopStatistics(merging: row.beyond)
        // A bar is never so short that it cannot be seen.
        func bar(_ left: Double, _ share: Double, _ kind: HTML) -> HTML? {
            share <= 0
                ? nil
                : """
                <rect class="\(kind)" x="\(TimelineMarks.tenths(left))" y="\(TimelineMarks.tenths(y + 1))" \
                width="\(TimelineMarks.tenths(max(1, min(1, share) * 40)))" height="\(TimelineMarks.tenths(Self.height - 2))"/>
                """
        }
        let loss: HTML? =
            all.sent == 0
            ? nil
            : "\(bar(438, all.loss / top.loss, "loss"))<text x=\"528\" y=\"\(text)\" text-anchor=\"end\">\(wording.percentage(all.loss))</text>"
        let trip: HTML? = all.seconds.median.map { median in
            "\(bar(590, median / top.trip, "trip"))<text x=\"690\" y=\"\(text)\" text-anchor=\"end\">\(wording.latency(median))</text>"
        }
        return """
            <text x="0" y="\(text)">\(LocalTime.text(row.day.start, .day).prefix(10))</text>\
            <path class="known" d="M\(x(start)) \(middle)H\(x(end))"/>\
            <path class="unknown" fill="url(#unknown-\(number))" d="\(marks(row.unknown, y))"/>\
            <path class="down" d="\(marks(row.down, y))"/>\(loss)\(trip)\n
            """
    }

    /// An outline of each series of columns.
    private func marks(_ columns: [Bool], _ y: Double) -> String {
        let width = Self.width / Double(Self.columns)
        return columns.series.map { series in
            TimelineMarks.box(
                Self.left + Double(series.lowerBound) * width, Self.left + Double(series.upperBound) * width, top: y,
                height: Self.height)
        }.joined()
    }

    /// The drawing in words.
    private func said(_ rows: [Row]) -> String {
        rows.map { row in
            let outages = row.outages == 0 ? wording.text(.noOutage) : "\(wording.text(.outages)) \(row.outages)"
            return "\(LocalTime.text(row.day.start, .day).prefix(10)): \(outages)"
        }.joined(separator: "; ")
    }

    // MARK: Evenings

    /// The figures of the evenings, and of the other hours; nil if the period has only one of them.
    var evenings: HTML? {
        var evening = Hours()
        var other = Hours()
        let evenings = LocalDay.days(from: timeline.start, to: timeline.end, most: 4000).map(\.evening)
        for span in timeline.spans {
            let part = Self.overlap(evenings, span.start, span.end)
            evening.seconds[span.state.availability, default: 0] += part
            other.seconds[span.state.availability, default: 0] += span.length - part
        }
        for outage in timeline.outages {
            let part = Self.overlap(evenings, outage.start, outage.end)
            evening.outageSeconds += part
            other.outageSeconds += max(0, outage.length - part)
            if Self.isIn(evenings, outage.start) { evening.outages += 1 } else { other.outages += 1 }
        }
        for period in hops {
            if Self.isIn(evenings, period.start) {
                evening.hops[period.hop, default: []].append(period.statistics)
            } else {
                other.hops[period.hop, default: []].append(period.statistics)
            }
        }
        guard evening.isKnown, other.isKnown else { return nil }
        func loss(_ hop: HeartbeatHop) -> (Hours) -> String {
            { $0.all(hop).sent == 0 ? "–" : wording.percentage($0.all(hop).loss) }
        }
        let lines: [(ReportWording.Label, (Hours) -> String)] = [
            (.available, { wording.percentage($0.seconds[.up, default: 0] / $0.known) }),
            (.outages, { "\($0.outages)" }), (.unreachable, { wording.exactDuration($0.outageSeconds) }),
            (.routerLoss, loss(.router)), (.beyondLoss, loss(.beyond)),
            (.roundTrip, { $0.all(.beyond).seconds.median.map(wording.latency) ?? "–" }),
        ]
        func head(_ label: ReportWording.Label) -> HTML {
            "<th scope=\"col\" class=\"number\">\(wording.text(label))</th>"
        }
        let rows: [HTML] = lines.map { label, figure in
            """
            <tr><th scope="row">\(wording.text(label))</th><td class="number">\(figure(evening))</td>\
            <td class="number">\(figure(other))</td></tr>\n
            """
        }
        return """
            <h2>\(wording.text(.evenings))</h2>
            <table><thead><tr><td></td>\(head(.eveningsRow))\(head(.otherHours))</tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    /// The figures of some hours of the day.
    private struct Hours {
        var seconds: [HistoryState.Availability: Double] = [:]
        var outages = 0
        var outageSeconds = 0.0
        var hops: [HeartbeatHop: [HopStatistics]] = [:]

        var known: Double { seconds[.up, default: 0] + seconds[.down, default: 0] }
        var isKnown: Bool { known > 0 }
        func all(_ hop: HeartbeatHop) -> HopStatistics { HopStatistics(merging: hops[hop, default: []]) }
    }

    private static func isIn(_ evenings: [Range<Date>], _ time: Date) -> Bool {
        evenings.contains { $0.contains(time) }
    }

    /// The seconds of a period in evenings.
    private static func overlap(_ evenings: [Range<Date>], _ start: Date, _ end: Date) -> Double {
        evenings.reduce(0) { $0 + max(0, min($1.upperBound, end).timeIntervalSince(max($1.lowerBound, start))) }
    }
}

extension [Bool] {
    /// Sets the columns between two places.
    fileprivate mutating func mark(_ first: Double, _ last: Double) {
        guard first < last else { return }
        for index in Swift.max(0, Int(first))..<Swift.min(count, Int(last)) { self[index] = true }
    }

    /// The ranges of columns that are set.
    fileprivate var series: [Range<Int>] {
        var result: [Range<Int>] = []
        for (index, isSet) in enumerated() where isSet {
            if let last = result.last, last.upperBound == index {
                result[result.count - 1] = last.lowerBound..<index + 1
            } else {
                result.append(index..<index + 1)
            }
        }
        return result
    }
}
