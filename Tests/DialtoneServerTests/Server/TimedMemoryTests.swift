// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneHistory
import Foundation
import GRDB
import Netlink
import TestSupport
import Testing

/// Timed: each test needs all of the machine, and a minute even then.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(10)))
struct TimedMemoryTests {
    /// Returns a value of /proc/PID/status, in bytes.
    private func memory(_ name: String, of process: pid_t) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }

    /// The processor time that a process has used, in seconds.
    private func processorTime(of process: pid_t) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        let ticks = fields[11...12].compactMap { Double($0) }.reduce(0, +)
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test func `a million transitions and 300,000 checks are read with less than 64 MiB`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let count = 1_000_000
        do {
            let store = await HistoryStore.open(at: lab.directory)
            await store.close()
            let queue = try DatabaseQueue(
                path: lab.directory.appending(path: HistoryLocation.fileName).path)
            let start = Int(Date.now.timeIntervalSince1970 - 30 * 86_400) * 1000
            try await queue.write { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                        INSERT INTO transition (id, time, state, interfaceName)
                        SELECT 1000 + i, \(start) + i * 2500, CASE i % 2 WHEN 0 THEN 'online' ELSE 'offline' END, 'e0' FROM n
                        """)
                let day = Int(Date.now.timeIntervalSince1970 - 86_400) * 1000
                try db.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
                        INSERT INTO "check" (id, time, verdict, latency, passed, asked)
                        SELECT i, \(day) + i * 285, 'verified', 0.02, 1, 1 FROM n
                        """)
            }
            try queue.close()
        }
        let serving = try await lab.serve(["--passive"])
        let process = serving.command.identifier
        #expect(try await serving.get("/healthz").status == 200)
        #expect(try await serving.get("/api/history").status == 200)
        let rest = try memory("VmRSS", of: process)
        let reply = try await serving.get("/api/history?from=0&spans=1000")
        #expect(reply.status == 200)
        let object = try #require(reply.object)
        #expect((object["outageCount"] as? Int).map { $0 >= count / 2 } == true)
        #expect((object["spans"] as? [Any])?.count ?? .max <= 1000)
        #expect((object["outages"] as? [Any])?.count == 1000)
        #expect(try await serving.get("/?window=week", ["Accept": "text/html"]).status == 200)
        let peak = try memory("VmHWM", of: process)
        print("a million transitions: \((peak - rest) / 1_048_576) MiB above rest")
        #expect(peak - rest < 64 * 1_048_576, "\(peak) \(rest)")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    @Test func `90 days with 100,000 transitions are drawn in a moment, and in little memory`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let store = await HistoryStore.open(at: lab.directory)
        await store.close()
        let queue = try DatabaseQueue(path: lab.directory.appending(path: HistoryLocation.fileName).path)
        let end = Int64(Date.now.timeIntervalSince1970) * 1000
        var random = SystemRandomNumberGenerator()
        let times = (0..<100_000).map { _ in Int64.random(in: end - 90 * 86_400_000..<end, using: &random) }.sorted()
        let others = [("limited", "timedOut"), ("offline", "noCarrier"), ("captivePortal", nil), ("unverified", nil)]
        try await queue.write { db in
            try db.execute(sql: "DELETE FROM transition")
            for (index, time) in times.enumerated() {
                let (state, cause) = index.isMultiple(of: 2) ? ("online", nil) : others[index / 2 % others.count]
                try db.cachedStatement(
                    sql: """
                        INSERT INTO transition (id, time, state, cause, interfaceName, interfaceType)
                        VALUES (?, ?, ?, ?, 'e0', 'wiredEthernet')
                        """
                ).execute(arguments: [index + 1, time, state, cause])
            }
        }
        try queue.close()
        let serving = try await lab.serve(["--passive"])
        let process = serving.command.identifier
        #expect(try await serving.get("/").status == 200)
        let rest = try memory("VmRSS", of: process)
        let before = try processorTime(of: process)
        let page = try await serving.get("/?window=quarter")
        let time = try processorTime(of: process) - before
        #expect(page.body.contains("<dd>37500<span>"))
        #expect(page.body.utf8.count < 100_000, "\(page.body.utf8.count)")
        let peak = try memory("VmHWM", of: process)
        print("90 days: \(time) s of processor time, \((peak - rest) / 1024) KiB above rest")
        // 0.1 s in a release build.
        #expect(time < 1)
        #expect(peak - rest < 16 * 1_048_576, "\(peak) \(rest)")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    @Test func `visitors that use all connections do not use up the monitor's descriptors`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let command = try await CommandRun.start(
            CommandRun.Program(path: "/bin/sh"),
            [
                "-c", "ulimit -n 160; exec \"$0\" \"$@\"", CommandRun.Program.dialtone.path, "serve", "--listen",
                "127.0.0.1:0", "--passive", "--data-dir", lab.directory.path,
            ], in: lab.network.client)
        let line = try await command.output.next(timeout: .seconds(60)) { $0.hasPrefix("Serving on ") }
        let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0.prefix { $0.isNumber }) })
        _ = try await command.errors.next(timeout: .seconds(60)) { $0.contains("message=connectivity") }
        let crowd = try await lab.network.client.run { try (0..<300).map { _ in try RawClient(port) } }
        for client in crowd.prefix(100) { try? client.send(RawClient.text(port, "GET", "/events")) }
        // An idle connection is closed to make room for this one.
        let client = try await lab.network.client.run { try RawClient(port) }
        try client.send(RawClient.text(port, "GET", "/healthz", ["Connection": "close"]))
        #expect(Reply(try await client.readToEnd()).status == 200)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(command.identifier)/fd").count
        #expect(open < 140, "\(open)")
        try lab.network.setCable(connected: false)
        _ = try await command.errors.next(timeout: .seconds(60)) { $0.contains("state=offline") }
        withExtendedLifetime(crowd) {}
        command.terminate()
        #expect(try await command.exitStatus() == 0)
    }
}
#endif
