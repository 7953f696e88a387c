// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import DialtoneHistory
import Foundation

/// `dialtone history`: uptime and outages.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = HistoryOptions.command

    @OptionGroup var options: HistoryOptions

    func run() async throws {
        Console.ignoreBrokenPipes()
        let (start, end) = try options.window(now: .now)
        let timeline = try await read(start, end)
        try Console.answer { try print(timeline) }
    }

    private func read(_ start: Date, _ end: Date) async throws -> Timeline {
        let directory = try HistoryLocation.directory(options.settings().dataDirectory)
        do throws(HistoryReadingError) {
            return try await HistoryReader(directory).timeline(from: start, to: end)
        } catch {
            Console.printError("dialtone: \(Printable.text(error.description))")
            if case .notFound = error { throw ExitStatus.unknown.exit }
            throw ExitStatus.internalError.exit
        }
    }

    private func print(_ timeline: Timeline) throws {
        if options.json {
            try Console.print(HistoryReport(timeline, hasSpans: !options.outages).json())
        } else if options.csv {
            let lines =
                options.outages ? HistoryCSV.lines(outages: timeline.outages) : HistoryCSV.lines(spans: timeline.spans)
            for line in lines { try Console.print(line) }
        } else {
            let words = HistoryDescription(timeline, style: Style(isColored: Console.wantsColor))
            for line in words.summary { try Console.print(line) }
            if options.outages { for line in words.outages { try Console.print(line) } }
        }
    }
}

extension HistoryLocation {
    /// The directory that a setting specifies, or else the default one.
    static func directory(_ set: Sourced<String>?) throws(SettingsError) -> URL {
        if let set { return URL(filePath: set.value, directoryHint: .isDirectory) }
        guard let usual = standard(environment: ProcessInfo.processInfo.environment) else {
            throw SettingsError(
                .option("--data-dir"), "must be set, because no home directory is known")
        }
        return usual
    }
}
