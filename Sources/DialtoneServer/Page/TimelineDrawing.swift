// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// Draws a timeline: online is a thin line, an outage is tall.
///
/// Links over the drawing zoom in on a part of it.
struct TimelineDrawing {
    let overview: TimelineOverview
    let period: HistoryPeriod
    let zoom: HistoryZoom

    var html: HTML {
        let axis = TimelineAxis(from: overview.start, to: overview.end)
        let (words, spans) = described
        return """
            <div class="drawing">
            <svg class="timeline" role="img" aria-labelledby="timeline-said" focusable="false" \
            data-from="\(Self.seconds(overview.start))" data-to="\(Self.seconds(overview.end))" \
            data-step="\(axis.step)" data-words="\(OneLineJSON.string(words))" data-spans="\(spans)">
            <title id="timeline-said">\(Self.said(overview, period))</title>
            <defs aria-hidden="true">\(Self.patterns)</defs>
            <g aria-hidden="true">\(ticks(axis))
            <line class="axis" x1="0" x2="100%" y1="80" y2="80"/>
            <svg viewBox="0 0 1080 80" height="80" preserveAspectRatio="none">\(TimelineMarks(overview).paths)</svg>
            <rect class="pointed" y="3" height="74"/></g>
            </svg>
            \(slices)
            </div>
            """
    }

    /// The drawing described in one sentence.
    static func said(_ overview: TimelineOverview, _ period: HistoryPeriod) -> String {
        let outages = overview.summary.outages
        let summary = overview.summary
        let availability = HistorySection.availability(overview).map { "available \($0) of the watched time, " } ?? ""
        return "The \(period.words): \(availability)\(outages == 1 ? "1 outage" : "\(outages) outages")"
            + (outages == 0 ? "" : " of \(Figures.duration(summary.outageSeconds)) in total") + "."
    }

    /// The parts as text for the script, which shows the one that is pointed at.
    ///
    /// The words are those of the states and their causes, the worst first. Each part is the number of its seconds and
    /// that of its words, or for a column of short spans, pairs of words and seconds: `300 2;240 0 40 2 200`.
    private var described: (words: [String], parts: String) {
        var numbers: [String: Int] = [:]
        var words: [String] = []
        let spans = overview.parts.flatMap(\.shares).map(\.span)
        let order = Dictionary(uniqueKeysWithValues: HistoryState.bySeverity.enumerated().map { ($1, $0) })
        for span in spans.sorted(by: { order[$0.state, default: 0] < order[$1.state, default: 0] }) {
            let text = Self.words(span)
            guard numbers[text] == nil else { continue }
            numbers[text] = words.count
            words.append(text)
        }
        var end = overview.start.milliseconds / 100
        let parts = overview.parts.map { part in
            // Rounded times, not rounded lengths, so that the differences do not add up.
            let start = end
            end = part.end.milliseconds / 100
            let isShared = part.shares.count > 1
            let shares = part.shares.map { share in
                "\(numbers[Self.words(share.span), default: 0])"
                    + (isShared ? " \(TimelineMarks.tenths(share.seconds))" : "")
            }
            return ([TimelineMarks.tenths(Double(end - start) / 10)] + shares).joined(separator: " ")
        }
        return (words, parts.joined(separator: ";"))
    }

    /// The seconds since 1970, in tenths.
    private static func seconds(_ date: Date) -> String { "\(Double(date.milliseconds / 100) / 10)" }

    /// A state and its cause as text.
    private static func words(_ span: Timeline.Span) -> String {
        HistoryWording.words(span).sentenceCased.withoutFullStop
    }

    private func ticks(_ axis: TimelineAxis) -> [HTML] {
        let length = max(0.001, overview.end.timeIntervalSince(overview.start))
        let marks: [HTML] = axis.times.map { date in
            let share = date.timeIntervalSince(overview.start) / length
            // There is no space for a label near the ends; the script measures it.
            let label =
                (0.07...(period.part == nil ? 0.86 : 0.64)).contains(share) ? LocalTime.text(date, axis.style) : ""
            return """
                <svg class="tick" x="\(TimelineMarks.tenths(share * 100))%" data-tick="\(date.iso8601)" \
                data-style="\(axis.style.rawValue)"><line y1="4" y2="86"/>\
                <text y="101" text-anchor="middle">\(label)</text></svg>
                """
        }
        let end: HTML =
            period.part == nil
            ? "<text x=\"100%\" y=\"101\" text-anchor=\"end\">now</text>"
            : """
            <text x="100%" y="101" text-anchor="end" data-time="\(overview.end.iso8601)" \
            data-style="\(LocalTime.Style.day.rawValue)">\(LocalTime.text(overview.end, .day))</text>
            """
        return marks + [end]
    }

    /// The links over the drawing.
    ///
    /// The Tab key skips them: it reaches the links below the drawing.
    private var slices: HTML? {
        let parts = zoom.parts
        guard !parts.isEmpty else { return nil }
        let links: [HTML] = parts.enumerated().map { index, part in
            """
            <a tabindex="-1" href="?\(part.query)" aria-label="Zoom in on part \(index + 1) of \(parts.count)"></a>
            """
        }
        return "<div class=\"slices\">\(links)</div>"
    }

    /// The textures; each has a distinct shape.
    private static let patterns: HTML = """
        <pattern id="p-portal" width="8" height="8" patternUnits="userSpaceOnUse"><path class="p-warn" d="M-2 2 l4 -4 M0 8 l8 -8 M6 10 l4 -4"/></pattern>\
        <pattern id="p-silent" width="5" height="5" patternUnits="userSpaceOnUse"><path class="p-bad" d="M1 0 V5"/></pattern>\
        <pattern id="p-limited" width="7" height="7" patternUnits="userSpaceOnUse"><circle class="p-dot" cx="3.5" cy="3.5" r="1.6"/></pattern>\
        <pattern id="p-unsure" width="6" height="6" patternUnits="userSpaceOnUse"><path class="p-soft" d="M1 0 L1 3 M4 3 L4 6"/></pattern>\
        <pattern id="p-asleep" width="6" height="6" patternUnits="userSpaceOnUse"><path class="p-soft" d="M0 3 H6"/></pattern>
        """
}
