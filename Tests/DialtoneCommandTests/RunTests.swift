// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

/// `dialtone run`, run as a user runs it.
@Suite(.requires(.networkNamespaces))
struct RunTests {
    // Held until the test ends, because a network disappears with its router.
    private let lab: RoutedLab

    init() throws { lab = try RoutedLab() }

    private func run(_ arguments: [String], offline: Bool = false) async throws -> CommandRun {
        if !offline { try await lab.join() }
        return try await CommandRun.start(.dialtone, ["run"] + arguments, in: lab.client)
    }

    @Test(arguments: [0, 1, 7, 42, 255] as [Int32]) func `the command's status is passed on`(status: Int32) async throws
    {
        let run = try await run(["--", "/bin/sh", "-c", "echo out; echo err >&2; exit \(status)"])
        #expect(try await run.exitStatus() == status)
        #expect(run.output.values == ["out"])
        #expect(run.errors.values == ["err"])
    }

    @Test func `the command gets its arguments unchanged, without a shell`() async throws {
        let run = try await run(["--", "printf", "%s|", "a b", "$HOME", "*", "", "--for", "--"])
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["a b|$HOME|*||--for|--|"])
    }

    @Test(
        arguments: [
            (["/nonexistent/command"], 127), (["no-such-command-anywhere"], 127), ([""], 127), (["/etc/passwd"], 126),
            (["/"], 126), (["/etc/passwd/x"], 127),
        ] as [([String], Int32)])
    func `a command that cannot be run has the status of a shell`(command: [String], status: Int32) async throws {
        let run = try await run(["--"] + command)
        #expect(try await run.exitStatus() == status)
        #expect(run.errors.values.count == 1)
        #expect(run.errors.values.first?.hasPrefix("dialtone: ") == true)
    }

    @Test func `without a network it waits, and then runs once`() async throws {
        let run = try await run(["--", "echo", "ran"], offline: true)
        _ = try await run.errors.next { $0.hasPrefix("dialtone: waiting for a path: ") }
        #expect(run.output.values.isEmpty)
        try await lab.join()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["ran"])
    }

    @Test func `a deadline ends the wait with 124`() async throws {
        let run = try await run(["--deadline", "0.2", "--", "echo", "ran"], offline: true)
        #expect(try await run.exitStatus() == 124)
        #expect(run.output.values.isEmpty)
    }

    @Test func `curl over a pulled link fails, waits, and succeeds`() async throws {
        let server = try TestServer(in: lab.internet) { request in
            request.path == "/first" ? .hold : .respond(status: 200, body: "hello")
        }
        // The first attempt loses its answer, like a download when the cable is pulled; the second starts over.
        let script = """
            if [ -e "$1" ]; then exec curl -sS http://203.0.113.1/again; fi
            : > "$1"; exec curl -sS --max-time 6 http://203.0.113.1/first
            """
        let mark = FileManager.default.temporaryDirectory.appendingPathComponent("dialtone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: mark) }
        let run = try await run(["--", "/bin/sh", "-c", script, "sh", mark.path])
        _ = try await server.requests.next { $0.path == "/first" }
        try await lab.setCable(connected: false)
        _ = try await run.errors.next { $0.hasPrefix("dialtone: waiting for a path: ") }
        try await lab.setCable(connected: true)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["hello"])
        #expect(server.requests.values.map(\.path) == ["/first", "/again"])
        server.release()
    }

    @Test func `the statuses of --retry-on are retried while online, up to the attempts`() async throws {
        let run = try await run(
            ["--retry-on", "3,4", "--max-attempts", "2", "--", "/bin/sh", "-c", "echo ran; exit 4"])
        #expect(try await run.exitStatus() == 4)
        #expect(run.output.values == ["ran", "ran"])
    }

    @Test func `other failures while online are not retried`() async throws {
        let run = try await run(["--retry-on", "3", "--", "/bin/sh", "-c", "echo ran; exit 4"])
        #expect(try await run.exitStatus() == 4)
        #expect(run.output.values == ["ran"])
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGQUIT])
    func `signals are passed on, and a command that ends by one is not started again`(number: Int32) async throws {
        let script = "trap 'echo got; exit 5' \(number); echo ready; while :; do sleep 0.05; done"
        let run = try await run(["--retry-on", "5", "--", "/bin/sh", "-c", script])
        _ = try await run.output.next { $0 == "ready" }
        kill(run.identifier, number)
        #expect(try await run.exitStatus() == 5)
        #expect(run.output.values == ["ready", "got"])
    }

    @Test func `a command that a signal ends is reported as in shells`() async throws {
        let run = try await run(["--", "/bin/sh", "-c", "kill -KILL $$"])
        #expect(try await run.exitStatus() == 137)
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `a signal during the wait ends it, and nothing is run`(number: Int32)
        async throws
    {
        let run = try await run(["--", "echo", "ran"], offline: true)
        _ = try await run.errors.next()
        kill(run.identifier, number)
        #expect(try await run.exitStatus() == 128 + number)
        #expect(run.output.values.isEmpty)
    }

    @Test func `the command has the signals of a command that was started from a shell`() async throws {
        let script = "grep -E 'SigBlk|SigIgn' /proc/self/status | tr -d '\\n\\t'"
        let run = try await run(["--", "/bin/sh", "-c", script])
        #expect(try await run.exitStatus() == 0)
        // The C library reserves 32 and 33, and ignores them in every program that it starts.
        let ownSignals: UInt64 = 3 << 31
        let masks = try #require(run.output.values.first?.wholeMatch(of: /SigBlk:(.*)SigIgn:(.*)/))
        #expect(UInt64(masks.1, radix: 16) == 0)
        #expect(UInt64(masks.2, radix: 16).map { $0 & ~ownSignals } == 0)
    }

    @Test(arguments: [
        [], ["echo"], ["--"], ["--max-attempts", "0", "--", "true"], ["--retry-on", "0", "--", "true"],
        ["--retry-on", "256", "--", "true"], ["--retry-on", "1,,2", "--", "true"], ["--deadline", "0", "--", "true"],
    ])
    func `wrong usage exits with 64`(arguments: [String]) async throws {
        let run = try await CommandRun.start(.dialtone, ["run"] + arguments, in: NetworkNamespace())
        #expect(try await run.exitStatus() == 64)
        #expect(!run.errors.values.isEmpty)
    }
}
