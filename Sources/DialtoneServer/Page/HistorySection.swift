// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Synchronization
import SystemSupport

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
        status.problem.map {
            "<p class=\"notice\" role=\"alert\">\($0.description) Until then, new records stay in memory.</p>"
        }
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
        "\(LocalTime.element(outage.start, .day))\(HistoryWording.cause(outage).map { ": \($0)" } ?? "")"
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
            <td>\(HistoryWording.words(outage).sentenceCased)</td>\
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
            <td>\(HistoryWording.words(span).sentenceCased)</td>\
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

/// Caches the rendered history for a moment.
///
/// A day of flapping and many visitors then use no more than a fraction of one core. Concurrent requests share one
/// rendering.
actor HistorySectionCache {
    private struct Entry {
        let html: HTML
        let made: ContinuousClock.Instant
        let took: Duration
        let change: UInt64
    }

    /// The parameters of a rendering: the time window, and whether it shows a problem with the history.
    private struct Key: Hashable {
        let window: TimelineWindow
        let isTroubled: Bool
    }

    private var entries: [Key: Entry] = [:]
    private var making: [Key: Task<Entry, Never>] = [:]
    private let limit: Duration
    /// Counts recorded changes.
    private let changes = Atomic<UInt64>(0)

    /// - Parameter limit: how long a request waits for a rendering.
    init(limit: Duration = ServerLimits().historyTime) { self.limit = limit }

    /// Notes that a change was recorded.
    nonisolated func noteChange() { changes.add(1, ordering: .relaxed) }

    /// Returns the rendered history, and whether it is complete.
    ///
    /// A rendering that takes longer than the limit continues, for later requests.
    ///
    /// - Parameters:
    ///   - window: the time window.
    ///   - isTroubled: whether the history has a problem, which is shown immediately.
    ///   - make: renders the history.
    func html(
        _ window: TimelineWindow, isTroubled: Bool = false, make: @escaping @Sendable () async -> HTML
    ) async -> (HTML, isComplete: Bool) {
        let key = Key(window: window, isTroubled: isTroubled)
        let change = changes.load(ordering: .relaxed)
        if let entry = entries[key],
            Self.isUsable(age: .now - entry.made, took: entry.took, isUnchanged: entry.change == change)
        {
            return (entry.html, entry.change == change)
        }
        let task =
            making[key]
            ?? Task {
                let start = ContinuousClock.now
                let html = await make()
                let entry = Entry(html: html, made: .now, took: .now - start, change: change)
                making[key] = nil
                // One that took too long shows an old state.
                if entry.took < limit { entries[key] = entry }
                return entry
            }
        making[key] = task
        let rendered: Entry? = await firstAnswer(until: .now + limit, late: nil, cancelled: nil) { await task.value }
        guard let entry = rendered else {
            return ("<p class=\"notice\" role=\"alert\">The history could not be read in time.</p>", false)
        }
        return (entry.html, entry.change == changes.load(ordering: .relaxed))
    }

    /// Whether a cached rendering may be shown again.
    ///
    /// - Parameters:
    ///   - age: the age of the rendering.
    ///   - took: the duration of the rendering.
    ///   - isUnchanged: whether nothing was recorded since.
    static func isUsable(age: Duration, took: Duration, isUnchanged: Bool) -> Bool {
        age < (isUnchanged ? max(.seconds(2), took * 10) : took * 10)
    }
}
