// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dialtone

/// Wrong usage in one form: `dialtone: WHAT: WHY`, and a line with what to do.
struct UsageError {
    /// The problem, without a full stop.
    let message: String
    /// An action for the caller.
    let hint: String

    /// Explains an error of the parser, or of a command's validation.
    init(_ message: String, _ arguments: [String], of root: any ParsableCommand.Type) {
        let commands = Self.commands(of: root)
        let command = arguments.first { commands.contains($0) }
        hint = "See 'dialtone \(command.map { "\($0) " } ?? "")--help'."
        if let unknown = Self.unknownCommand(arguments, of: root) {
            let meant = Spelling.nearest(to: unknown, in: commands).map { "did you mean '\($0)'?" }
            self.message =
                "unknown command '\(unknown)': " + (meant ?? "the commands are \(commands.joined(separator: ", "))")
        } else {
            self.message = Self.sentence(message)
        }
    }

    /// The lines for standard error.
    var text: String { "dialtone: \(Printable.text(message))\n\(Printable.text(hint))" }

    /// The name of an unknown command, which the parser would treat as an argument of the default command.
    static func unknownCommand(_ arguments: [String], of root: any ParsableCommand.Type) -> String? {
        let word = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
        guard let word, !word.hasPrefix("-"), word != "help", !commands(of: root).contains(word) else { return nil }
        return word
    }

    private static func commands(of root: any ParsableCommand.Type) -> [String] {
        root.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// The text as the continuation of a line: with a lower-case first letter, unless it starts with a name, and
    /// without a full stop.
    private static func sentence(_ text: String) -> String {
        let line = text.split(separator: "\n").first.map(String.init) ?? text
        let isName = line.dropFirst().first?.isUppercase ?? false
        let begun = isName ? line : line.prefix(1).lowercased() + line.dropFirst()
        return begun.withoutFullStop
    }
}
