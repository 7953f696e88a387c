// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

/// `dialtone watch --passive`, run as a user runs it, while cables are pulled.
@Suite(.requires(.networkNamespaces))
struct WatchTests {
    @Test func `each change is one line, at once, and with --verbose it has the changed fields`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let watch = try await CommandRun.start(.dialtone, ["watch", "--passive"], in: lab.namespace)
        let verbose = try await CommandRun.start(.dialtone, ["watch", "--passive", "--verbose"], in: lab.namespace)
        #expect(try await verbose.output.next().contains("Connected over up0"))
        #expect(try await watch.errors.next().hasPrefix("Watching the path of this machine over every interface."))
        let first = try await watch.output.next()
        #expect(first.contains("Connected over up0 (wired Ethernet), IPv4"))
        // Without a terminal, each line has its date.
        #expect(first.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}  .*/) != nil, "\(first)")
        try lab.pullCable()
        let lost = try await watch.output.next()
        #expect(lost.hasSuffix("  Offline. No carrier on up0: is the cable in?"))
        #expect(try await verbose.output.next().contains("is the cable in?  (changed: state, path"))
        verbose.interrupt()
        try lab.plugCable()
        #expect(try await watch.output.next().contains("Connected over up0"))
        watch.interrupt()
        #expect(try await watch.exitStatus() == 0)
        #expect(watch.output.values.count == 3)
    }

    @Test func `JSON streams one object a line, with the changes`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let watch = try await CommandRun.start(.dialtone, ["watch", "--passive", "--json"], in: lab.namespace)
        let first = try object(try await watch.output.next())
        #expect(first["connectivity"] as? String == "unverified")
        #expect(first["changes"] as? [String] == [])
        try lab.pullCable()
        let second = try object(try await watch.output.next())
        #expect(second["connectivity"] as? String == "offline")
        let changes = try #require(second["changes"] as? [String])
        #expect(Set(changes).isSuperset(of: ["connectivity", "status", "reason", "interfaces", "gateways"]))
        watch.terminate()
        #expect(try await watch.exitStatus() == 0)
    }

    @Test func `a command runs at each transition, with its output apart from the states`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let line = "echo hook $DIALTONE_PREVIOUS_STATE/$DIALTONE_STATE/$DIALTONE_INTERFACE: $DIALTONE_REASON, $OWN"
        let watch = try await CommandRun.start(
            .dialtone, ["watch", "--passive", "--exec", line], in: lab.namespace, environment: ["OWN": "own"])
        let isHook = { (line: String) in line.hasPrefix("hook ") }
        let unchecked = "The Internet has not been checked yet."
        #expect(try await watch.errors.next(matching: isHook) == "hook /unverified/up0: \(unchecked), own")
        try lab.pullCable()
        let offline = "hook unverified/offline/up0: No carrier on up0: is the cable in?, own"
        #expect(try await watch.errors.next(matching: isHook) == offline)
        try lab.plugCable()
        #expect(try await watch.errors.next(matching: isHook) == "hook offline/unverified/up0: \(unchecked), own")
        watch.interrupt()
        #expect(try await watch.exitStatus() == 0)
        #expect(watch.output.values.allSatisfy { !isHook($0) })
    }

    @Test func `a command that hangs delays no line and not the end`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let watch = try await CommandRun.start(
            .dialtone, ["watch", "--passive", "--exec", "trap '' TERM; echo hook $$; sleep 600; sleep 600"],
            in: lab.namespace)
        let line = try await watch.errors.next { $0.hasPrefix("hook ") }
        let hook = try #require(pid_t(line.dropFirst("hook ".count)))
        _ = try await watch.output.next()
        try lab.pullCable()
        #expect(try await watch.output.next().contains("Offline."))
        watch.interrupt()
        #expect(try await watch.exitStatus() == 0)
        try await eventually { kill(hook, 0) != 0 }
    }

    @Test func `when its reader exits it ends quietly, even without changes`() async throws {
        let lab = try Uplink()
        let shell = CommandRun.Program(path: "/bin/sh")
        let script = "\"$0\" watch --passive | head -n 1; echo done"
        let run = try await CommandRun.start(
            shell, ["-c", script, CommandRun.Program.dialtone.path], in: lab.namespace)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.last == "done")
        #expect(run.errors.values == ["Watching the path of this machine over every interface. Press Ctrl-C to stop."])
    }

    @Test func `without changes nothing runs`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let watch = try await CommandRun.start(.dialtone, ["watch", "--passive"], in: lab.namespace)
        _ = try await watch.output.next()
        // The rest of the start takes a while. After that each thread sleeps, or has ended because it has no work.
        // No event follows from a thread that does not wake, so only real time can show this.
        var (before, isQuiet, tries) = (try switches(watch.identifier), false, 0)
        while !isQuiet, tries < 30 {
            // clock: only real time shows that nothing wakes.
            try await Task.sleep(for: .seconds(2))
            let now = try switches(watch.identifier)
            isQuiet = now.allSatisfy { before[$0.key] == $0.value }
            (before, tries) = (now, tries + 1)
        }
        #expect(isQuiet, "something wakes it every two seconds: \(before)")
        watch.interrupt()
        #expect(try await watch.exitStatus() == 0)
    }

    /// The number of times that each thread of a process has slept (proc_pid_status(5)).
    private func switches(_ process: Int32) throws -> [String: String] {
        let folder = "/proc/\(process)/task"
        var counts: [String: String] = [:]
        for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
            // A thread may end at any time.
            guard let status = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8) else {
                continue
            }
            counts[thread] = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }.map(
                String.init)
        }
        return counts
    }

    private func object(_ line: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}
