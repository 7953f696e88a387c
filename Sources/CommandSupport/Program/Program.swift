// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import CBuild
import Dispatch
import LibC
import SystemSupport

/// A program of this package, by its root command.
extension ParsableCommand {
    /// Runs the command that the arguments name, and ends the process with its status.
    ///
    /// A command that is not asynchronous runs on the main thread, before any other thread exists.
    package static func runProgram() -> Never {
        // Swift reads the arguments from /proc, and without it finds none, not even the program's name. Without them the
        // command must not run, because one of them may have been `--passive`.
        guard !CommandLine.arguments.isEmpty else {
            Console.printError("dialtone: the arguments cannot be read, because /proc is not mounted here")
            LibC.exit(ExitStatus.internalError.rawValue)
        }
        do {
            let arguments = programArguments
            if UsageError.unknownCommand(arguments, of: self) != nil { throw ValidationError("") }
            // One thread uses it: the main thread runs it, or leaves it to the task for good.
            nonisolated(unsafe) var command = try parseAsRoot(arguments)
            if unsafe command is any AsyncParsableCommand {
                start {
                    if var command = unsafe command as? any AsyncParsableCommand { try await command.run() }
                }
            }
            try unsafe command.run()
        } catch {
            end(error)
        }
        LibC.exit(0)
    }

    /// Runs a command as a task, and ends the process with its status; called on the main thread.
    package static func start(_ run: @escaping @Sendable @concurrent () async throws -> Void) -> Never {
        startCommandTask {
            do { try await run() } catch { end(error) }
            LibC.exit(0)
        }
        dispatchMain()
    }

    /// The arguments of the process, without the program's name.
    package static var programArguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    /// Reports an error, and ends the process with its status.
    private static func end(_ error: any Error) -> Never {
        switch error {
        case let status as ExitCode:
            // The parser would write the help first, and then not print it: 3.7 million instructions, as many as the path takes.
            LibC.exit(status.rawValue)
        case let error as SettingsError:
            Console.printError("dialtone: \(error)")
            LibC.exit(ExitStatus.usage.rawValue)
        case _ where exitCode(for: error) == .failure:
            // Neither an answer nor wrong usage; status 1 would mean offline.
            Console.printError("dialtone: \(Printable.text("\(error)"))")
            LibC.exit(ExitStatus.internalError.rawValue)
        case _ where exitCode(for: error) == .validationFailure:
            Console.printError(UsageError(message(for: error), programArguments, of: self).text)
            LibC.exit(ExitStatus.usage.rawValue)
        default: exit(withError: error)
        }
    }
}

/// The version of this package, which both of its programs print.
package let dialtoneVersion = "1.0.0-rc.1"

/// The version with the commit that the program was built from, such as `1.0.0 (722a2e2)`.
///
/// `make release` passes the commit to the build; other builds do not know it, and have the version alone.
package let dialtoneBuild = commit.map { "\(dialtoneVersion) (\($0))" } ?? dialtoneVersion

private let commit = unsafe CBuild_commit().map { unsafe String(cString: $0) }

/// The check that `dialtone` and the `dialtone-server` that it starts are of one version: they share the table of
/// settings, and `dialtone` writes the help and the usage errors for both.
///
/// An environment variable passes the version, so that the arguments stay the user's. Both functions must run on the main
/// thread, before any other thread exists, because they change the environment.
package enum VersionCheck {
    private static let variable = "DIALTONE_STARTED_BY_VERSION"

    /// Passes the version of this program to the program that replaces it.
    package static func announce() { unsafe setenv(variable, dialtoneBuild, 1) }

    /// Removes the announced version from the environment, and compares it; a program that was not started by `dialtone`
    /// has none.
    ///
    /// - Returns: the error message if the versions differ.
    package static func problem(of program: String) -> String? {
        guard let caller = ProcessEnvironment.value(variable) else { return nil }
        unsafe unsetenv(variable)
        guard caller != dialtoneBuild else { return nil }
        return "\(program) is version \(dialtoneBuild), but dialtone is version \(caller):"
            + " install both from the same release"
    }
}
