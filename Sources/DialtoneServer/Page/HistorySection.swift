// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// The history: a drawing, figures, the last outages, and the same data as a table.
struct HistorySection {
    let overview: TimelineOverview
    let period: HistoryPeriod
    let status: HistoryStatus
    let now: Date
    /// The loss and the round trips of the hops, in order.
    var hops: [HopPeriod] = []
    /// The checks with remarks, and the first check after each series of them, in order.
    var remarked: [CheckRecord] = []
    /// The outages that are always noticed; nil without a heartbeat.
    var coverage: HeartbeatCoverage?

    /// The number of outages in the list, and of those that can be added to it.
    private static let outagesShown = 5
    private static let outagesHidden = 15
    /// The number of spans in the table.
    static let maximumSpans = 15
    /// The number of outages that the page needs.
    static let maximumOutages = outagesShown + outagesHidden

    var html: HTML {
        let zoom = HistoryZoom(period, from: overview.start, to: overview.end, now: now)
        return """
            \(problem)
            <nav class="windows" aria-label="Time window">\(TimelineWindow.allCases.map(link))</nav>
            \(overview.days.isEmpty ? drawing(zoom) : days)
            \(HopLines(hops: hops, remarked: remarked, start: overview.start, end: overview.end).html)
            \(Self.links(zoom))
            \(figures)
            \(note)\(outages)\(drops)
            \(spans)
            \(files)
            """
    }

    private func drawing(_ zoom: HistoryZoom) -> HTML {
        let drawing = TimelineDrawing(overview: overview, period: period, zoom: zoom)
        return """
            \(drawing.html)<p class="readout" aria-hidden="true"></p>\(keys)
            """
    }

    private var days: HTML {
        let said = TimelineDrawing.said(overview, period)
        let drawing = DaysDrawing(days: overview.days, window: period.window, now: now, said: said)
        return """
            \(drawing.html)
            \(DaysDrawing.keys)
            """
    }

    private func link(_ other: TimelineWindow) -> HTML {
        let current: HTML = other == period.window && period.part == nil ? " aria-current=\"true\"" : ""
        return "<a href=\"?window=\(other.rawValue)\"\(current)>\(other.title)</a>"
    }

    private var problem: HTML? {
        let words = status.problem.map { "\($0.description) Until then, new records stay in memory." }
        return (words ?? status.loss?.description).map { "<p class=\"notice\" role=\"alert\">\($0)</p>" }
    }

    /// The links that change the period, for the keyboard.
    ///
    /// An unavailable link keeps its place, so that the focus stays on the same one when the page is updated.
    private static func links(_ zoom: HistoryZoom) -> HTML {
        let targets = [
            ("Zoom in", zoom.closer), ("Earlier", zoom.earlier), ("Later", zoom.later),
            ("Last \(zoom.period.window.title.lowercased())", zoom.whole),
        ]
        let links: [HTML] = targets.map { name, target in
            target.map { "<a href=\"?\($0.query)\">\(name)</a>" }
                ?? "<a role=\"link\" aria-disabled=\"true\">\(name)</a>"
        }
        return "<nav class=\"zoom\" aria-label=\"Part of the history\">\(links)</nav>"
    }

    /// The legend of the drawing.
    private var keys: HTML {
        // Time that is too short to be seen has no key, unless it is part of an outage, which is always drawn.
        let least = overview.end.timeIntervalSince(overview.start) / Double(TimelineMarks.columns)
        let present = overview.summary.seconds.filter { $0.value > ($0.key.availability == .down ? 0 : least) }.keys
        let states: [HistoryState] = [
            .online, .offline, .requiresConnection, .noInternet, .captivePortal, .limited, .unverified, .unknown,
            .asleep,
            .notWatching,
        ]
        let items: [HTML] = states.filter(present.contains).map { state in
            let height = max(4, Int(TimelineMarks.height(state)) / 5)
            return """
                <li><svg width="22" height="20" aria-hidden="true" focusable="false"><rect class="s-\(state.rawValue)" \
                x="1" width="20" y="\((20 - height) / 2)" height="\(height)"/></svg>\(HistoryWording.state(state).sentenceCased)</li>
                """
        }
        return "<ul class=\"keys\" aria-label=\"Legend\">\(items)</ul>"
    }

