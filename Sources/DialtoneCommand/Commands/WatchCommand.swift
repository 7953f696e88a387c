// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import SystemSupport

/// `dialtone watch`: the current connectivity, and each change as it happens.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show each change as it happens, until Ctrl-C.",
        discussion: """
            --exec runs a command line with /bin/sh at first and whenever the state, the interface or the login page changes: one \
            at a time, without input, its output on standard error, for at most --hook-timeout. DIALTONE_STATE, \
            DIALTONE_PREVIOUS_STATE, DIALTONE_REASON, DIALTONE_CAUSE, DIALTONE_FAULT, DIALTONE_INTERFACE and DIALTONE_PORTAL \
            describe the change, and DIALTONE_MESSAGE says it in one sentence.
            """)

    @OptionGroup var interfaces: InterfaceOptions
    @OptionGroup var options: CheckOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var files: SettingsOptions

    @Flag(help: "Also show what has changed, and the time in which a new network is checked.")
    var verbose = false

    @Option(.interval) var interval: String?
    @Option(.heartbeat) var heartbeat: String?

    @Option(
        name: .customLong("exec"), parsing: .unconditional,
        help: ArgumentHelp("Run this command line at each transition.", valueName: "command"))
    var command: String?

    @Option(.hookTimeout) var hookTimeout: String?

    private var values: SettingValues {
        let own = SettingValues(texts: [.interval: interval, .heartbeat: heartbeat, .hookTimeout: hookTimeout])
        return options.values.merging(output.values) { $1 }.merging(own) { $1 }
    }

    func run() async throws {
        Console.ignoreBrokenPipes()
        let settings = try files.settings(with: values)
        let monitor = try monitor(settings)
        let hooks = command.map { command in
            HookRunner(.shell(command), timeLimit: settings.hookTimeout ?? HookRunner.standardTimeLimit) { report in
                guard report.result != .succeeded else { return }
                Console.printError(Printable.text("dialtone: \(report.command): \(report.detail)"))
            }
        }
        defer { hooks?.stop() }
        try await Signals.runInterruptible {
            hooks?.stop()
        } _: {
            try await watch(monitor, isPassive: settings.isPassive, hooks)
        }
    }

    private func monitor(_ settings: Settings) throws -> ConnectivityMonitor {
        let filter = try interfaces.filter()
        var monitoring = settings.monitoring()
        if settings.isPassive { monitoring.firstValueBound = ConnectivityMonitor.pathPatience }
        do {
            var check = settings.check()
            check.isBoundToPath = !interfaces.isEmpty
            return try ConnectivityMonitor(
                monitoring, paths: SystemPathSource(filter), checker: settings.isPassive ? nil : check)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    private func watch(_ monitor: ConnectivityMonitor, isPassive: Bool, _ hooks: HookRunner?) async throws {
        // Not on standard output, which contains only states.
        if !output.json { Console.printError(header(isPassive: isPassive)) }
        let transitions = TransitionReader(isPassive: isPassive)
        var lines = WatchLines(isPassive: isPassive, isVerbose: verbose, style: Style())
        var isPending = false
        for await connectivity in monitor.updates(.everyTransition) {
            if let transition = transitions.next(connectivity) { hooks?.submit(transition) }
            if output.json {
                let time = TimeSource.system.moment.realtime
                try Console.print(OneLineJSON.text(StatusReport(connectivity, at: time, isStream: true)))
            } else {
                try print(lines.next(connectivity), &isPending)
            }
        }
    }

    /// Prints a line.
    ///
    /// - Parameter isPending: whether the terminal shows a line that the next one replaces.
    private func print(_ line: WatchLines.Line?, _ isPending: inout Bool) throws {
        if isPending, line != nil { StatusTerminal.write("\r\u{1B}[K") }
        switch line {
        case .pending(let text):
            isPending = StatusTerminal.isAvailable
            if isPending { StatusTerminal.write(StatusTerminal.unwrapped(text)) }
        case .change(let headline, let changes):
            isPending = false
            try Console.print(ChangeLine.text(headline, changes: changes, Style()))
        case nil: break
        }
    }

    private func header(isPassive: Bool) -> String {
        let what =
            if let only = interfaces.interface {
                "over \(Printable.text(only)) only"
            } else if !interfaces.prohibited.isEmpty {
                "over all interfaces except \(interfaces.prohibited.map(\.rawValue).joined(separator: ", "))"
            } else {
                "over every interface"
            }
        return "Watching the \(isPassive ? "path" : "connection") of this machine \(what). Press Ctrl-C to stop."
    }
}
