// SPDX-License-Identifier: Apache-2.0

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

    /// Prints the answer.
    ///
    /// - Returns: the exit status; nil if a setting is invalid, which the parsed command then reports.
    func run() async -> ExitStatus? {
        Console.ignoreBrokenPipes()
        do throws(SettingsError) {
            try Settings(options: [:], file: nil).applyCosts()
        } catch {
            return nil
        }
        let answer = await StatusAnswer.glance()
        do {
            try answer.print(asJSON: isJSON)
        } catch {
            Console.printError("dialtone: \(error)")
            return .internalError
        }
        return answer.exitStatus
    }
}
