// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TestSupport
import Testing

/// The terminal from which `dialtone serve` was started is closed.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(3)))
struct HangUpTests {
    @Test func `the server shuts down cleanly and logs it`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serve()
        #expect(try await serving.get("/healthz").status == 200)
        kill(serving.command.identifier, SIGHUP)
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
        #expect(serving.command.errors.values.contains { $0.contains("message=stopped") })
    }

    @Test(arguments: [("HUP", SIGHUP, SIGTERM), ("INT", SIGINT, SIGTERM), ("TERM", SIGTERM, SIGINT)])
    func `the server continues if the signal was ignored at start`(name: String, ignored: Int32, ending: Int32)
        async throws
    {
        let lab = try await ServeLab()
        try await lab.network.join()
        let script = "trap '' \(name); exec \"$0\" \"$@\""
        let command = try await CommandRun.start(
            CommandRun.Program(path: "/bin/sh"),
            ["-c", script, CommandRun.Program.dialtone.path] + ServeLab.arguments
                + ["--listen", "127.0.0.1:0", "--data-dir", lab.directory.path],
            in: lab.network.client)
        _ = try await command.output.next(timeout: .seconds(60)) { $0.hasPrefix("Serving on ") }
        _ = try await command.errors.next(timeout: .seconds(60)) { $0.contains("message=listening") }
        kill(command.identifier, ignored)
        try await Task.sleep(for: .seconds(1))
        #expect(!command.errors.values.contains { $0.contains("message=stopped") })
        kill(command.identifier, ending)
        #expect(try await command.exitStatus(timeout: .seconds(60)) == 0)
    }
}
#endif
