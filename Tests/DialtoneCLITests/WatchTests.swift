//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Netlink
import TestSupport
import Testing

/// `dialtone watch --passive`, run as a user runs it, while somebody pulls cables.
@Suite(.requires(.networkNamespaces))
struct WatchTests {
    @Test func `each change is one line, at once, with what changed`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let watch = try await CommandRun.start(.dialtone, ["watch", "--passive"], in: lab.namespace)
        #expect(try await watch.output.next().hasPrefix("Watching the path of this machine over every interface."))
        #expect(try await watch.output.next().contains("Connected over up0 (wired Ethernet), IPv4"))
        try lab.pullCable()
        let lost = try await watch.output.next()
        #expect(lost.contains("Offline. No carrier on up0: is the cable in?  (changed: connectivity, status, reason"))
        try lab.plugCable()
        #expect(try await watch.output.next().contains("Connected over up0"))
        watch.interrupt()
        #expect(try await watch.exitStatus() == 0)
        #expect(watch.output.values.count == 4)
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

    @Test func `a reader that leaves ends it quietly, even when nothing happens`() async throws {
        let lab = try Uplink()
        let shell = CommandRun.Program(path: "/bin/sh")
        let script = "\"$0\" watch --passive | head -n 1; echo done"
        let run = try await CommandRun.start(
            shell, ["-c", script, CommandRun.Program.dialtone.path], in: lab.namespace)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.last == "done")
        #expect(run.errors.values.isEmpty)
    }

    private func object(_ line: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}
