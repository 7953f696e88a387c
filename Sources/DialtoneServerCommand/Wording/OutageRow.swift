// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import DialtoneHistory
import Foundation

/// An outage as a row of a table.
struct OutageRow {
    /// The day on which it began.
    let day: String
    private let time: String
    private let length: String
    /// By how many seconds it may have lasted longer or less, such as `+7 -2`; empty if its times are known.
    private let margin: String
    private let side: String
    /// The finding, without advice.
    let reason: String
    /// How it ended, if not by recovery.
    let notes: [String]

    struct Widths {
        let length: Int
        let margin: Int
        let side: Int

        init(_ rows: [OutageRow]) {
            length = rows.map(\.length.count).max() ?? 0
            margin = rows.map(\.margin.count).max() ?? 0
            side = rows.map(\.side.count).max() ?? 0
        }

        /// The column in which the reason begins.
        var reason: Int { 2 + 8 + 2 + length + 2 + (margin > 0 ? margin + 2 : 0) + side + 2 }
    }

    init(_ outage: Outage) {
        day = String(LocalTime.text(outage.start, .second).prefix(10))
        time = LocalTime.text(outage.start)
        length = (outage.ending == .unwatched ? "≥ " : "") + Figures.duration(outage.length)
        let parts = [("+", outage.startMargin), ("-", outage.endMargin ?? 0)].compactMap { sign, seconds in
            guard let seconds else { return "\(sign)?" }
            return seconds > 0 ? sign + Self.margin(seconds) : nil
        }
        margin = parts.joined(separator: " ")
        side = Self.side(outage.fault)
        let cause = HistoryWording.cause(outage) ?? HistoryWording.state(outage.state)
        reason = Printable.text(Self.finding(cause))
        var notes: [String] = []
        if let next = outage.nextInterface { notes.append("moved to \(Printable.text(next))") }
        if outage.ending == .windowEnd { notes.append("ongoing at the end") }
        self.notes = notes
    }

    /// The texts before the reason, as wide as their columns.
    func columns(_ widths: Widths) -> (time: String, length: String, rest: String) {
        let length = String(repeating: " ", count: widths.length - length.count) + length
        let margin =
            widths.margin > 0 ? margin.padding(toLength: widths.margin, withPad: " ", startingAt: 0) + "  " : ""
        return (time, length, margin + side.padding(toLength: widths.side, withPad: " ", startingAt: 0))
    }

    /// A margin in seconds, or in minutes if it has more than two digits: `7`, `12m`.
    private static func margin(_ seconds: Double) -> String {
        let seconds = Int(min(seconds, 1e9).rounded(.up))
        return seconds < 100 ? "\(seconds)" : seconds < 6000 ? "\((seconds + 59) / 60)m" : "\((seconds + 3599) / 3600)h"
    }

    /// The name of the fault in words, shorter than that of the side.
    static func side(_ fault: ConnectivityFault?) -> String {
        (fault?.rawValue ?? "unknown").reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    }

    /// The first part of a reason: advice and details follow it.
    private static func finding(_ reason: String) -> String {
        let end = [": ", ". "].compactMap { reason.range(of: $0)?.lowerBound }.min() ?? reason.endIndex
        let finding = reason[..<end]
        return String(finding.last == "." ? finding.dropLast() : finding)
    }
}
