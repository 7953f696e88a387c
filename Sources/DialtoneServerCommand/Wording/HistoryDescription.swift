// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import DialtoneHistory
import Foundation

/// Describes the history in text.
struct HistoryDescription {
    private let timeline: Timeline
    private let style: Style
    /// The width of the terminal; nil without one.
    private let width: Int?
    private let listsOutages: Bool

    init(_ timeline: Timeline, style: Style, width: Int? = nil, listsOutages: Bool = false) {
        self.timeline = timeline
        self.style = style
        self.width = width
        self.listsOutages = listsOutages
    }

    /// The summary and, if they are asked for, the outages and drops.
    var lines: [String] { summary + (listsOutages ? outageLines : []) }

    /// The total time in each state, and the availability.
    private var summary: [String] {
        let summary = timeline.summary
        let total = timeline.end.timeIntervalSince(timeline.start)
        var lines = [
            "From \(LocalTime.text(timeline.start, .second)) to \(LocalTime.text(timeline.end, .second)), \(Figures.duration(total)):"
        ]
        for state in HistoryState.bySeverity.reversed() {
            let seconds = summary.seconds[state, default: 0]
            guard seconds > 0 else { continue }
            let name = HistoryWording.state(state).padding(toLength: 24, withPad: " ", startingAt: 0)
            let length = Figures.duration(seconds)
            let gap = String(repeating: " ", count: max(1, 16 - length.count))
            lines.append("  " + paint(name, state) + length + gap + style.quiet(Figures.percentage(seconds / total)))
        }
        lines.append(verdict(summary).wrapped(to: width, indent: 2))
        // The sums by side follow the outages.
        if !listsOutages, let faults = HistoryWording.faults(summary) {
            lines.append("Without the Internet, by fault: \(faults).".wrapped(to: width, indent: 2))
        }
        if let drops = HistoryWording.drops(summary) { lines.append(drops.wrapped(to: width, indent: 2)) }
        return lines
    }

    private func verdict(_ summary: Timeline.Summary) -> String {
        var words = HistoryWording.available(summary)
        if let longest = summary.longestOutage {
            words += summary.outages == 1 ? " 1 outage" : " \(summary.outages) outages"
            words += ", \(summary.outages == 1 ? "of" : "the longest") \(Figures.duration(longest.length))"
            words += " from \(LocalTime.text(longest.start, .second))."
        } else if summary.watchedSeconds > 0 {
            words += " No outage."
        }
        return words
    }

    /// The outages by day, the drops, and the sums by side.
    private var outageLines: [String] {
        let rows = timeline.outages.map(OutageRow.init)
        let widths = OutageRow.Widths(rows)
        var lines: [String] = []
        var day = ""
        var reason = ""
        for (outage, row) in zip(timeline.outages, rows) {
            if row.day != day {
                day = row.day
                reason = ""
                let summary = DaySummary(of: timeline, on: outage.start)
                let count = summary.outages == 1 ? "1 outage" : "\(summary.outages) outages"
                lines += ["", "\(day)  \(count), \(Figures.duration(summary.outageSeconds))"]
                if width != nil { lines.append("  " + strip(summary)) }
            }
            let isSame = row.reason == reason && !reason.isEmpty
            reason = row.reason
            let columns = row.columns(widths)
            let words = ([isSame ? "the same" : reason] + row.notes).joined(separator: ", ")
            let line = "  \(columns.time)  \(paint(columns.length, outage.state))  \(columns.rest)  \(words)"
            lines.append(line.wrapped(to: width, indent: widths.reason))
        }
        if widths.margin > 0 {
            lines += ["", style.quiet("+ and -: by how many seconds it may have lasted longer, or less.")]
        }
        return lines + drops + sides
    }

    private var sides: [String] {
        let totals = SideTotal.totals(timeline.outages).filter { $0.outages > 0 }
        let rows = totals.map { total -> [String] in
            let side = HistoryWording.side(total.fault)
            let short = OutageRow.side(total.fault)
            return [
                side == short ? side : "\(side) (\(short))",
                total.outages == 1 ? "1 outage" : "\(total.outages) outages",
                Figures.duration(total.seconds)
                    + (total.margin > 0 ? " ± \(HistoryWording.margin(total.margin))" : ""),
            ]
        }
        let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.isEmpty
            ? []
            : ["", "By side:"]
                + rows.map { row in
                    let count = String(repeating: " ", count: widths[1] - row[1].count) + row[1]
                    return "  \(row[0].padding(toLength: widths[0], withPad: " ", startingAt: 0))  \(count)  \(row[2])"
                }
    }

    /// A day in half hours: the higher, the longer without the Internet; a space where it was not watched.
    private func strip(_ day: DaySummary) -> String {
        let cells = day.parts(48, of: timeline).map { part in
            guard part.watchedSeconds > 0 || part.outageSeconds > 0 else { return " " }
            let share = part.outageSeconds / part.end.timeIntervalSince(part.start)
            guard share > 0 else { return style.state("▁", .online) }
            return style.state(["▂", "▃", "▄", "▅", "▆", "▇", "█"][min(6, Int(share * 7))], .offline)
        }
        return style.quiet("00 ") + cells.joined() + style.quiet(" 24")
    }

    private var drops: [String] {
        let lines = timeline.drops.map { drop in
            let words =
                "  " + LocalTime.text(drop.start, .second) + "  " + Figures.duration(drop.length) + "  "
                + ReportWording.english.packets(drop.counts)
                + style.quiet(
                    " (\(ReportWording.english.margins(drop.startMargin, drop.endMargin).joined(separator: ", ")))")
            return words.wrapped(to: width, indent: 4)
        }
        return lines.isEmpty ? [] : ["", "Drops:"] + lines
    }

    private func paint(_ text: String, _ state: HistoryState) -> String {
        guard let connectivity = ConnectivityState(rawValue: state.rawValue) else { return style.quiet(text) }
        return style.state(text, connectivity)
    }
}
