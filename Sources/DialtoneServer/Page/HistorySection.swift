// SPDX-License-Identifier: Apache-2.0

import DialtoneHistory
import DialtonePresentation
import DialtoneSupport

/// The history: a drawing, figures, and the same data as tables.
struct HistorySection {
    let timeline: Timeline
    let checks: [CheckSummary]
    let window: TimelineWindow
    let status: HistoryStatus

    var html: HTML {
        """
        \(problem)
        <nav class="windows" aria-label="Time window">\(TimelineWindow.allCases.map(link))</nav>
        \(TimelineDrawing(timeline: timeline.thinned(to: TimelineDrawing.maximum), window: window).html)
        <p class="readout" aria-hidden="true">Point at or tap a span for its details. The tables below have the same data.</p>
        \(keys)
        \(figures)
        \(sparkline)
        \(outages)
        \(spans)
        """
    }

    private func link(_ other: TimelineWindow) -> HTML {
        let current: HTML = other == window ? " aria-current=\"true\"" : ""
        return "<a href=\"?window=\(other.rawValue)\"\(current)>\(other.title)</a>"
    }

    private var problem: HTML? {
        guard case .degraded(let trouble) = status.health else { return nil }
        return "<p class=\"notice\" role=\"alert\">\(trouble.description) Until then, new records stay in memory.</p>"
    }

    /// The legend of the drawing.
    private var keys: HTML {
        let present = Set(timeline.summary.seconds.filter { $0.value > 0 }.keys).union([.online, .offline])
        let states: [HistoryState] = [
            .online, .offline, .requiresConnection, .captivePortal, .limited, .unverified, .unknown, .asleep,
            .notWatching,
        ]
        let items: [HTML] = states.filter(present.contains).map { state in
            let height = max(4, TimelineDrawing.place(state).height / 5)
            return """
                <li><svg width="22" height="20" aria-hidden="true" focusable="false"><rect class="s-\(state.rawValue)" \
                x="1" width="20" y="\((20 - height) / 2)" height="\(height)"/></svg>\(HistoryWording.state(state).sentenceCased)</li>
                """
        }
        return "<ul class=\"keys\" aria-label=\"Legend\">\(items)</ul>"
    }

    private var figures: HTML {
        let summary = timeline.summary
        let longest = summary.longestOutage
        return """
            <dl class="figures">
            \(figure("Available", summary.availability.map(Figures.percentage) ?? "not known", "of the watched time"))
            \(figure("Outages", "\(summary.outages)", summary.outages == 0 ? "in this time" : "\(Figures.duration(summary.outageSeconds)) in total"))
            \(figure("Longest outage", longest.map { Figures.duration($0.length) } ?? "none", longest.map(Self.when) ?? ""))
            \(figure("Watched", Figures.duration(summary.watchedSeconds), "of \(Figures.duration(window.seconds))"))
            </dl>
            """
    }

    private static func when(_ outage: Outage) -> HTML {
        "\(LocalTime.element(outage.start, .day))\(outage.cause.map { ", \(HistoryWording.cause($0))" } ?? "")"
    }

    private func figure(_ name: String, _ value: String, _ more: HTML) -> HTML {
        "<div><dt>\(name)</dt><dd>\(value)<span>\(more)</span></dd></div>"
    }

    private var sparkline: HTML? { LatencyDrawing(checks: checks, start: timeline.start, end: timeline.end).html }

    private var outages: HTML? {
        let shown = timeline.outages.suffix(50).reversed()
        guard !shown.isEmpty else { return nil }
        let rows: [HTML] = shown.map { outage in
            """
            <tr><td>\(LocalTime.element(outage.start, .day))</td><td class="number">\(Figures.duration(outage.length))</td>\
            <td>\(HistoryWording.state(outage.state).sentenceCased)\(outage.cause.map { ", \(HistoryWording.cause($0))" } ?? "")</td>\
            <td>\(outage.interfaceName ?? "")</td><td>\(HistoryWording.ending(outage.ending))</td></tr>
            """
        }
        let more =
            timeline.summary.outages > shown.count ? ", the latest \(shown.count) of \(timeline.summary.outages)" : ""
        return """
            <details><summary>Outages as a table\(more)</summary><div class="scroll"><table>\
            <thead><tr><th scope="col">Start</th><th scope="col" class="number">Duration</th><th scope="col">State</th>\
            <th scope="col">Interface</th><th scope="col">End</th></tr></thead><tbody>\(rows)</tbody></table></div></details>
            """
    }

    private var spans: HTML? {
        let shown = timeline.spans.suffix(100).reversed()
        guard !shown.isEmpty else { return nil }
        let rows: [HTML] = shown.map { span in
            """
            <tr><td>\(LocalTime.element(span.start, .day))</td><td class="number">\(Figures.duration(span.length))</td>\
            <td>\(HistoryWording.state(span.state).sentenceCased)\(span.cause.map { ", \(HistoryWording.cause($0))" } ?? "")</td>\
            <td>\(span.interfaceName ?? "")</td></tr>
            """
        }
        let more = timeline.spans.count > shown.count ? ", the latest \(shown.count) of \(timeline.spans.count)" : ""
        return """
            <details><summary>The timeline as a table\(more)</summary><div class="scroll"><table>\
            <thead><tr><th scope="col">Start</th><th scope="col" class="number">Duration</th><th scope="col">State</th>\
            <th scope="col">Interface</th></tr></thead><tbody>\(rows)</tbody></table></div></details>
            """
    }
}
