// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// `dialtone wait` and `dialtone run` on a terminal, with typed keys.
@Suite(.requires(.networkNamespaces), .requires(.terminals))
struct TerminalTests {
    private let lab: RoutedLab

    init() throws { lab = try RoutedLab() }

    private func start(_ arguments: [String], offline: Bool = false, environment: [String: String] = [:]) async throws
        -> TerminalRun
    {
        if !offline { try await lab.join() }
        return try await TerminalRun.start(.dialtone, arguments, in: lab.client, environment: environment)
    }

    /// Clears a terminal's line.
    private static let clear = "\r\u{1B}[K"

    @Test func `a wait is one line, cut at the edge, that is cleared at the end`() async throws {
        let run = try await start(["wait"], offline: true)
        let settings = run.settings
        try await run.wait(for: "waiting for a path: ")
        try await lab.join()
        #expect(try await run.exitStatus() == 0)
        #expect(!run.text.contains("\n"), "\(run.text.debugDescription)")
        #expect(run.text.hasPrefix("\(Self.clear)\u{1B}[?7lwaiting for a path: "))
        #expect(run.text.hasSuffix(Self.clear))
        // Wrapping is off only while the line is written.
        #expect(
            run.text.components(separatedBy: "\u{1B}[?7l").count == run.text.components(separatedBy: "\u{1B}[?7h").count
        )
        #expect(run.settings == settings)
    }

    @Test func `a terminal that supports only plain text gets lines`() async throws {
        let run = try await start(["wait"], offline: true, environment: ["TERM": "dumb"])
        try await run.wait(for: "dialtone: waiting for a path: ")
        try await lab.join()
        #expect(try await run.exitStatus() == 0)
        #expect(!run.text.contains("\u{1B}"))
    }

    @Test func `Ctrl-C during the wait ends it and leaves the line clean, and nothing is run`() async throws {
        let run = try await start(["run", "--", "echo", "ran"], offline: true)
        let settings = run.settings
        try await run.wait(for: "waiting for a path: ")
        run.type("\u{3}")
        #expect(try await run.exitStatus() == 128 + SIGINT)
        #expect(run.text.contains(Self.clear))
        #expect(!run.text.contains("ran"))
        #expect(run.settings == settings)
    }

    @Test func `Ctrl-C while the command runs reaches it once, and its status is passed on`() async throws {
        // A shell runs the traps of several signals by their numbers: that of SIGTERM is the last.
        let script = "trap 'echo got' INT; trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done"
        let run = try await start(["run", "--retry-on", "5", "--", "/bin/sh", "-c", script])
        try await run.wait(for: "ready")
        // It is stopped while the command handles the key: a shell runs its trap once for two signals that come together.
        kill(run.identifier, SIGSTOP)
        try await eventually { try Self.isStopped("\(run.identifier)") }
        run.type("\u{3}")
        try await run.wait(for: "got")
        kill(run.identifier, SIGCONT)
        kill(run.identifier, SIGTERM)
        #expect(try await run.exitStatus() == 5)
        #expect(run.text.components(separatedBy: "got").count == 2, "\(run.text)")
    }

    @Test func `Ctrl-C ends a command that does not handle it, with the status of a shell`() async throws {
        let run = try await start(["run", "--", "/bin/sh", "-c", "echo ready; exec sleep 600"])
        try await run.wait(for: "ready")
        run.type("\u{3}")
        #expect(try await run.exitStatus() == 128 + SIGINT)
    }

    @Test(arguments: [SIGINT, SIGQUIT]) func `a signal from another process is also passed on in the foreground`(
        number: Int32
    ) async throws {
        let script = "trap 'echo got; exit 5' \(number); echo ready; while :; do sleep 0.05; done"
        let run = try await start(["run", "--", "/bin/sh", "-c", script])
        try await run.wait(for: "ready")
        kill(run.identifier, number)
        #expect(try await run.exitStatus() == 5)
    }

    @Test func `the command has the terminal: it reads typed lines, also after a wait`() async throws {
        let run = try await start(
            ["run", "--", "/bin/sh", "-c", "read line; echo \"<$line>\"; stty -a | grep -c isig"], offline: true)
        try await run.wait(for: "waiting for a path: ")
        try await lab.join()
        try await run.wait(for: Self.clear, times: 2)
        run.type("hello\n")
        #expect(try await run.exitStatus() == 0)
        #expect(run.text.contains("<hello>"))
        #expect(run.foreground == run.identifier || run.foreground <= 0)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
    func `Ctrl-Z stops both, and the shell's fg continues both`() async throws {
        try await lab.join()
        let bash = CommandRun.Program(path: "/bin/bash")
        let run = try await TerminalRun.start(
            bash, ["--norc", "--noprofile", "-i"], in: lab.client, environment: ["PS1": "prompt> "])
        // Keys that arrive before the shell has configured the terminal are lost, so each line waits for the prompt.
        try await run.wait(for: "prompt> ")
        let script = "echo re''ady $$.; read line; echo \"<$line>\"; exit 7"
        let quoted = script.replacingOccurrences(of: "'", with: "'\\''")
        run.type("'\(CommandRun.Program.dialtone.path)' run -- /bin/sh -c '\(quoted)'; echo \"status=$?\"\n")
        let ready = try #require(try await run.wait(for: ".\r\n").firstMatch(of: /ready ([0-9]+)\./))
        run.type("\u{1A}")
        try await run.wait(for: "Stopped")
        // The shell knows only of the process that it started. A reader that has the signal, and has not run since,
        // still takes the next key: n_tty_read() looks for input first.
        try await eventually { try Self.isStopped(String(ready.1)) }
        try await run.wait(for: "prompt> ", times: 2)
        run.type("echo shell''lives\n")
        try await run.wait(for: "shelllives")
        try await run.wait(for: "prompt> ", times: 3)
        run.type("fg; echo \"then=$?\"\n")
        // The shell prints the command when it is typed, when it stops, and now.
        try await run.wait(for: "run -- /bin/sh", times: 3)
        run.type("hello\n")
        try await run.wait(for: "then=7")
        #expect(run.text.contains("<hello>"))
        run.type("exit\n")
        _ = try await run.exitStatus()
    }

    /// Whether a process is stopped by a signal: its state in /proc/PID/stat (proc_pid_stat(5)).
    private static func isStopped(_ process: String) throws -> Bool {
        try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).contains(") T ")
    }
}

