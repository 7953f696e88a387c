// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import DialtoneHistory
import Foundation

/// Describes the history in text.
struct HistoryDescription {
    private let timeline: Timeline
    private let style: Style

    init(_ timeline: Timeline, style: Style) {
        self.timeline = timeline
        self.style = style
    }

    /// The total time in each state, and the availability.
    var summary: [String] {
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
        lines.append(verdict(summary))
        if let faults = HistoryWording.faults(summary) { lines.append("Without the Internet, by fault: \(faults).") }
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

    /// One line for each outage.
    var outages: [String] {
        timeline.outages.map { outage in
            var line = LocalTime.text(outage.start, .second) + "  "
            line += Figures.duration(outage.length) + (outage.ending == .unwatched ? " at least" : "")
            line += "  " + paint(HistoryWording.state(outage.state), outage.state)
            if let interface = outage.interfaceName { line += " (\(Printable.text(interface)))" }
            if let cause = HistoryWording.cause(outage) { line += ": \(Printable.text(cause))" }
            if let fault = outage.fault { line += style.quiet(" (fault: \(fault.rawValue))") }
            let margins = HistoryWording.margins(outage)
            if !margins.isEmpty { line += style.quiet(" (\(margins.joined(separator: ", ")))") }
            if let next = outage.nextInterface { line += style.quiet(" (moved to \(Printable.text(next)))") }
            if outage.ending == .windowEnd { line += style.quiet(" (ongoing at the end)") }
            return line
        }
    }

    private func paint(_ text: String, _ state: HistoryState) -> String {
        guard let connectivity = ConnectivityState(rawValue: state.rawValue) else { return style.quiet(text) }
        return style.state(text, connectivity)
    }
}
