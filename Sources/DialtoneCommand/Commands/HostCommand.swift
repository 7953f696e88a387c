// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import SystemSupport

/// `dialtone host`: whether one host can be reached.
struct HostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Show whether a host can be reached.",
        discussion: """
            Without --connect no packet is sent: the answer is whether, and over which interface, packets to it would leave \
            this machine. Exit status: 0 reachable; 1 not reachable; 4 unknown; 64 wrong usage.
            """)

    @Argument(help: "A name, an address, either with :PORT, or a URL.")
    var host: String

    @Flag(help: "Resolve the name and connect, to TCP port 443 by default.")
    var connect = false

    @Flag(help: "Keep running, and show each change as it happens, until Ctrl-C.")
    var watch = false

    @Option(parsing: .unconditional, help: "The time limit of resolving and connecting together, in seconds.")
    var timeout = 10.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --connect and --watch, connect again at this interval; by default 30.", valueName: "seconds"))
    var interval: Double?

    @Flag(help: "Print JSON: one object, or one a line when it streams.")
    var json = false

    func validate() throws {
        guard timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout must be a number of seconds above 0, and at most 86400.")
        }
        if let interval {
            guard interval >= 0.1, interval <= 1e7 else {
                throw ValidationError("--interval must be a number of seconds from 0.1 to 10000000.")
            }
            guard connect, watch else { throw ValidationError("--interval needs --connect and --watch.") }
        }
        _ = try HostTarget(argument: host)
    }

    func run() async throws {
        Console.ignoreBrokenPipes()
        let host = HostReachability(try HostTarget(argument: host), connects: connect, timeout: .seconds(timeout))
        guard watch else {
            let name = Printable.text(host.target.description)
            let report = await ProgressLines.show(
                ["waiting for \(name), for up to \(Figures.duration(timeout))"], isQuiet: json || !connect
            ) { _ in await host.check() }
            let lines = HostDescription(report).lines(style).enumerated().map { number, line in
                Console.wrapped(line, indent: number == 0 ? 2 : 13)
            }
            try Console.answer { try print(report, lines: lines) }
            throw ExitStatus(report.state).exit
        }
        try await Signals.runInterruptible { try await follow(host) }
    }

    private func follow(_ host: HostReachability) async throws {
        if !json {
            Console.printError("Watching \(Printable.text(host.target.description)). Press Ctrl-C to stop.")
        }
        var last: HostReport?
        for await report in host.updates(checkingEvery: .seconds(interval ?? 30)) {
            let changes = last.map { report.changes(since: $0) }
            let line = ChangeLine.text(
                HostDescription(report).headline(style), changes: changes.map(HostDescription.changes), style)
            try print(report, lines: [line], changes: changes ?? [])
            last = report
        }
    }

    private func print(_ report: HostReport, lines: [String], changes: [String]? = nil) throws {
        if json {
            let report = HostReachabilityReport(
                time: TimeSource.system.moment.realtime, report: report, changes: changes)
            try Console.print(OneLineJSON.text(report))
        } else {
            for line in lines { try Console.print(line) }
        }
    }

    private var style: Style { Style() }
}

extension HostTarget {
    /// Parses a command's argument.
    ///
    /// - Throws: `ValidationError` for an invalid one.
    init(argument: String) throws {
        do throws(HostTargetError) {
            self = try HostTarget(argument)
        } catch {
            throw ValidationError(Printable.text(error.description))
        }
    }
}

extension ExitStatus {
    /// The exit status for a host's reachability.
    init(_ state: HostReport.State) {
        switch state {
        case .reachable: self = .online
        case .unreachable: self = .offline
        case .unknown: self = .unknown
        }
    }
}
