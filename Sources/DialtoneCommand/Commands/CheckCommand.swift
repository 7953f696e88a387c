// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import SystemSupport

/// `dialtone check`: whether this is really the Internet, with the evidence.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check whether this is really the Internet, and show the evidence.",
        discussion: """
            Several hosts are queried at once, over HTTP and HTTPS. No redirect is followed, and nothing is stored.
            """)

    @OptionGroup var interfaces: InterfaceOptions
    @OptionGroup var options: CheckOptions
    @OptionGroup var files: SettingsOptions
    @OptionGroup var output: ReportOptions

    @Flag(help: "List each endpoint, also those that the verdict did not need.")
    var verbose = false

    @Flag(help: "Open a captive portal's login page in a browser, or print its URL if there is no browser.")
    var openPortal = false

    func run() async throws {
        Console.ignoreBrokenPipes()
        let filter = try interfaces.filter()
        var check = try files.check(options)
        check.isBoundToPath = !interfaces.isEmpty
        let path = await filter.currentPath()
        let report = await ProgressLines.show([check.waitingLine], isQuiet: output.json) { [check] _ in
            await check.check(over: path)
        }
        let connectivity = Connectivity(path, checkedBy: report, at: TimeSource.system.moment.realtime)
        try Console.answer {
            try print(connectivity, report)
            if openPortal, let portal = report.verdict.portal, !Browser.open(portal), !output.json {
                try Console.print(Printable.text(portal.absoluteString))
            }
        }
        throw ExitStatus(connectivity.state).exit
    }

    private func print(_ connectivity: Connectivity, _ report: InternetCheck.Report) throws {
        let object = StatusReport(connectivity, at: connectivity.since, showsFacts: true)
        let text = try output.json ? OneLineJSON.text(object) : lines(connectivity, report)
        try output.print(text, of: Facts(connectivity.path, report))
    }

    private func lines(_ connectivity: Connectivity, _ report: InternetCheck.Report) -> String {
        let style = Style()
        let headline = style.state(CheckDescription.headline(connectivity), connectivity.state)
        return output.lines(
            headline,
            CheckDescription.lines(report, isVerbose: verbose).map { ("  " + style.quiet($0.mark) + $0.text, 11) })
    }
}
