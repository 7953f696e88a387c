// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport

/// `dialtone serve`, which `dialtone-server` runs.
///
/// It is parsed here too, for the help, the completions and the errors of `dialtone`.
struct ForwardedServe: ParsableCommand {
    static let configuration = ServeOptions.command

    @OptionGroup var options: ServeOptions

    func run() throws { try ServerProgram.run() }
}

/// `dialtone history`, which `dialtone-server` runs.
struct ForwardedHistory: ParsableCommand {
    static let configuration = HistoryOptions.command

    @OptionGroup var options: HistoryOptions

    func run() throws { try ServerProgram.run() }
}
