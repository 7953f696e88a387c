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
        let answer =
            if settings.isPassive {
                await StatusAnswer.glance(try interfaces.filter())
            } else {
                StatusAnswer(connectivity: try await verify(settings), isPassive: false)
            }
        try answer.print(asJSON: output.json)
        throw answer.exitStatus.exit
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
}
