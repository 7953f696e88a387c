//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// `dialtone status --passive`, with or without `--json`, and nothing else: what prompts and scripts ask all day.
///
/// It gives the same answer without the parser of arguments, which finds out by reflection what each option is, and takes longer
/// for that than everything else together.
struct Glance {
    private let isJSON: Bool

    /// Nil unless the arguments are just these.
    init?(_ arguments: [String]) {
        let flags = arguments.first == "status" ? arguments.dropFirst() : arguments[...]
        guard flags.contains("--passive"), flags.allSatisfy({ ["--passive", "--json"].contains($0) }) else {
            return nil
        }
        isJSON = flags.contains("--json")
    }

    /// Prints the answer.
    ///
    /// - Returns: the status to end with; nil when a setting cannot be, which the command is to explain.
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
            Console.explain("dialtone: \(error)")
            return .internalError
        }
        return answer.exitStatus
    }
}
