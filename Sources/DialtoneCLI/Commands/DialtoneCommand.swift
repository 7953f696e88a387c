// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch

/// The command `dialtone`, which without a subcommand is `dialtone status`.
@main
struct DialtoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialtone",
        abstract: "Is this machine online, over which interface, is it really the Internet, and if not, why?",
        discussion: """
            Exit status: 0 online, or with --passive there is a path; 1 offline; 2 captive portal; \
            3 limited; 4 unknown; 64 wrong usage; 70 internal error; 124 timed out. \
            `run` exits with its command's status, or with 126 or 127 if that cannot be run. \
            Completions: `dialtone --generate-completion-script bash|zsh|fish`.
            """,
        version: "0.1.0",
        subcommands: [
            StatusCommand.self, WatchCommand.self, HostCommand.self, CheckCommand.self, WaitCommand.self,
            RunCommand.self, DoctorCommand.self, ServeCommand.self, HistoryCommand.self,
        ],
        defaultSubcommand: StatusCommand.self)

    /// Runs the command with the arguments of the process.
    static func main() {
        Task(executorPreference: CommandExecutor.shared) { await run() }
        dispatchMain()
    }

    /// Runs the command, and ends the process with its status.
    private nonisolated static func run() async -> Never {
        // Swift reads the arguments from /proc, and without it finds none, not even the program's name. Without them the
        // command must not run, because one of them may have been `--passive`.
        guard !CommandLine.arguments.isEmpty else {
            Console.printError("dialtone: the arguments cannot be read, because /proc is not mounted here")
            exit(withError: ExitStatus.internalError.exit)
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if UsageError.unknownCommand(arguments) != nil {
            Console.printError(UsageError("", arguments).text)
            exit(withError: ExitStatus.usage.exit)
        }
        if let status = await PassiveStatus(arguments)?.run() { exit(withError: status.exit) }
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as SettingsError {
            Console.printError("dialtone: \(error)")
            exit(withError: ExitStatus.usage.exit)
        } catch let error where exitCode(for: error) == .failure && !(error is ExitCode) {
            // Neither an answer nor wrong usage; status 1 would mean offline.
            Console.printError("dialtone: \(Printable.text("\(error)"))")
            exit(withError: ExitStatus.internalError.exit)
        } catch let error where exitCode(for: error) == .validationFailure {
            Console.printError(UsageError(message(for: error), arguments).text)
            exit(withError: ExitStatus.usage.exit)
        } catch {
            exit(withError: error)
        }
        exit()
    }
}
