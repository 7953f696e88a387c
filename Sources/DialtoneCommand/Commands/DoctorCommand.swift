// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import SystemSupport

/// `dialtone doctor`: where the connection fails.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out where the connection fails: on this machine, at the router, in DNS, or beyond.",
        discussion: """
            Queries the routers, the DNS servers and the endpoints of the check, and connects to HOST if one is given. If the \
            check does not simply pass, it also connects to public addresses, and sends each the beginning of a TLS \
            handshake without a name, and an empty datagram. Exit status: that of `dialtone check`, or 1 if only HOST cannot \
            be reached.
            """)

    @Argument(help: "A host to check, too: a name, an address, either with :PORT, or a URL.")
    var host: String?

    @OptionGroup var options: CheckOptions
    @OptionGroup var files: SettingsOptions
    @OptionGroup var output: ReportOptions

    @Option(
        help: ArgumentHelp(
            "Also write a file for a bug report: the facts, the settings without secrets, and recent outages.",
            valueName: "path"), completion: .file())
    var bundle: String?

    func validate() throws { _ = try target() }

    func run() async throws {
        Console.ignoreBrokenPipes()
        let settings = try files.settings(with: options.values)
        let check = settings.check()
        let diagnostics = NetworkDiagnostics(check, of: try target())
        let report = await ProgressLines.show(isQuiet: output.json) { progress in
            var last: NetworkDiagnostics.Report?
            for await report in diagnostics.reports() {
                progress.replace(
                    with: DiagnosticsDescription(report).progress(host: diagnostics.host).map { Self.line($0) })
                last = report
            }
            return last
        }
        guard let report else { throw ExitStatus.unknown.exit }
        try Console.answer { try print(report) }
        if let bundle { try await write(report, settings.values, to: bundle) }
        throw (report.fault == .host ? ExitStatus.offline : ExitStatus(report.state)).exit
    }

    /// Writes the file for a bug report.
    private func write(_ report: NetworkDiagnostics.Report, _ settings: SettingValues, to path: String) async throws {
        let words = DiagnosticsDescription(report)
        let text = [words.headline] + words.lines.map { Self.line($0) }
        let bundle = SupportBundle(
            conclusion: (text.joined(separator: "\n"), try report.json(at: TimeSource.system.moment.realtime)),
            facts: Facts(report.path, report.internet), hostNames: try hostNames(), settings: settings,
            system: SupportBundle.system)
        do {
            try await bundle.write(to: path, config: files.config)
        } catch {
            Console.printError("dialtone: cannot write \(Printable.text(path)): \(Printable.text("\(error)"))")
            throw ExitStatus.internalError.exit
        }
        Console.printError("dialtone: wrote \(Printable.text(path)): read it before you send it")
    }

    private func print(_ report: NetworkDiagnostics.Report) throws {
        let text = try output.json ? report.json(at: TimeSource.system.moment.realtime) : lines(report)
        try output.print(text, of: Facts(report.path, report.internet), and: hostNames())
    }

    private func lines(_ report: NetworkDiagnostics.Report) -> String {
        let style = Style()
        let words = DiagnosticsDescription(report)
        return output.lines(
            style.state(words.headline, report.fault == .host ? .limited : report.state),
            words.lines.map { (Self.line($0, style), 13) })
    }

    private static func line(_ line: DiagnosticsDescription.Line, _ style: Style = Style(isColored: false)) -> String {
        "  " + style.quiet(line.label.padding(to: 11)) + line.text
    }

    private func hostNames() throws -> [String] {
        guard let target = try target(), case .name(let name) = target.host else { return [] }
        return [target.description, name]
    }

    private func target() throws -> HostTarget? { try host.map(HostTarget.init(argument:)) }
}
