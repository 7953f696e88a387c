// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

/// Commands whose parents ignore signals, or exit.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct InheritedSignalsTests {
    /// Starts a shell script in which `$0` is the command.
    private func shell(_ script: String, in namespace: NetworkNamespace) async throws -> CommandRun {
        try await CommandRun.start(
            .init(path: "/bin/sh"), ["-c", script, CommandRun.Program.dialtone.path], in: namespace)
    }

    @Test(arguments: ["watch --passive", "host 192.0.2.1 --watch"])
    func `a watch under nohup outlives its terminal, and Ctrl-C to others`(command: String) async throws {
        let lab = try Uplink()
        try await lab.connect()
        let run = try await shell("trap '' HUP INT; exec \"$0\" \(command)", in: lab.namespace)
        _ = try await run.output.next { !$0.hasPrefix("Watching") }
        kill(run.identifier, SIGHUP)
        kill(run.identifier, SIGINT)
        try await lab.loseCarrier()
        _ = try await run.output.next()
        run.terminate()
        #expect(try await run.exitStatus() == 0)
    }

    @Test(arguments: ["watch --passive", "host 192.0.2.1 --watch"])
    func `a watch whose output is not read ends at SIGTERM`(command: String) async throws {
        let lab = try Uplink()
        try await lab.connect()
        // A pipe that is full before the command writes to it.
        let fill = "f=$(mktemp -u) && mkfifo $f && exec 3<>$f && rm $f && head -c 65536 /dev/zero >&3"
        let run = try await shell("\(fill) && exec \"$0\" \(command) >&3", in: lab.namespace)
        _ = try await run.errors.next { $0.hasPrefix("Watching") }
        run.terminate()
        #expect(try await run.exitStatus() == 0)
    }

    @Test func `a failure is reported as a failure even if SIGCHLD is ignored`() async throws {
        let lab = try RoutedLab()
        try await lab.join()
        let run = try await CommandRun.start(
            .init(path: "/usr/bin/env"),
            ["--ignore-signal=CHLD", CommandRun.Program.dialtone.path, "run", "--", "/bin/sh", "-c", "exit 3"],
            in: lab.client)
        #expect(try await run.exitStatus() == 3)
        withExtendedLifetime(lab) {}
    }

    @Test func `the command of run starts with no signal blocked, and ignores what was ignored before`() async throws {
        let lab = try RoutedLab()
        try await lab.join()
        for (trap, ignored) in [("", UInt64(0)), ("trap '' HUP; ", UInt64(1) << UInt64(SIGHUP - 1))] {
            let run = try await shell(
                trap + "exec \"$0\" run --deadline 20 -- grep -E '^Sig(Blk|Ign):' /proc/self/status", in: lab.client)
            #expect(try await run.exitStatus() == 0)
            // posix_spawn(3) of glibc ignores its own two signals, 32 and 33, in every program that it starts.
            let masks = run.output.values.compactMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) }
                .map { $0 & 0x7FFF_FFFF }
            #expect(masks == [0, ignored], "\(run.output.values)")
        }
        withExtendedLifetime(lab) {}
    }

    @Test func `run continues when the reader of its messages has gone`() async throws {
        let run = try await shell(
            "exec 3>&1; { \"$0\" run --deadline 0.5 -- true; echo \"ended with $?\" >&3; } 2>&1 >/dev/null | :",
            in: NetworkNamespace())
        #expect(try await run.output.next() == "ended with 124")
    }
}
