// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone

/// The form of the output: `--json` and `--passive`.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object, or one a line when it streams.")
    var json = false

    @Flag(.passive) var passive: Bool?

    var values: SettingValues { SettingValues(flags: [.passive: passive]) }
}

/// The form of a report that is printed once: `--json` and `--redact`.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object.")
    var json = false

    @Flag(help: "Replace addresses and names by numbered ones, so that others may see the output.")
    var redact = false

    /// Prints a report.
    ///
    /// - Parameter names: other names in it.
    func print(_ text: String, of facts: Facts, and names: [String] = []) throws {
        var redaction = redact ? Redaction(facts, and: names) : nil
        try Console.print(redaction?(text) ?? text)
    }

    /// A report of a headline and lines, each with its indent, wrapped for the terminal.
    func lines(_ headline: String, _ lines: [(text: String, indent: Int)]) -> String {
        ([(headline, 2)] + lines).map { Console.wrapped($0, indent: $1) }.joined(separator: "\n")
    }
}
