// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import DialtoneAgent
import DialtoneHistory
import DialtoneServer
import Foundation
import LibC
import SystemSupport

/// `dialtone history`: uptime and outages.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = HistoryOptions.command

    @OptionGroup var options: HistoryOptions

    func run() async throws {
        Console.ignoreBrokenPipes()
        let now = TimeSource.system.moment.realtime
        let (start, end) = try options.window(now: now)
        switch options.kind {
        case _ where options.report:
            let (timeline, hops) = try await read { reader throws(HistoryReadingError) in
                (try await reader.timeline(from: start, to: end), try await reader.hops(from: start, to: end))
            }
            let language =
                options.language.flatMap { ReportWording.Language(rawValue: $0.rawValue) }
                ?? ReportWording.Language(environment: ProcessInfo.processInfo.environment)
            var sheet = HistorySheet(
                timeline, hops: hops, machine: AgentConfiguration.nameOfThisMachine, made: now, in: language)
            sheet.agreed = options.agreed.map { $0 / 100 }
            sheet.note = options.note
            try print([sheet.text])
        case .checks:
            let checks = try await read { reader throws(HistoryReadingError) in
                try await reader.singleChecks(from: start, to: end)
            }
            try print(HistoryCSV.lines(checks: checks))
        case .hops:
            let hops = try await read { reader throws(HistoryReadingError) in
                try await reader.hops(from: start, to: end)
            }
            try print(HistoryCSV.lines(hops: hops))
        case .spans, .outages, nil:
            let timeline = try await read { reader throws(HistoryReadingError) in
                try await reader.timeline(from: start, to: end)
            }
            try print(try lines(timeline))
        }
    }

    private func read<Value>(_ body: (HistoryReader) async throws(HistoryReadingError) -> Value) async throws -> Value {
        let set = try options.settings().dataDirectory
        let directory = try HistoryLocation.directory(set)
        do throws(HistoryReadingError) {
            let reader = try set == nil ? ownOrService(directory) : HistoryReader(directory)
            return try await ProgressLines.show(["reading the history"], isQuiet: options.json) {
                _ throws(HistoryReadingError) in
                try await body(reader)
            }
        } catch {
            Console.printError("dialtone: \(Printable.text(error.description))")
            if case .notFound = error { throw ExitStatus.unknown.exit }
            throw ExitStatus.internalError.exit
        }
    }

    /// Opens the user's own history or, without one, that of the service.
    private func ownOrService(_ directory: URL) throws(HistoryReadingError) -> HistoryReader {
        let service = HistoryLocation.service
        do {
            let reader = try HistoryReader(directory)
            if directory != service, (try? HistoryReader(service)) != nil {
                Console.printError(
                    "dialtone: this is your own history, in \(directory.path); the service's is in \(service.path)")
            }
            return reader
        } catch {
            guard case .notFound(let own) = error else { throw error }
            let reader: HistoryReader
            do {
                reader = try HistoryReader(service)
            } catch {
                switch error {
                case .notFound(let service): throw .notFound("\(own) or \(service)")
                case .unusable(let service, let reason):
                    let remedy = geteuid() == 0 ? "" : "; try `sudo dialtone history`"
                    throw .unusable(service, reason: "\(reason); there is none at \(own)\(remedy)")
                }
            }
            Console.printError("dialtone: this is the service's history, in \(service.path)")
            return reader
        }
    }

    private func print(_ lines: [String]) throws {
        try Console.answer { for line in lines { try Console.print(line) } }
    }

    private func lines(_ timeline: Timeline) throws -> [String] {
        if options.json { return [try HistoryReport(timeline, hasSpans: !options.outages).json()] }
        if options.csv {
            return options.outages || options.kind == .outages
                ? HistoryCSV.lines(outages: timeline.outages) : HistoryCSV.lines(spans: timeline.spans)
        }
        return HistoryDescription(
            timeline, style: Style(isColored: Console.wantsColor), width: Console.width, listsOutages: options.outages
        ).lines
    }
}

extension HistoryLocation {
    /// The directory that a setting specifies, or else the default one.
    static func directory(_ set: Sourced<String>?) throws(SettingsError) -> URL {
        if let set { return URL(filePath: set.value, directoryHint: .isDirectory) }
        guard let usual = standard(environment: ProcessInfo.processInfo.environment) else {
            throw SettingsError(.option("--data-dir"), "must be set, because no home directory is known")
        }
        return usual
    }
}
