// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import Testing

/// The output of `dialtone history --report` about a home.
struct DayReport {
    struct Entry {
        let start: Date
        let end: Date
        let side: String
    }

    struct Total {
        let side: String
        let outages: Int?
        let seconds: Double
    }

    let entries: [Entry]
    /// The totals of each side, and of all.
    let totals: [Total]

    init(html: String) throws {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
            .year().month().day().time(includingFractionalSeconds: false)
        entries = try Self.rows(html).compactMap { cells in
            guard cells.count == 6, let start = try? style.parse(cells[1]) else { return nil }
            return Entry(start: start, end: try style.parse(cells[2]), side: cells[5])
        }
        let table = try #require(html.components(separatedBy: "<h2>Outages by side</h2>").dropFirst().first)
        totals = Self.rows(table.components(separatedBy: "</table>")[0]).dropFirst().map { cells in
            Total(side: cells[0], outages: Int(cells[1]), seconds: Self.seconds(cells[2]))
        }
    }

    /// The texts of the cells of each row.
    private static func rows(_ html: String) -> [[String]] {
        html.replacing(/<\/?span[^>]*>/, with: "").components(separatedBy: "<tr>").dropFirst().map { row in
            row.matches(of: /<t[hd][^>]*>([^<]*)</).map { String($0.output.1) }
        }
    }

    /// The seconds of a duration such as `1 h 3 min 5 s`.
    private static func seconds(_ text: String) -> Double {
        let units = ["s": 1.0, "min": 60, "h": 3600, "d": 86_400]
        return text.matches(of: /([0-9.]+) ([a-z]+)/).reduce(0) { sum, match in
            sum + (Double(match.output.1) ?? 0) * (units[String(match.output.2)] ?? 0)
        }
    }
}

extension DayLine {
    /// The line of a home's report: its outages, their sides and its totals beside what was played.
    ///
    /// - Parameter tolerance: the number of seconds that a busy machine may add to the bounds.
    init(_ home: String, _ played: [PlayedRow], _ report: DayReport, tolerance: Double) {
        var problems: [String] = []
        var (truth, allowance, isCertain) = (0.0, 0.0, true)
        for (row, next) in zip(played, played.dropFirst().map(\.begin) + [.distantFuture]) {
            let entries = report.entries.filter { $0.end >= row.begin && $0.end < next }
            switch row.row.truth {
            case .outage(let fault, let other, let limit):
                // The report rounds times to the second.
                let bound = limit + tolerance + 1
                truth += row.end.timeIntervalSince(row.begin)
                allowance += 2 * bound
                guard let entry = entries.first, entries.count == 1 else {
                    problems.append("\(row.row.name): \(entries.count) outages")
                    continue
                }
                let delays = [entry.start.timeIntervalSince(row.begin), entry.end.timeIntervalSince(row.end)]
                if delays.contains(where: { abs($0) > bound }) { problems.append("\(row.row.name): \(delays)") }
                let sides = [fault, other ?? fault].map { HistoryWording.side(ConnectivityFault(rawValue: $0)) }
                if !sides.map(\.sentenceCased).contains(entry.side) {
                    problems.append("\(row.row.name): \(entry.side)")
                }
            case .remark(_, orChance: false), .calm(_, orChance: false):
                if !entries.isEmpty { problems.append("\(row.row.name): \(entries.count) outages") }
            case .remark, .calm, .chance, .noticed, .each: isCertain = false
            }
        }
        for total in report.totals {
            let own = total.side == "All" ? report.entries : report.entries.filter { $0.side == total.side }
            let seconds = own.reduce(0) { $0 + $1.end.timeIntervalSince($1.start) }
            if total.outages != own.count || abs(total.seconds - seconds) > Double(own.count) {
                problems.append("\(total.side): \(total.outages ?? -1) outages in total, of \(total.seconds) s")
            }
        }
        let all = report.totals.last?.seconds ?? 0
        if isCertain, abs(all - truth) > allowance { problems.append("total") }
        let isRight = problems.isEmpty && report.totals.last?.side == "All"
        let sides = report.totals.filter { $0.outages != 0 }.map { "\($0.side) \(Int($0.seconds)) s" }
        let words =
            "report, \(home): \(Int(truth.rounded())) s were played, reported are \(sides.joined(separator: ", "))"
        self.init(
            isRight: isRight, text: ([isRight ? "ok    \(words)" : "FAIL  \(words)"] + problems).joined(separator: "; ")
        )
    }
}
