// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import SystemSupport

/// `dialtone watch`: the current connectivity, and each change as it happens.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show each change as it happens, until Ctrl-C.")

    @OptionGroup var interfaces: InterfaceOptions
    @OptionGroup var options: CheckOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var files: SettingsOptions

    @Option(.interval) var interval: String?

    private func values() throws -> SettingValues {
        try options.values().merging(output.values) { $1 }.merging(SettingValues(texts: [.interval: interval])) { $1 }
    }

    func run() async throws {
        Console.ignoreBrokenPipes()
        let settings = try files.settings(with: values())
        let monitor = try monitor(settings)
        try await InterruptHandler.run { try await watch(monitor, isPassive: settings.isPassive) }
    }

    private func monitor(_ settings: Settings) throws -> ConnectivityMonitor {
        let filter = try interfaces.filter()
        do {
            let checker = InterfaceBoundCheck(settings.check(), isBound: !interfaces.isEmpty)
            return try ConnectivityMonitor(
                settings.monitoring, paths: SystemPathSource(filter), checker: settings.isPassive ? nil : checker)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    private func watch(_ monitor: ConnectivityMonitor, isPassive: Bool) async throws {
        // Not on standard output, which contains only states.
        if !output.json { Console.printError(header(isPassive: isPassive)) }
        var isFirst = true
        for await connectivity in monitor.updates(.everyTransition) {
            try print(connectivity, isFirst: isFirst, isPassive: isPassive)
            isFirst = false
        }
    }

    private func print(_ connectivity: Connectivity, isFirst: Bool, isPassive: Bool) throws {
        if output.json {
            try Console.print(StatusReport(connectivity, at: .now, isStream: true).json())
            return
        }
        let headline = CheckDescription.headline(connectivity, isPassive: isPassive)
        let line = style.state(PathDescription.line(headline, connectivity.path), connectivity.state)
        let changes = isFirst ? nil : PathDescription.changes(connectivity.changes.map(\.rawValue))
        try Console.print(ChangeLine.text(line, changes: changes, style))
    }

    private var style: Style { Style(isColored: Console.wantsColor) }

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
