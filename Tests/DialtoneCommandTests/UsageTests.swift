// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The messages for wrong usage have one form, and no usage page after them.
struct UsageTests {
    @Test(arguments: [
        (["statsu"], "dialtone: unknown command 'statsu': did you mean 'status'?", "See 'dialtone --help'."),
        (["help", "dcotor"], "dialtone: unknown command 'dcotor': did you mean 'doctor'?", "See 'dialtone --help'."),
        (["check", "--bogus"], "dialtone: unknown option '--bogus'", "See 'dialtone check --help'."),
        (["check", "--quorum", "200%"], "dialtone: --quorum: '200%' must be above 0 % and at most 100 %", nil),
        (["check", "--endpoint", "foo"], "dialtone: --endpoint: 'foo' must be an http or https URL", nil),
        (
            ["wait", "--timeout", "-1"], "dialtone: the value '-1' is invalid for '--timeout <seconds>'",
            "See 'dialtone wait --help'."
        ),
        (
            ["history", "--since", "last week"],
            "dialtone: the value 'last week' is invalid for '--since <when>': it must be a duration ago "
                + "(90s, 15m, 2h, 7d, 2w), a day (2026-11-20, today, yesterday) or an ISO 8601 time",
            "See 'dialtone history --help'."
        ),
        (["host", "a b"], "dialtone: a host name cannot contain a space: 'a b'", "See 'dialtone host --help'."),
    ])
    func `wrong usage is one line, and a parser's error also refers to the help`(
        arguments: [String], message: String, hint: String?
    ) async throws {
        let run = try CommandRun(.dialtone, arguments)
        #expect(try await run.exitStatus() == 64)
        #expect(run.errors.values == [message, hint].compactMap(\.self))
        #expect(run.output.values.isEmpty)
    }

    @Test func `the help names the options of the default command`() async throws {
        let run = try CommandRun(.dialtone, ["--help"])
        #expect(try await run.exitStatus() == 0)
        let text = run.output.values.joined(separator: "\n")
        for option in ["`dialtone --json`", "`dialtone --passive`"] { #expect(text.contains(option)) }
    }

    @Test func `an unknown command unlike any other gets the list of commands`() async throws {
        let run = try CommandRun(.dialtone, ["help", "nosuch"])
        #expect(try await run.exitStatus() == 64)
        #expect(
            run.errors.values.first?.hasPrefix("dialtone: unknown command 'nosuch': the commands are status, watch, ")
                == true)
    }
}
