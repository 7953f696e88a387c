// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport

/// Handles `dialtone status --passive`, with or without `--json`, which prompts and scripts run often.
///
/// It prints the same answer without the argument parser, which uses reflection to find the options, and takes longer
/// than everything else together.
struct PassiveStatus {
    private let isJSON: Bool

    /// Returns nil for any other arguments.
    init?(_ arguments: [String]) {
        let flags = arguments.first == "status" ? arguments.dropFirst() : arguments[...]
        guard flags.contains("--passive"), flags.allSatisfy({ ["--passive", "--json"].contains($0) }) else {
            return nil
        }
        isJSON = flags.contains("--json")
    }

    /// Prints the answer, and throws its exit status.
    func run() async throws {
        Console.ignoreBrokenPipes()
        try SettingsReader().read().applyCosts()
        let answer = await StatusAnswer.glance()
        try answer.print(asJSON: isJSON)
        throw answer.exitStatus.exit
    }
}
