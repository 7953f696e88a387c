// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneHistory
import Foundation
import GRDB
import Netlink
import TestSupport
import Testing

/// Timed: it needs all of the machine, and a minute even then.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(10)))
struct TimedMemoryTests {
    /// Returns a value of /proc/PID/status, in bytes.
    private func memory(_ name: String, of process: pid_t) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
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
            let start = Int(Date.wall.timeIntervalSince1970 - 30 * 86_400) * 1000
            try await queue.write { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                        INSERT INTO transition (id, time, state, interfaceName)
                        SELECT 1000 + i, \(start) + i * 2500, CASE i % 2 WHEN 0 THEN 'online' ELSE 'offline' END, 'e0' FROM n
                        """)
                let day = Int(Date.wall.timeIntervalSince1970 - 86_400) * 1000
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
}
#endif
