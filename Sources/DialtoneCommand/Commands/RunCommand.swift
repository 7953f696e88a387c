// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import LibC

/// `dialtone run`: runs a command once there is a path, the Internet or a host, and again if it fails without that.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a command once there is a path, the Internet or a host, and again if it fails without that.",
        usage: "dialtone run [<options>] -- <command> ...",
        discussion: """
            By default it waits for a path and sends nothing: a network without Internet, such as an intranet or one with \
            a login page, has a path too. --for internet waits until requests to the Internet are answered.

            The command runs without a shell, with this command's input, output and terminal, and its exit status \
            becomes this command's; 128 plus the number if a signal ended it; 126 or 127 if it cannot be run; 124 if \
            the deadline passes before it could be run, or run again. Signals are passed on to it, and end the waits.
            """)

    @OptionGroup var options: WaitOptions

    @Option(
        name: .customLong("retry-on"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Run it again if it exits with one of these statuses, connected or not.", valueName: "status,…"))
    var retryStatuses: [StatusList] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("Run it at most this many times.", valueName: "number"))
    var maxAttempts: Int = 10

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Start it within this time, or not at all.", valueName: "seconds"))
    var deadline: Seconds?

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, after two hyphens.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("The command is missing: dialtone run [options] -- COMMAND …") }
        if maxAttempts < 1 { throw ValidationError("--max-attempts must be at least 1.") }
    }

    func run() async throws {
        ChildProcess.keepChildStatus()
        let ignoresBrokenPipes = Console.ignoreBrokenPipes()
        let target = try options.target()
        let line = WaitingLine(target: target, isQuiet: options.quiet)
        let place = try WaitContext(options, within: deadline?.duration)
        let policy = WaitingPolicy(
            target, deadline: deadline?.duration, maximumAttempts: maxAttempts,
            backoff: .ofCommands(within: deadline?.duration))
        let runner = CommandRunner(
            command: command, retryStatuses: Set(retryStatuses.flatMap(\.statuses)), policy: policy, place: place,
            line: line, restored: ignoresBrokenPipes ? [] : [SIGPIPE])
        let end = await runner.run()
        switch end {
        case .status(let status): throw ExitCode(status)
        case .signal(let number): Signals.endProcess(by: number)
        }
    }
}

/// Exit statuses, as the user types them: numbers from 1 to 255, separated by commas.
struct StatusList: ExpressibleByArgument {
    let statuses: [Int32]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        statuses = parts.compactMap { Int32($0) }
        guard statuses.count == parts.count, statuses.allSatisfy({ (1...255).contains($0) }) else { return nil }
    }
}
