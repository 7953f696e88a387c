//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// The command `dialtone`, which by itself is `dialtone status`.
@main
struct DialtoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialtone",
        abstract: "Is the line alive, over what, and if not, why?",
        discussion: """
            Exit status: 0 online, or with --passive there is a path; 1 offline; 2 captive portal; \
            3 limited; 4 unknown; 64 wrong usage; 70 internal error; 124 timed out. \
            `run` ends as its command does, or with 126 or 127 when that cannot be run.
            """,
        version: "0.1.0",
        subcommands: [
            StatusCommand.self, WatchCommand.self, HostCommand.self, CheckCommand.self, WaitCommand.self,
            RunCommand.self, DoctorCommand.self, ServeCommand.self, HistoryCommand.self,
        ],
        defaultSubcommand: StatusCommand.self)

    /// Runs the command with the arguments of the process, on the main actor.
    ///
    /// Swift's pool of threads, once it is used, wakes every second for good (libdispatch watches over its threads), and a
    /// command that waits for days must cost nothing.
    @MainActor
    static func main() async {
        do {
            var command = try parseAsRoot(EndpointArguments.numbered(Array(CommandLine.arguments.dropFirst())))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }
}