    private var figures: HTML {
        let summary = overview.summary
        let longest = summary.longestOutage
        let length = overview.end.timeIntervalSince(overview.start)
        return """
            <dl class="figures">
            \(available)
            \(figure("Outages", "\(summary.outages)", summary.outages == 0 ? "in this time" : "\(Figures.duration(summary.outageSeconds)) in total"))
            \(figure("Longest outage", longest.map { Figures.duration($0.length) } ?? "none", longest.map(Self.when) ?? ""))
            \(figure("Watched", Figures.duration(summary.watchedSeconds), "of \(Figures.duration(length))"))
            </dl>
            """
    }

    private var available: HTML {
        guard Self.isWatchedEnough(overview) else { return figure("Available", "–", "not enough time yet") }
        let margin = overview.summary.availabilityMargin ?? 0
        let note: HTML = margin < 0.0001 ? "of the watched time" : "± \(Figures.percentage(margin)) of the watched time"
        return figure("Available", Self.availability(overview) ?? "not known", note)
    }

    /// The availability as a percentage; nil if it is not known, or not enough of the period was watched.
    static func availability(_ overview: TimelineOverview) -> String? {
        isWatchedEnough(overview) ? overview.summary.availability.map(Figures.percentage) : nil
    }

    /// Whether enough was watched, and 1 % of the period: after less, a percentage would mean little.
    private static func isWatchedEnough(_ overview: TimelineOverview) -> Bool {
        let summary = overview.summary
        return summary.isWatchedEnough
            && summary.watchedSeconds >= overview.end.timeIntervalSince(overview.start) / 100
    }

    private static func when(_ outage: Outage) -> HTML {
        "\(LocalTime.element(outage.start, .day))\(HistoryWording.cause(outage).map { ": \($0)" } ?? "")"
    }

    private func figure(_ name: String, _ value: String, _ more: HTML) -> HTML {
        "<div><dt>\(name)</dt><dd>\(value)<span>\(more)</span></dd></div>"
    }

    /// The outages that are always noticed.
    private var note: HTML? { coverage.map { "<p class=\"small\">\(HistoryWording.coverage($0))</p>" } }

    /// The latest outages, the last one first.
    private var outages: HTML? {
        let outages = Array(overview.outages.suffix(Self.maximumOutages).reversed())
        guard !outages.isEmpty else { return nil }
        let hidden = outages.dropFirst(Self.outagesShown)
        let total = overview.summary.outages
        let rest: HTML? =
            total > outages.count ? "<p class=\"small\">The latest \(outages.count) of \(total) outages.</p>" : nil
        let more: HTML? =
            hidden.isEmpty
            ? nil
            : """
            <details class="outages"><summary>Show more</summary>\(Self.byDay(hidden).map(list))\(rest)</details>
            """
        return """
            <h3>Last outages</h3>
            <div class="outages">\(Self.byDay(outages.prefix(Self.outagesShown)).map(list))</div>
            \(more)
            """
    }

    /// The outages in groups that began on the same day, in local time.
    private static func byDay(_ outages: ArraySlice<Outage>) -> [[Outage]] {
        outages.reduce(into: []) { days, outage in
            if let day = days.last?.first, LocalTime.isSameDay(day.start, outage.start) {
                days[days.count - 1].append(outage)
            } else {
                days.append([outage])
            }
        }
    }

    /// The outages of a day below its date.
    private func list(_ outages: [Outage]) -> HTML {
        guard let day = outages.first?.start else { return "" }
        return "<h4>\(LocalTime.element(day, .date))</h4><ul>\(outages.map { row($0, of: day) })</ul>"
    }

