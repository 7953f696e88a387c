// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import LibC
import SystemSupport

/// Draws a timeline: online is a thin line, an outage is tall.
///
/// Positions are percentages, so that it fits any width without stretching the textures.
struct TimelineDrawing {
    let timeline: Timeline
    let window: TimelineWindow

    /// The maximum number of spans drawn.
    static let maximum = 400

    var html: HTML {
        """
        <svg class="timeline" role="img" aria-labelledby="timeline-said" focusable="false">
        <title id="timeline-said">\(said)</title>
        <defs aria-hidden="true">\(Self.patterns)</defs>
        <g aria-hidden="true">\(ticks)
        <line class="axis" x1="0" x2="100%" y1="80" y2="80"/>
        \(timeline.spans.map(mark))</g>
        </svg>
        """
    }

    /// The drawing described in one sentence.
    private var said: String {
        let (outages, summary) = (timeline.summary.outages, timeline.summary)
        let availability =
            summary.availability.map { "available \(Figures.percentage($0)) of the watched time, " } ?? ""
        return "The last \(window.rawValue): \(availability)\(outages == 1 ? "1 outage" : "\(outages) outages")"
            + (outages == 0 ? "" : " of \(Figures.duration(summary.outageSeconds)) in total") + "."
    }

    private func mark(_ span: Timeline.Span) -> HTML {
        let (top, height) = Self.place(span.state)
        let (what, length) = Self.words(span)
        let said = "\(what), \(LocalTime.text(span.start, .day)), \(length)"
        return """
            <rect class="s-\(span.state.rawValue)" x="\(percent(span.start))%" width="\(width(span))%" y="\(top)" \
            height="\(height)" data-said="\(what)" data-length="\(length)" data-from="\(span.start.iso8601)">\
            <title>\(said)</title></rect>
            """
    }

    /// The position of a state: the top and the height, of 80.
    static func place(_ state: HistoryState) -> (top: Int, height: Int) {
        switch state {
        case .online: (68, 6)
        case .offline, .requiresConnection: (6, 68)
        case .captivePortal: (24, 50)
        case .limited: (24, 50)
        case .unverified, .unknown: (62, 12)
        case .asleep: (50, 24)
        case .notWatching: (66, 8)
        }
    }

    /// A span as text: its state and its duration.
    static func words(_ span: Timeline.Span) -> (what: String, length: String) {
        let merged = span.merged > 1 ? ", \(span.merged) spans too short to draw" : ""
        return (HistoryWording.words(span).sentenceCased.withoutFullStop, "\(Figures.duration(span.length))\(merged)")
    }

    private var length: Double { max(0.001, timeline.end.timeIntervalSince(timeline.start)) }

    private func percent(_ date: Date) -> String {
        Self.rounded(100 * date.timeIntervalSince(timeline.start) / length)
    }

    private func width(_ span: Timeline.Span) -> String { Self.rounded(max(0.02, 100 * span.length / length)) }

    static func rounded(_ value: Double) -> String {
        let thousandths = Int((min(max(value, 0), 100) * 1000).rounded())
        return "\(Double(thousandths) / 1000)"
    }

    private var ticks: [HTML] {
        let marks: [HTML] = TimelineTicks.times(window, from: timeline.start, to: timeline.end).map { date in
            let place = percent(date)
            let line: HTML = "<line class=\"tick\" x1=\"\(place)%\" x2=\"\(place)%\" y1=\"4\" y2=\"86\"/>"
            // There is no space for a label near the ends.
            let share = date.timeIntervalSince(timeline.start) / length
            guard (0.07...0.9).contains(share) else { return line }
            return """
                \(line)<text x="\(place)%" y="101" text-anchor="middle" data-time="\(date.iso8601)" \
                data-style="\(window.tickStyle.rawValue)">\(window.tick(date))</text>
                """
        }
        return marks + ["<text x=\"100%\" y=\"101\" text-anchor=\"end\">now</text>"]
    }

    /// The textures; each has a distinct shape.
    static let patterns: HTML = """
        <pattern id="p-portal" width="8" height="8" patternUnits="userSpaceOnUse"><path class="p-ink" d="M-2 2 l4 -4 M0 8 l8 -8 M6 10 l4 -4"/></pattern>\
        <pattern id="p-limited" width="7" height="7" patternUnits="userSpaceOnUse"><circle class="p-dot" cx="3.5" cy="3.5" r="1.6"/></pattern>\
        <pattern id="p-unsure" width="6" height="6" patternUnits="userSpaceOnUse"><path class="p-soft" d="M0 3 H3"/></pattern>\
        <pattern id="p-asleep" width="6" height="6" patternUnits="userSpaceOnUse"><path class="p-soft" d="M0 3 H6"/></pattern>
        """
}

/// The round times under the drawing: quarter hours, quarter days or days, in local time.
enum TimelineTicks {
    /// The round times between two moments, oldest first.
    ///
    /// It steps with the C library's calendar, so that it finds the midnights of a day of 23 or 25 hours.
    static func times(_ window: TimelineWindow, from start: Date, to end: Date) -> [Date] {
        var seconds = time_t(end.timeIntervalSince1970.rounded(.down))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        unsafe parts.tm_sec = 0
        switch window {
        case .hour: unsafe parts.tm_min -= parts.tm_min % 15
        case .day: unsafe (parts.tm_hour, parts.tm_min) = unsafe (parts.tm_hour - parts.tm_hour % 6, 0)
        case .week: unsafe (parts.tm_hour, parts.tm_min) = (0, 0)
        }
        var times: [Date] = []
        while times.count < 32 {
            var asked = unsafe parts
            unsafe asked.tm_isdst = -1
            let date = unsafe Date(timeIntervalSince1970: Double(mktime(&asked)))
            guard date > start else { break }
            if date <= end { times.append(date) }
            switch window {
            case .hour: unsafe parts.tm_min -= 15
            case .day: unsafe parts.tm_hour -= 6
            case .week: unsafe parts.tm_mday -= 1
            }
        }
        return times.reversed()
    }
}

/// The time window of the history to show.
enum TimelineWindow: String, CaseIterable, Sendable {
    case hour, day, week

    /// Its length in seconds.
    var seconds: Double {
        switch self {
        case .hour: 3600
        case .day: 86_400
        case .week: 7 * 86_400
        }
    }

    /// The text of its link.
    var title: String {
        switch self {
        case .hour: "Hour"
        case .day: "Day"
        case .week: "Week"
        }
    }

    /// Formats a time on the axis.
    func tick(_ date: Date) -> String { LocalTime.text(date, tickStyle) }

    /// The style of times on the axis.
    var tickStyle: LocalTime.Style { self == .week ? .date : .minute }
}
