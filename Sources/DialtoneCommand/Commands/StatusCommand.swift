// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import SystemSupport

/// `dialtone status`: the current connectivity.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether this machine is online, over which interface, and if not, why.")

    @OptionGroup var interfaces: InterfaceOptions
    @OptionGroup var options: CheckOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var files: SettingsOptions

    func run() async throws {
        Console.ignoreBrokenPipes()
        let settings = try files.settings(with: options.values.merging(output.values) { $1 })
        let answer =
            if settings.isPassive {
                await StatusAnswer.glance(try interfaces.filter())
            } else {
                StatusAnswer(connectivity: try await verify(settings), isPassive: false)
            }
        try answer.print(asJSON: output.json)
        throw answer.exitStatus.exit
    }

    /// The result of a check of the Internet; without a path, the state of the path.
    private func verify(_ settings: Settings) async throws -> Connectivity {
        let path = try await interfaces.filter().currentPath()
        // A check would dial.
        guard path.status != .requiresConnection else {
            return Connectivity(path, at: TimeSource.system.moment.realtime)
        }
        var check = settings.check(within: Self.bound)
        check.isBoundToPath = !interfaces.isEmpty
        let report = await ProgressLines.show([check.waitingLine], isQuiet: output.json) { [check] _ in
            await check.check(over: path)
        }
        // A check that sent nothing has no evidence.
        return Connectivity(
            path, checkedBy: report, at: TimeSource.system.moment.realtime, showing: report.diagnosis == nil)
    }

    /// The time limit of the check: by then, silence proves something unless the connection is slow.
    private static let bound = Duration.seconds(6)
}
