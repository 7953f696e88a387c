// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Foundation
import LibC

/// The program `dialtone-server`: the commands of `dialtone` that need the history or the server.
@main
struct ServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialtone", abstract: "Serve a dashboard of the connection, or show its history.",
        version: dialtoneBuild, subcommands: [ServeCommand.self, HistoryCommand.self])

    /// Runs the command with the arguments of the process.
    static func main() {
        let program = Bundle.main.executableURL?.path ?? "dialtone-server"
        if let problem = VersionCheck.problem(of: program) {
            Console.printError("dialtone: \(Printable.text(problem))")
            LibC.exit(ExitStatus.internalError.rawValue)
        }
        runProgram()
    }
}