    private func row(_ outage: Outage, of day: Date) -> HTML {
        let isOngoing = outage.ending == .windowEnd && period.part == nil
        let start = Self.time(outage.start, of: day)
        let time: HTML =
            isOngoing
            ? "since \(start), <span class=\"age\" data-since=\"\(outage.start.iso8601)\">\(Figures.duration(outage.length))</span>"
            : "\(start) to \(Self.time(outage.end, of: day))"
        let notes =
            (isOngoing ? [] : [Figures.exactDuration(outage.length)])
            + ReportWording.english.notes(outage, in: isOngoing ? nil : "this time")
        let cause = HistoryWording.words(outage).sentenceCased.withoutFullStop
        let sides = ReportWording.english.phases(outage) ?? outage.fault.map(HistoryWording.side)
        let side: HTML? = sides.map { " <span>\($0.sentenceCased)</span>" }
        return """
            <li\(isOngoing ? " class=\"ongoing\"" as HTML : nil)><strong>\(cause)</strong> <span>\(time)</span>\
            \(notes.isEmpty ? nil : " <span>\(notes.joined(separator: ", "))</span>" as HTML)\(side)</li>
            """
    }

    /// A time of the list: without the date if that is above it.
    ///
    /// The script decides for the visitor's time zone.
    private static func time(_ date: Date, of day: Date) -> HTML {
        let style = LocalTime.isSameDay(date, day) ? LocalTime.Style.clock : .second
        return """
            <time datetime="\(date.iso8601)" data-style="\(style.rawValue)" data-day="\(day.iso8601)">\
            \(LocalTime.text(date, style))</time>
            """
    }

    /// The latest drops, the last one first.
    private var drops: HTML? {
        let shown = overview.drops.suffix(Self.maximumOutages).reversed()
        guard let sentence = HistoryWording.drops(overview.summary), !shown.isEmpty else { return nil }
        let rows: [HTML] = shown.map { drop in
            """
            <li>\(LocalTime.element(drop.start, .day)), \(Figures.exactDuration(drop.length)): \(ReportWording.english.packets(drop.counts)) \
            <span>\(ReportWording.english.margins(drop.startMargin, drop.endMargin).joined(separator: ", "))</span></li>
            """
        }
        return "<details class=\"drops\"><summary>\(sentence.withoutFullStop)</summary><ul>\(rows)</ul></details>"
    }

    private var spans: HTML? {
        if !overview.days.isEmpty { return dayTable }
        let shown = overview.spans.suffix(Self.maximumSpans).reversed()
        guard !shown.isEmpty else { return nil }
        let rows: [HTML] = shown.map { span in
            """
            <tr><td>\(LocalTime.element(span.start, .day))</td><td class="number">\(Figures.duration(span.length))</td>\
            <td>\(HistoryWording.words(span).sentenceCased)</td>\
            <td>\(span.interfaceName ?? "")</td></tr>
            """
        }
        let more = overview.spanCount > shown.count ? ", the latest \(shown.count) of \(overview.spanCount)" : ""
        return """
            <details><summary>The timeline as a table\(more)</summary>\
            <div class="scroll" tabindex="0" role="group" aria-label="Timeline"><table>\
            <thead><tr><th scope="col">Start</th><th scope="col" class="number">Duration</th><th scope="col">State</th>\
            <th scope="col">Interface</th></tr></thead><tbody>\(rows)</tbody></table></div></details>
            """
    }

    /// The days with outages as a table, which the keyboard reaches.
    private var dayTable: HTML? {
        let rows: [HTML] = overview.days.filter { $0.outages > 0 }.reversed().map { day in
            """
            <tr><th scope="row"><a href="?\(DaysDrawing.period(day, period.window).query)">\
            \(LocalTime.element(day.start, .date))</a></th><td>\(DaysDrawing.words(day))</td></tr>
            """
        }
        guard !rows.isEmpty else { return nil }
        return """
            <details><summary>The days as a table</summary><table class="day-table"><thead><tr><th scope="col">Day</th>\
            <th scope="col">Outages</th></tr></thead><tbody>\(rows)</tbody></table></details>
            """
    }

    /// The links to the same data as files.
    private var files: HTML {
        let from = overview.start.milliseconds / 1000
        let to = (overview.end.milliseconds + 999) / 1000
        let links: [HTML] = [("outages", "Outages"), ("spans", "Timeline")].map { kind, name in
            "<a href=\"/api/history.csv?kind=\(kind)&amp;from=\(from)&amp;to=\(to)\" download>\(name) as CSV</a>"
        }
        return "<p class=\"files\">\(links)<a href=\"/report\">Report of this month</a></p>"
    }
}
