//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import DialtoneHistory
import Foundation

/// Describes the history in text.
struct HistoryWords {
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
        var lines = ["From \(LocalTime.day(timeline.start)) to \(LocalTime.day(timeline.end)), \(Self.length(total)):"]
        for state in HistoryState.bySeverity.reversed() {
            let seconds = summary.seconds[state, default: 0]
            guard seconds > 0 else { continue }
            let name = Self.name(state).padding(toLength: 24, withPad: " ", startingAt: 0)
            let length = Self.length(seconds)
            let gap = String(repeating: " ", count: max(1, 16 - length.count))
            lines.append("  " + paint(name, state) + length + gap + style.quiet(Self.percent(seconds / total)))
        }
        lines.append(verdict(summary))
        return lines
    }

    private func verdict(_ summary: Timeline.Summary) -> String {
        var words =
            if let availability = summary.availability {
                "Available \(Self.percent(availability)) of the known time."
            } else if let path = summary.pathAvailability {
                "There was a path \(Self.percent(path)) of the known time; the Internet was not checked."
            } else {
                "Nothing was recorded in this time."
            }
        if let longest = summary.longestOutage {
            words += summary.outages == 1 ? " 1 outage" : " \(summary.outages) outages"
            words += ", \(summary.outages == 1 ? "of" : "the longest") \(Self.length(longest.length))"
            words += " from \(LocalTime.day(longest.start))."
        } else if summary.watchedSeconds > 0 {
            words += " No outage."
        }
        return words
    }

    /// One line for each outage.
    var outages: [String] {
        timeline.outages.map { outage in
            var line = LocalTime.day(outage.start) + "  "
            line += Self.length(outage.length) + (outage.ending == .unwatched ? " at least" : "")
            line += "  " + paint(Self.name(outage.state), outage.state)
            if let cause = outage.cause { line += ", \(Printable.text(cause.rawValue))" }
            if let interface = outage.interfaceName { line += " (\(Printable.text(interface)))" }
            if outage.mayHaveBegunEarlier { line += style.quiet(", may have started earlier") }
            if outage.ending == .windowEnd { line += style.quiet(", ongoing at the end") }
            return line
        }
    }

    private func paint(_ text: String, _ state: HistoryState) -> String {
        guard let connectivity = ConnectivityState(rawValue: state.rawValue) else { return style.quiet(text) }
        return style.state(text, connectivity)
    }

    static func name(_ state: HistoryState) -> String {
        switch state {
        case .online: "online"
        case .limited: "limited"
        case .captivePortal: "captive portal"
        case .offline: "offline"
        case .requiresConnection: "not dialled"
        case .unverified: "not verified"
        case .unknown: "unknown"
        case .notWatching: "not watched"
        case .asleep: "asleep or off"
        }
    }

    /// A length in its two largest units, such as `3 h 20 min`.
    static func length(_ seconds: Double) -> String {
        if seconds < 60 { return seconds < 10 ? "\((seconds * 10).rounded() / 10) s" : "\(Int(seconds.rounded())) s" }
        let whole = Int(seconds.rounded())
        let units = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        guard let first = units.firstIndex(where: { whole >= $0.0 }) else { return "0 s" }
        let (size, name) = units[first]
        var words = "\(whole / size) \(name)"
        if first + 1 < units.count {
            let (smaller, smallerName) = units[first + 1]
            let rest = whole % size / smaller
            if rest > 0 { words += " \(rest) \(smallerName)" }
        }
        return words
    }

    /// A part of 1 as a percentage, which is 100 % or 0 % only when it is all or nothing.
    static func percent(_ part: Double) -> String {
        let hundredths = (part * 10_000).rounded()
        let shown = part < 1 && hundredths == 10_000 ? 9_999 : part > 0 && hundredths == 0 ? 1 : hundredths
        let text = "\(shown / 100)"
        return text.hasSuffix(".0") ? "\(text.dropLast(2)) %" : "\(text) %"
    }
}
