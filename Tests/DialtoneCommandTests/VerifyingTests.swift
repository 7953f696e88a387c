// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// `dialtone status`, `watch` and `check` as a user runs them, with servers behind a router.
@Suite(.requires(.networkNamespaces), .requires(.ownResolverFile))
struct VerifyingTests {
    @Test func `watch prints every change as JSON`() async throws {
        let lab = try await ServedLab(.portal(.redirect))
        let watch = try await lab.run(
            ["watch", "--json", "--interval", "0.5", "--timeout", "2"] + ServedLab.endpoints)
        let first = try object(try await watch.output.next { $0.contains(#""connectivity":"offline""#) })
        #expect(first["internet"] is NSNull)

        try await lab.network.join()
        let portal = try object(try await watch.output.next { $0.contains(#""connectivity":"captivePortal""#) })
        let internet = try #require(portal["internet"] as? [String: Any])
        #expect(internet["verdict"] as? String == "captivePortal")
        #expect(internet["portal"] as? String == ScriptedInternet.Behavior.loginPage)
        #expect((internet["endpoints"] as? [Any])?.count == 3)

        lab.internet.play(.online)
        let online = try object(try await watch.output.next { $0.contains(#""connectivity":"online""#) })
        #expect((online["internet"] as? [String: Any])?["verdict"] as? String == "verified")
        #expect(online["changes"] as? [String] == ["connectivity", "internet"])

        try lab.network.setUplink(up: false)
        let dead = try object(try await watch.output.next { $0.contains(#""connectivity":"limited""#) })
        #expect((dead["path"] as? [String: Any])?["status"] as? String == "satisfied")
        #expect((dead["internet"] as? [String: Any])?["verdict"] as? String == "noInternet")

        try lab.network.setUplink(up: true)
        _ = try await watch.output.next { $0.contains(#""connectivity":"online""#) }
        try await lab.network.setCable(connected: false)
        _ = try await watch.output.next { $0.contains(#""connectivity":"offline""#) }
        watch.interrupt()
        #expect(try await watch.exitStatus() == 0)
        #expect(watch.errors.values.isEmpty)
    }

    @Test func `watch prints every change as text`() async throws {
        let lab = try await ServedLab(.portal(.redirect))
        try await lab.network.join()
        let watch = try await lab.run(["watch", "--interval", "0.5", "--timeout", "2"] + ServedLab.endpoints)
        #expect(
            try await watch.errors.next()
                == "Watching the connection of this machine over every interface. Press Ctrl-C to stop.")
        let portal = try await watch.output.next { $0.contains("requires a login") }
        #expect(portal.contains(ScriptedInternet.Behavior.loginPage))
        lab.internet.play(.online)
        let online = try await watch.output.next { $0.contains("Online") }
        #expect(online.contains("Online over up0 (wired Ethernet), IPv4, DNS"))
        lab.internet.play(.partial)
        let partial = try await watch.output.next { $0.contains("HTTPS does not pass: ") }
        #expect(partial.contains("Limited over up0 (wired Ethernet). HTTPS does not pass: "))
        watch.interrupt()
        #expect(try await watch.exitStatus() == 0)
    }

    /// The state of the Internet, the exit status, and the first line.
    static let behaviors: [(ScriptedInternet.Behavior, Int32, String)] = [
        (.online, 0, "Online over up0 (wired Ethernet)"),
        (
            .portal(.redirect), 2,
            "Login required over up0 (wired Ethernet). The network requires a login: open its page in a browser: "
                + ScriptedInternet.Behavior.loginPage
        ),
    ]

    /// The table of networks has the others.
    @Test(arguments: behaviors.indices) func `a verdict has its text, its status and its lines`(index: Int) async throws
    {
        let (behavior, status, words) = Self.behaviors[index]
        let lab = try await ServedLab(behavior)
        try await lab.network.join()
        let options = ["--timeout", "60"] + ServedLab.endpoints
        // The verdict of a majority does not wait for all.
        let quorum = ["--verbose"] + (status == 0 ? ["--quorum", "100%"] : [])
        let (statusRun, checkRun) = (
            try await lab.run(["status"] + options), try await lab.run(["check"] + quorum + options)
        )
        for run in [statusRun, checkRun] {
            #expect(try await run.exitStatus(timeout: .seconds(120)) == status)
            let first = try #require(run.output.values.first)
            #expect(first.hasPrefix(words), "\(run.output.values) \(run.errors.values)")
        }
        // Only an endpoint that passed has a latency.
        let latencies = statusRun.output.values.filter { $0.wholeMatch(of: #/  latency   (< 1|[\d.]+) m?s/#) != nil }
        #expect(latencies.count == (status == 0 ? 1 : 0), "\(statusRun.output.values)")
        let lines = checkRun.output.values
        #expect(lines.count == 4)
        if status == 0 {
            #expect(lines[0] == "Online over up0 (wired Ethernet): 3 of 3 endpoints answered as expected.")
            #expect(lines[1].hasPrefix("  passed   http://one.check.test/generate_204  status 204, 203.0.113.1"))
        }
    }

    @Test func `--passive sends no packet, and a path is enough`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        let run = try await lab.run(["--passive", "--json"] + ServedLab.endpoints)
        #expect(try await run.exitStatus() == 0)
        #expect(try object(try #require(run.output.values.first))["internet"] is NSNull)
        #expect(lab.internet.connections == 0)
    }

    @Test func `a quorum and a family are applied`() async throws {
        let lab = try await ServedLab(
            .init { $0.path == "/good" ? .answer(204) : .answer(500) })
        try await lab.network.join()
        let url = "http://\(ServedLab.host)"
        let endpoints = ["--endpoint", "\(url)/good", "--endpoint", "\(url)/bad", "--endpoint", "\(url)/worse"]
        for (quorum, status) in [("1", Int32(0)), ("33%", 0), ("2", 3), ("100%", 3)] {
            let run = try await lab.run(["check", "--quorum", quorum, "--timeout", "30"] + endpoints)
            #expect(try await run.exitStatus() == status, "\(quorum): \(run.output.values)")
        }
        let run = try await lab.run(
            ["check", "--family", "6", "--timeout", "2", "--endpoint", "http://203.0.113.1/good"])
        #expect(try await run.exitStatus() == 4, "\(run.output.values)")
    }

    @Test func `--open-portal prints only the URL if there is no desktop`() async throws {
        let lab = try await ServedLab(.portal(.content))
        try await lab.network.join()
        let run = try await lab.run(
            ["check", "--open-portal", "--timeout", "30"] + ServedLab.endpoints,
            environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
        #expect(try await run.exitStatus() == 2)
        #expect(run.output.values.last == ScriptedInternet.Behavior.loginPage)
    }

    @Test func `the browser starts in its own session, with no signal blocked or ignored`() async throws {
        let lab = try await ServedLab(.portal(.content))
        try await lab.network.join()
        let folder = FileManager.default.temporaryDirectory.appending(path: "dialtone-browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (opener, result) = (folder.appending(path: "xdg-open").path, folder.appending(path: "result").path)
        // The shell reads its own status without a fork, because a shell that forks blocks every signal for a moment.
        let script = """
            { while read -r line; do echo "$line"; done </proc/$$/status
            cut -d' ' -f1,6 /proc/$$/stat; readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2
            echo "$1"; } > '\(result).part' && mv '\(result).part' '\(result)'
            """
        try writeScript(script, to: opener)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let run = try await lab.run(
            ["check", "--open-portal", "--timeout", "30"] + ServedLab.endpoints,
            environment: ["DISPLAY": ":0", "PATH": "\(folder.path):\(path)"])
        #expect(try await run.exitStatus() == 2)
        try await eventually { FileManager.default.fileExists(atPath: result) }
        let lines = try String(contentsOfFile: result, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.contains("SigBlk:\t0000000000000000"))
        // posix_spawn(3) of glibc ignores its own two signals, 32 and 33, in every program that it starts.
        #expect(lines.contains { ["SigIgn:\t0000000000000000", "SigIgn:\t0000000180000000"].contains($0) })
        let numbers = try #require(lines.first { $0.allSatisfy { $0.isNumber || $0 == " " } }).split(separator: " ")
        #expect(numbers[0] == numbers[1], "it leads its own session")
        #expect(lines.filter { $0 == "/dev/null" }.count >= 2)
        #expect(lines.last == ScriptedInternet.Behavior.loginPage)
    }

    @Test func `a portal's text cannot move the cursor`() async throws {
        let lab = try await ServedLab(
            .always(.redirect(to: "http://evil.test/\u{1B}[2J\u{07}\u{202E}x"), https: .closed))
        try await lab.network.join()
        for command in ["check", "status"] {
            let run = try await lab.run([command, "--timeout", "2"] + ServedLab.endpoints)
            // The test does not depend on whether it counts as a portal or as malformed.
            #expect([2, 3].contains(try await run.exitStatus()))
            #expect(!run.output.values.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
    }

    private func object(_ line: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}
