//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Dialtone
import FoundationEssentials

/// `dialtone status`: the answer at this moment.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say whether the line is alive, over what, and if not, why.")

    @OptionGroup var interfaces: InterfaceOptions
    @OptionGroup var options: CheckOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var files: SettingsOptions

    func run() async throws {
        Console.ignoreBrokenPipes()
        let settings = try files.settings(with: options.values().merging(output.values) { $1 })
        let connectivity = settings.isPassive ? try await glance() : try await verify(settings)
        // A reader that has gone away does not change the answer.
        try? print(connectivity, isPassive: settings.isPassive)
        throw ExitStatus(connectivity.state, isPassive: settings.isPassive).exit
    }

    /// What the path alone says.
    private func glance() async throws -> Connectivity {
        let path = await NetworkPath.current(try interfaces.filter())
        return Connectivity(state: ConnectivityState(path), path: path, since: .now)
    }

    /// What a check of the Internet says, or that there is no path for one.
    private func verify(_ settings: Settings) async throws -> Connectivity {
        var configuration = ConnectivityMonitor.Configuration()
        configuration.polling = .never
        let monitor = try MonitorMaking(interfaces: interfaces, settings: settings)
            .monitor(configuration, checkingWithin: Self.bound)
        for await connectivity in monitor.updates() where connectivity.path.limitation != .notLookedAt {
            return connectivity
        }
        Console.explain("dialtone: no answer within \(monitor.configuration.firstValueBound)")
        throw ExitStatus.unknown.exit
    }

    /// So that the answer comes within three seconds.
    private static let bound = Duration.milliseconds(2800)

    private func print(_ connectivity: Connectivity, isPassive: Bool) throws {
        if output.json {
            try Console.print(StatusReport(connectivity, at: .now).json())
            return
        }
        let style = Style(isColored: Console.wantsColor)
        let headline = EvidenceWords.headline(connectivity, isPassive: isPassive)
        try Console.print(style.state(headline, connectivity.state))
        for (name, value) in details(connectivity.path) {
            try Console.print("  " + style.quiet(name.padding(to: 10)) + value)
        }
    }

    private func details(_ path: NetworkPath) -> [(String, String)] {
        guard path.status == .satisfied else {
            if case .polling(let text) = path.limitation { return [("note", text)] }
            return []
        }
        var details = [("carries", PlainWords.facts(path).joined(separator: ", "))]
        if !path.gateways.isEmpty {
            details.append(("gateway", path.gateways.map(Printable.text).joined(separator: ", ")))
        }
        let others = path.interfaces.dropFirst().map { "\(Printable.text($0.name)) (\(PlainWords.kind($0.type)))" }
        if !others.isEmpty { details.append(("also", others.joined(separator: ", "))) }
        if case .polling(let text) = path.limitation { details.append(("note", text)) }
        return details
    }
}

extension String {
    /// The text, filled up with spaces to a width.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
