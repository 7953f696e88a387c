// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// Draws one bar a day: the more of it is red, the longer the Internet was unreachable.
///
/// Each bar is a link to its day.
struct DaysDrawing {
    let days: [DaySummary]
    let window: TimelineWindow
    let now: Date
    /// The whole drawing in one sentence.
    let said: String

    /// The lengths of periods that are drawn as days.
    private static let lengths = 14.5 * 86_400...HopLines.longest

    /// The midnights of a period, in local time, and its end; empty for a period that is too short or too long to be drawn as days.
    static func bounds(from start: Date, to end: Date) -> [Date] {
        guard lengths.contains(end.timeIntervalSince(start)) else { return [] }
        return LocalDay.days(from: start, to: end).map(\.start).filter { $0 > start } + [end]
    }

    var html: HTML {
        let first = days.first.map { LocalTime.element($0.start, .date) }
        return """
            <div class="drawing"><div class="days" role="group" aria-label="\(said)">\(days.map(bar))</div>
            <p class="days-ends">\(first)<span>\(days.last.map(isToday) == true ? "today" : "")</span></p></div>
            """
    }

    /// The legend: what a bar means, and that a full bar is not a whole day.
    static let keys: HTML = {
        let steps = ["never", "up to 5 min", "up to 30 min", "up to 2 h", "more than 2 h"].enumerated()
        let items = (steps.map { ("\($0)", $1) } + [("none", "not watched")]).map { level, words in
            "<li><i data-down=\"\(level)\"></i>\(words)</li>" as HTML
        }
        return "<ul class=\"keys days-keys\" aria-label=\"Legend\"><li>Without the Internet in a day:</li>\(items)</ul>"
    }()

    private func isToday(_ day: DaySummary) -> Bool { abs(day.end.timeIntervalSince(now)) < 86_400 }

    /// The Tab key skips the bars: it reaches the days of the table.
    private func bar(_ day: DaySummary) -> HTML {
        let words = "\(LocalTime.text(day.start, .date)): \(Self.words(day))"
        return """
            <a tabindex="-1" href="?\(Self.period(day, window).query)" data-down="\(Self.level(day))" title="\(words)" \
            aria-label="\(words)"></a>
            """
    }

    static func period(_ day: DaySummary, _ window: TimelineWindow) -> HistoryPeriod {
        let start = day.start.milliseconds / 1000
        let end = (day.end.milliseconds + 999) / 1000
        return HistoryPeriod(window, part: start..<max(end, start + HistoryPeriod.shortest))
    }

    /// The time without the Internet in steps from 0 to 4; `none` for a day that was not watched.
    static func level(_ day: DaySummary) -> String {
        switch day.outageSeconds {
        case _ where day.watchedSeconds < 60: "none"
        case 0: "0"
        case ..<300: "1"
        case ..<1800: "2"
        case ..<7200: "3"
        default: "4"
        }
    }

    static func words(_ day: DaySummary) -> String {
        guard day.watchedSeconds >= 60 else { return "not watched" }
        guard day.outages > 0 else { return "no outage" }
        let count = day.outages == 1 ? "1 outage" : "\(day.outages) outages"
        let side = day.fault.map { ", \(HistoryWording.side($0))" } ?? ""
        return "\(count), \(Figures.duration(day.outageSeconds))\(side)"
    }
}