/// Commands that show on a terminal what they wait for.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .requires(.terminals), .requires(.ownResolverFile))
struct ProgressLinesTests {
    /// Moves the cursor up one line or more, and clears the terminal from there.
    private static func removal(_ lines: Int) -> String { "\u{1B}[\(lines)A\r\u{1B}[J" }

    @Test func `doctor shows each hop as soon as it is known, and then the answer alone`() async throws {
        let lab = try await FaultLab(dualStack: false)
        try await lab.join()
        lab.play(.silence)
        let run = try await lab.served.runOnTerminal(["doctor", "--timeout", "6"])
        // The router answers at once, the name server not before the time limit.
        let early = try await run.wait(for: "  router     192.0.2.1 answers")
        #expect(early.contains("  machine    up0 (wired Ethernet), IPv4, DNS"))
        try await run.wait(for: "  waiting    for DNS servers, the Internet")
        try await run.wait(for: "  names      203.0.113.53 does not answer")
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 3)
        let waiting = try #require(run.text.range(of: "  waiting    for DNS servers, the Internet"))
        let silent = try #require(run.text.range(of: "203.0.113.53 does not answer"))
        #expect(waiting.upperBound < silent.lowerBound, "\(run.text.debugDescription)")
        let answer = try #require(run.text.components(separatedBy: "\u{1B}[J").last)
        // The terminal shows CR LF for each end of line.
        let lines = answer.components(separatedBy: "\r\n")
        #expect(lines.first?.contains("DNS servers do not answer (203.0.113.53).") == true, "\(answer)")
        #expect(answer.components(separatedBy: "router").count == 2)
        #expect(!answer.contains("waiting"))
    }

    @Test(arguments: [["check", "--timeout", "3"], ["host", "203.0.113.77:80", "--connect", "--timeout", "2"]])
    func `a wait is shown and removed`(command: [String]) async throws {
        let lab = try await FaultLab(.silent, dualStack: false)
        try await lab.join()
        let run = try await lab.served.runOnTerminal(command)
        let expected =
            command[0] == "check"
            ? "waiting for answers of Google, Apple, Cloudflare, GrapheneOS, Fedora, Ubuntu"
            : "waiting for 203.0.113.77:80, for up to 2 s"
        try await run.wait(for: expected)
        _ = try await run.exitStatus(timeout: .seconds(120))
        let parts = run.text.components(separatedBy: Self.removal(1))
        #expect(parts.count == 2, "\(run.text.debugDescription)")
        #expect(parts.first == "\u{1B}[?7l\(expected)\r\n\u{1B}[?7h")
        #expect(parts.last?.contains(expected) == false)
    }

    @Test(
        arguments: [
            (["--json"], [:]), ([], ["TERM": "dumb"]),
        ] as [([String], [String: String])])
    func `nothing is shown with JSON or on a terminal that cannot remove it`(
        options: [String], environment: [String: String]
    ) async throws {
        let lab = try await FaultLab(.silent, dualStack: false)
        try await lab.join()
        let commands = [["doctor"], ["check"], ["host", "192.0.2.77:9", "--connect"]]
        for command in commands {
            let run = try await lab.served.runOnTerminal(
                command + ["--timeout", "1"] + options, environment: environment)
            _ = try await run.exitStatus(timeout: .seconds(120))
            #expect(!run.text.contains("\u{1B}"), "\(run.text.debugDescription)")
        }
    }
}
