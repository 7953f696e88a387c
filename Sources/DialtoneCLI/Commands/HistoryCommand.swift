// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DialtoneHistory
import Foundation

/// `dialtone history`: uptime and outages.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show uptime and outages.",
        discussion: """
            Reads the history that `dialtone serve` records, also while it runs. Times without data are not outages: they are \
            listed as not watched, asleep or off, or unknown. Exit status: 0 success; 4 no history; 64 wrong usage; \
            70 the history cannot be read.
            """)

    @Option(
        help: ArgumentHelp(
            "The start: a duration ago (90s, 15m, 2h, 7d, 2w), a day (2026-11-20) or an ISO 8601 time.",
            valueName: "when"))
    var since = PointInTime.ago(86_400)

    @Option(help: ArgumentHelp("The end, in the same form; now by default.", valueName: "when"))
    var until: PointInTime?

    @Flag(help: "List each outage.")
    var outages = false

    @Flag(help: "Print JSON: one object.")
    var json = false

    @Flag(help: "Print comma-separated values: the outages with --outages, else every span.")
    var csv = false

    @OptionGroup var place: HistoryOptions

    func validate() throws {
        if json && csv { throw ValidationError("--json and --csv cannot be combined.") }
        _ = try window(now: .now)
    }

    func run() async throws {
        Console.ignoreBrokenPipes()
        let (start, end) = try window(now: .now)
        let timeline = try await read(start, end)
        try Console.answer { try print(timeline) }
    }

    private func window(now: Date) throws -> (start: Date, end: Date) {
        let (start, end) = (since.date(now: now), until?.date(now: now) ?? now)
        guard end <= now + 1 else { throw ValidationError("--until is in the future.") }
        guard start < end else { throw ValidationError("--since must be before --until, and not in the future.") }
        return (start, end)
    }

    private func read(_ start: Date, _ end: Date) async throws -> Timeline {
        let directory = try place.directory()
        do throws(HistoryReadingError) {
            return try await HistoryReader(directory).timeline(from: start, to: end)
        } catch {
            Console.printError("dialtone: \(Printable.text(error.description))")
            if case .notFound = error { throw ExitStatus.unknown.exit }
            throw ExitStatus.internalError.exit
        }
    }

    private func print(_ timeline: Timeline) throws {
        if json {
            try Console.print(HistoryReport(timeline, hasSpans: !outages).json())
        } else if csv {
            let lines =
                outages ? HistoryCSV.lines(outages: timeline.outages) : HistoryCSV.lines(spans: timeline.spans)
            for line in lines { try Console.print(Printable.text(line)) }
        } else {
            let words = HistoryDescription(timeline, style: Style(isColored: Console.wantsColor))
            for line in words.summary { try Console.print(line) }
            if outages { for line in words.outages { try Console.print(line) } }
        }
    }
}
