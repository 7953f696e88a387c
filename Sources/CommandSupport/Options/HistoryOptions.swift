// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import SystemSupport

package struct HistoryOptions: ParsableArguments {
    /// The name and the help of the command.
    package static let command = CommandConfiguration(
        commandName: "history", abstract: "Show uptime and outages.",
        discussion: """
            Reads the history that `dialtone serve` records, also while it runs: your own or, if you have none, that of the \
            service in /var/lib/dialtone. Times without data are not outages: they are listed as not watched, asleep or off, \
            or unknown. Exit status: 0 success; 4 no history; 64 wrong usage; 70 the history cannot be read.
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The start: \(PointInTime.forms); 1d by default.", valueName: "when"),
        transform: Self.pointInTime)
    var since = PointInTime.ago(86_400)

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The end, in the same form; now by default.", valueName: "when"),
        transform: Self.pointInTime)
    var until: PointInTime?

    private static func pointInTime(_ text: String) throws -> PointInTime {
        guard let point = PointInTime(text) else { throw ValidationError("it must be \(PointInTime.forms)") }
        return point
    }

    @Flag(help: "List each outage.")
    package var outages = false

    @Flag(help: "Print JSON: one object.")
    package var json = false

    @Flag(help: "Print comma-separated values: the outages with --outages, else every span.")
    package var csv = false

    @Flag(help: "Print a report to hand over to a provider or landlord, as one page of HTML without addresses.")
    package var report = false

    package enum Language: String, CaseIterable, ExpressibleByArgument, Sendable { case en, de }

    @Option(help: ArgumentHelp("The language of --report; that of LANG by default.", valueName: "language"))
    package var language: Language?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "An agreed availability in percent, such as 99.5: --report prints the time that it allows and what was used.",
            valueName: "percent"))
    package var agreed: Double?

    @Option(help: ArgumentHelp("A line for --report, such as a customer number.", valueName: "text"))
    package var note: String?

    /// The records that `--csv` prints.
    package enum Kind: String, CaseIterable, ExpressibleByArgument, Sendable { case spans, outages, checks, hops }

    @Option(
        help: ArgumentHelp(
            "The records of --csv: spans, outages, checks (each, for 2 days) or hops (loss and round trips).",
            valueName: "kind"))
    package var kind: Kind?

    @Option(.dataDirectory) var dataDir: String?
    @Option(help: .config, completion: .file()) var config: String?

    package init() {}

    package func validate() throws {
        if json && csv { throw ValidationError("--json and --csv cannot be combined.") }
        if report && (json || csv || outages) {
            throw ValidationError("--report cannot be combined with --json, --csv or --outages.")
        }
        if !report && (language != nil || agreed != nil || note != nil) {
            throw ValidationError("--language, --agreed and --note need --report.")
        }
        if let agreed, !(agreed > 0 && agreed <= 100) {
            throw ValidationError("--agreed must be above 0, and at most 100.")
        }
        if let note, note.count > 200 { throw ValidationError("--note can have 200 characters.") }
        if kind != nil && !csv { throw ValidationError("--kind needs --csv.") }
        if outages, let kind, kind != .outages { throw ValidationError("--outages and --kind cannot be combined.") }
        _ = try window(now: TimeSource.system.moment.realtime)
    }

    /// The period to show.
    ///
    /// - Throws: `ValidationError` for a period that is empty or in the future.
    package func window(now: Date) throws -> (start: Date, end: Date) {
        let start = since.date(now: now)
        let end = until?.date(now: now) ?? now
        guard end <= now + 1 else { throw ValidationError("--until is in the future.") }
        guard start < end else { throw ValidationError("--since must be before --until, and not in the future.") }
        return (start, end)
    }

    /// Reads all settings.
    package func settings() throws(SettingsError) -> Settings {
        try SettingsReader(options: SettingValues(texts: [.dataDirectory: dataDir]), path: config).read()
    }
}
