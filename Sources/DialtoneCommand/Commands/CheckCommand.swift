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

    @Flag(help: "Open a captive portal's login page in a browser, or print its URL if there is no browser.")
    var openPortal = false

    @Flag(help: "Print JSON: one object.")
    var json = false

    func run() async throws {
        Console.ignoreBrokenPipes()
        let filter = try interfaces.filter()
        let unbound = try files.check(options)
        let path = await NetworkPath.current(filter)
        let check = InterfaceBoundCheck(unbound, isBound: !interfaces.isEmpty)
        let operators = check.endpointOperators.map { Printable.text($0.name) }.joined(separator: ", ")
        let report = await ProgressLines.show(["waiting for answers of \(operators)"], isQuiet: json) { _ in
            await check.check(over: path)
        }
        let connectivity = Connectivity(path, checkedBy: report, at: TimeSource.system.moment.realtime)
        try Console.answer {
            try print(connectivity, report)
            if openPortal, let portal = report.verdict.portal, !Browser.open(portal), !json {
                try Console.print(Printable.text(portal.absoluteString))
            }
        }
        throw ExitStatus(connectivity.state).exit
    }

    private func print(_ connectivity: Connectivity, _ report: InternetCheck.Report) throws {
        if json { return try Console.print(StatusReport(connectivity, at: connectivity.since).json()) }
        let style = Style(isColored: Console.wantsColor)
        try Console.print(style.state(CheckDescription.headline(connectivity), connectivity.state))
        for line in CheckDescription.lines(report) { try Console.print("  " + style.quiet(line.mark) + line.text) }
    }
}
