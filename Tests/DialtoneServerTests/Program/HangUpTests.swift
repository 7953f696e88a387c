// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TestSupport
import Testing

/// SIGHUP: the terminal from which `dialtone serve` was started is closed, or a process requests a reload.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(3)))
struct HangUpTests {
    @Test(.requires(.terminals)) func `the server shuts down cleanly with its terminal, and logs it`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let log = FileManager.default.temporaryDirectory.appending(path: "dialtone-log-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: log) }
        // When the leader of the session ends, the kernel sends SIGHUP to the processes in the foreground.
        let script = "log=$1; shift; \"$0\" \"$@\" 2> \"$log\" & read line"
        let shell = try await TerminalRun.start(
            CommandRun.Program(path: "/bin/sh"),
            ["-c", script, CommandRun.Program.dialtone.path, log.path] + ServeLab.arguments
                + ["--listen", "127.0.0.1:0", "--data-dir", lab.directory.path],
            in: lab.network.client)
        try await shell.wait(for: "Serving on ")
        shell.type("\n")
        #expect(try await shell.exitStatus() == 0)
        try await eventually {
            try String(contentsOf: log, encoding: .utf8).contains("message=stopped")
        }
        #expect(try !String(contentsOf: log, encoding: .utf8).contains("reload"))
    }

    @Test func `a process that sends the signal reloads the settings instead`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serve()
        kill(serving.command.identifier, SIGHUP)
        _ = try await serving.command.errors.next { $0.contains("message=reloaded") }
        #expect(try await serving.get("/healthz").status == 200)
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
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
        // The kernel discards a signal that is ignored, so that nothing can happen later.
        #expect(try signals("SigIgn", of: command.identifier, contain: ignored))
        #expect(try !signals("SigCgt", of: command.identifier, contain: ignored))
        #expect(try signals("SigCgt", of: command.identifier, contain: ending))
        kill(command.identifier, ignored)
        kill(command.identifier, ending)
        #expect(try await command.exitStatus(timeout: .seconds(60)) == 0)
    }

    /// Whether a mask in /proc/PID/status contains a signal (proc_pid_status(5)).
    private func signals(_ mask: String, of process: pid_t, contain signal: Int32) throws -> Bool {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(mask + ":") })
        let bits = try #require(UInt64(line.split(separator: "\t").last ?? "", radix: 16))
        return bits & 1 << (signal - 1) != 0
    }
}
#endif
