// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

/// The output of each command on a full disk.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct FullDiskTests {
    @Test(arguments: [
        "status --passive", "status --passive --json", "status --passive --not wifi", "watch --passive --json",
        "watch --passive", "host 192.0.2.1", "host 192.0.2.1 --watch", "check",
    ]) func `a full disk is an error, and not an answer`(command: String) async throws {
        let run = try await CommandRun.start(
            .init(path: "/bin/sh"),
            ["-c", "exec \"$0\" \(command) > /dev/full", CommandRun.Program.dialtone.path], in: NetworkNamespace())
        #expect(try await run.exitStatus() == 70)
        // `watch` and `--watch` start with a heading.
        #expect(
            run.errors.values.filter { !$0.hasPrefix("Watching ") } == [
                "dialtone: standard output cannot be written: No space left on device"
            ])
    }
}
