// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// The history: a drawing, figures, the last outages, and the same data as a table.
struct HistorySection {
    let overview: TimelineOverview
    let checks: [CheckSummary]
    let period: HistoryPeriod
    let status: HistoryStatus
    /// Whether this is the generated history of the demonstration.
    var isDemo = false
    var now = Date.now

    /// The number of outages in the list, and of those that can be added to it.
    private static let (outagesShown, outagesHidden) = (10, 10)
    /// The number of spans in the table.
    static let maximumSpans = 15
    /// The number of outages that the page needs.
    static let maximumOutages = outagesShown + outagesHidden
    /// The number of points of the latency chart.
    static let maximumChecks = 160

    var html: HTML {
        let zoom = HistoryZoom(period, from: overview.start, to: overview.end, now: now)
        return """
            \(problem)
            \(isDemo ? Self.demoNote : nil)
            <nav class="windows" aria-label="Time window">\(TimelineWindow.allCases.map(link))</nav>
            \(TimelineDrawing(overview: overview, period: period, zoom: zoom).html)
            <p class="readout" aria-hidden="true">Point at a part for its details; click it to zoom in.</p>
            \(Self.links(zoom))
            \(keys)
            \(figures)
            \(latency)
            \(outages)
            \(spans)
            \(isDemo ? nil : files)
            """
    }

    private func link(_ other: TimelineWindow) -> HTML {
        let current: HTML = other == period.window && period.part == nil ? " aria-current=\"true\"" : ""
        return "<a href=\"?window=\(other.rawValue)\"\(current)>\(other.title)</a>"
    }

    private var problem: HTML? {
        status.problem.map {
            "<p class=\"notice\" role=\"alert\">\($0.description) Until then, new records stay in memory.</p>"
        }
    }

    private static let demoNote: HTML = """
        <p class="small demo-history">This history is generated. Your own is recorded as always, and shown with the real \
        network.</p>
        """

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
        let present = Set(overview.summary.seconds.filter { $0.value > 0 }.keys).union([.online, .offline])
        let states: [HistoryState] = [
            .online, .offline, .requiresConnection, .captivePortal, .limited, .unverified, .unknown, .asleep,
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
        return figure("Available", Self.availability(overview) ?? "not known", "of the watched time")
    }

    /// The availability as a percentage; nil if it is not known, or not enough of the period was watched.
    static func availability(_ overview: TimelineOverview) -> String? {
        isWatchedEnough(overview) ? overview.summary.availability.map(Figures.percentage) : nil
    }

    /// Whether 5 minutes and 1 % of the period were watched: after less, a percentage would mean little.
    private static func isWatchedEnough(_ overview: TimelineOverview) -> Bool {
        let (watched, length) = (overview.summary.watchedSeconds, overview.end.timeIntervalSince(overview.start))
        return watched >= min(300, length) && watched >= length / 100
    }

    private static func when(_ outage: Outage) -> HTML {
        "\(LocalTime.element(outage.start, .day))\(HistoryWording.cause(outage).map { ": \($0)" } ?? "")"
    }

    private func figure(_ name: String, _ value: String, _ more: HTML) -> HTML {
        "<div><dt>\(name)</dt><dd>\(value)<span>\(more)</span></dd></div>"
    }

    private var latency: HTML? { LatencyDrawing(checks: checks, start: overview.start, end: overview.end).html }

    /// The latest outages, the last one first.
    private var outages: HTML? {
        let rows = overview.outages.suffix(Self.maximumOutages).reversed().map(row)
        guard !rows.isEmpty else { return nil }
        let (shown, hidden) = (rows.prefix(Self.outagesShown), rows.dropFirst(Self.outagesShown))
        let total = overview.summary.outages
        let rest: HTML? =
            total > rows.count ? "<p class=\"small\">The latest \(rows.count) of \(total) outages.</p>" : nil
        let more: HTML? =
            hidden.isEmpty
            ? nil : "<details><summary>Show more</summary><ul class=\"outages\">\(Array(hidden))</ul>\(rest)</details>"
        return """
            <h3>Last outages</h3>
            <ul class="outages">\(Array(shown))</ul>
            \(more)
            """
    }

    private func row(_ outage: Outage) -> HTML {
        let isOngoing = outage.ending == .windowEnd && period.part == nil
        let start = LocalTime.element(outage.start, .second)
        let time: HTML =
            isOngoing
            ? "since \(start), <span class=\"age\" data-since=\"\(outage.start.iso8601)\">\(Figures.duration(outage.length))</span>"
            : "\(start) to \(LocalTime.element(outage.end, .second))"
        var notes = isOngoing ? [] : [Figures.exactDuration(outage.length)]
        if outage.mayHaveBegunEarlier { notes.append(HistoryWording.mayHaveBegunEarlier) }
        switch outage.ending {
        case .recovered: break
        case .windowEnd where isOngoing: break
        case .windowEnd: notes.append("continues after this time")
        case .undecided, .unwatched: notes.append(HistoryWording.ending(outage.ending))
        }
        let cause = HistoryWording.words(outage).sentenceCased.withoutFullStop
        return """
            <li\(isOngoing ? " class=\"ongoing\"" as HTML : nil)><strong>\(cause)</strong> \
            <span>\(time)</span> \(notes.isEmpty ? nil : "<span>\(notes.joined(separator: ", "))</span>" as HTML)</li>
            """
    }

    private var spans: HTML? {
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
            <details><summary>The timeline as a table\(more)</summary><div class="scroll"><table>\
            <thead><tr><th scope="col">Start</th><th scope="col" class="number">Duration</th><th scope="col">State</th>\
            <th scope="col">Interface</th></tr></thead><tbody>\(rows)</tbody></table></div></details>
            """
    }

    /// The links to the same data as files.
    private var files: HTML {
        let from = overview.start.milliseconds / 1000
        let to = (overview.end.milliseconds + 999) / 1000
        let links: [HTML] = [("outages", "Outages"), ("spans", "Timeline")].map { kind, name in
            "<a href=\"/api/history.csv?kind=\(kind)&amp;from=\(from)&amp;to=\(to)\" download>\(name) as CSV</a>"
        }
        return "<p class=\"files\">\(links)</p>"
    }
}
