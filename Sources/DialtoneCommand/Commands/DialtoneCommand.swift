// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport

/// The command `dialtone`, which without a subcommand is `dialtone status`.
@main
struct DialtoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialtone",
        abstract: "Is this machine online, over which interface, is it really the Internet, and if not, why?",
        discussion: """
            Without a subcommand it is `dialtone status`, whose options `dialtone status --help` lists: `dialtone --json` prints \
            JSON, and `dialtone --passive` sends no packet.

            Exit status: 0 online, or with --passive there is a path; 1 offline; 2 captive portal; \
            3 no Internet, or limited; 4 unknown or not verified; 64 wrong usage; 70 internal error; 124 timed out. \
            `run` exits with its command's status, or with 126 or 127 if that does not start. \
            Completions: `dialtone --generate-completion-script bash|zsh|fish`.
            """,
        version: dialtoneBuild,
        subcommands: [
            StatusCommand.self, WatchCommand.self, HostCommand.self, CheckCommand.self, WaitCommand.self,
            RunCommand.self, DoctorCommand.self, ForwardedServe.self, ForwardedHistory.self,
        ],
        defaultSubcommand: StatusCommand.self)

    /// Runs the command with the arguments of the process.
    static func main() {
        if let status = PassiveStatus(programArguments) { start(status.run) }
        runProgram()
    }
}
