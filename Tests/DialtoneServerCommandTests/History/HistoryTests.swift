// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import DialtoneHistory
import Foundation
import TestSupport
import Testing

/// `dialtone history`, run as a user runs it.
struct HistoryTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "dialtone-history-\(UUID().uuidString)")
    }

    /// A store with an outage of ten minutes that ended an hour ago.
    private func open() async -> HistoryStore {
        let store = await HistoryStore.open(at: directory)
        let now = Date.wall
        store.record(HistoryTransition(time: now - 7200, state: .online, interfaceName: "eth0"))
        store.record(
            HistoryTransition(
                time: now - 4200, state: .offline, cause: HistoryCause(rawValue: "noCarrier"),
                interfaceName: "=eth,\"0"))
        store.record(HistoryTransition(time: now - 3600, state: .online, interfaceName: "eth0"))
        await store.flush()
        return store
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(
            .dialtone, ["history"] + arguments, environment: environment.merging(["TZ": "UTC", "LC_ALL": "C"]) { $1 })
    }

    @Test func `a history that may not be read is not reported as missing`() async throws {
        let link = directory.appending(path: "history.sqlite")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        // Root may read every folder, but not one behind a loop of symbolic links.
        let circle = directory.appending(path: "circle")
        try FileManager.default.createSymbolicLink(at: circle, withDestinationURL: circle)
        let run = try run("--data-dir", circle.path)
        #expect(try await run.exitStatus() == 70)
        #expect(run.errors.values.first?.contains("Too many levels of symbolic links") == true)
        let none = try self.run("--data-dir", link.path)
        #expect(try await none.exitStatus() == 4)
    }

    @Test func `the text can be printed while the history is recorded`() async throws {
        let store = await open()
        let run = try run("--since", "2h", "--outages", "--data-dir", directory.path)
        #expect(try await run.exitStatus() == 0, "\(run.errors.values)")
        let text = run.output.values.joined(separator: "\n")
        #expect(text.contains("online "))
        #expect(text.contains("1 outage, of 10 min"))
        #expect(text.contains("  10 min  +?  unknown  No carrier on =eth,\"0, moved to eth0"))
        await store.close()
    }

    @Test(arguments: ["STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"])
    func `the JSON adds up to the window, and the directory is found`(variable: String) async throws {
        let store = await open()
        await store.close()
        let place = FileManager.default.temporaryDirectory.appending(path: "dialtone-home-\(UUID().uuidString)")
        let parts = ["STATE_DIRECTORY": "", "XDG_STATE_HOME": "dialtone", "HOME": ".local/state/dialtone"]
        let state = place.appending(path: parts[variable, default: ""])
        try FileManager.default.createDirectory(
            at: state.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: directory, to: state)
        defer { try? FileManager.default.removeItem(at: place) }
        var environment = ["STATE_DIRECTORY": "", "XDG_STATE_HOME": ""]
        environment[variable] = place.path
        let run = try run("--json", "--since", "3h", environment: environment)
        #expect(try await run.exitStatus() == 0, "\(run.errors.values)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.values.joined().utf8)) as? [String: Any])
        let seconds = try #require(object["seconds"] as? [String: Double])
        #expect(seconds.count == HistoryState.allCases.count)
        let sum = seconds.values.reduce(0, +)
        #expect(abs(sum - 10_800) < 0.01)
        #expect(seconds["offline"].map { abs($0 - 600) < 0.01 } == true)
        #expect(object["outageCount"] as? Int == 1)
        let spans = try #require(object["spans"] as? [[String: Any]])
        #expect(spans.first?["state"] as? String == "notWatching")
        #expect(spans.first?["from"] as? String == object["from"] as? String)
        #expect(spans.last?["to"] as? String == object["to"] as? String)
    }

    @Test(.requires(.mounts)) func `without an own history the service's is read, and named`() async throws {
        let store = await open()
        await store.close()
        defer { try? FileManager.default.removeItem(at: directory) }
        let mounts = try await OwnMounts("mount -t tmpfs tmpfs /var/lib", [])
        func run(_ home: String) throws -> CommandRun {
            try CommandRun(
                mounts.program, mounts.arguments(.dialtone, ["history", "--csv", "--since", "2h"]),
                environment: ["STATE_DIRECTORY": "", "XDG_STATE_HOME": "", "HOME": home])
        }
        let (database, home) = (directory.appending(path: HistoryLocation.fileName).path, "\(directory.path)/home")
        let own = "\(home)/.local/state/dialtone/history.sqlite"
        let none = try run(home)
        #expect(try await none.exitStatus() == 4)
        #expect(
            none.errors.values.map { $0.prefix { $0 != "`" } }
                == ["dialtone: there is no history at \(own) or /var/lib/dialtone/history.sqlite: "])

        try await mounts.run("mkdir -m 700 /var/lib/dialtone; cp \"$1\" /var/lib/dialtone", [database])
        let service = try run(home)
        #expect(try await service.exitStatus() == 0, "\(service.errors.values)")
        #expect(service.errors.values == ["dialtone: this is the service's history, in /var/lib/dialtone"])
        #expect(service.output.values.contains { $0.contains(",offline,") })

        try await mounts.run("mkdir -p \"$(dirname \"$2\")\"; cp \"$1\" \"$2\"", [database, own])
        let first = try run(home)
        #expect(try await first.exitStatus() == 0)
        let note = "this is your own history, in \(home)/.local/state/dialtone; the service's is in /var/lib/dialtone"
        #expect(first.errors.values == ["dialtone: \(note)"])

        try await mounts.run("rm \"$1\" /var/lib/dialtone/*; mkdir /var/lib/dialtone/history.sqlite", [own])
        let unusable = try run(home)
        #expect(try await unusable.exitStatus() == 70)
        #expect(unusable.errors.values.first?.contains("there is none at \(own)") == true)
    }

    @Test func `the CSV keeps hostile names in their column`() async throws {
        let store = await open()
        let spans = try run("--csv", "--since", "2h", "--data-dir", directory.path)
        #expect(try await spans.exitStatus() == 0)
        #expect(spans.output.values.first == "from,to,seconds,state,cause,interface,interfaceType,fault,earliestFrom")
        #expect(spans.output.values.contains { $0.hasSuffix(#",600.0,offline,noCarrier,"'=eth,""0",,,"#) })
        let outages = try run("--csv", "--outages", "--since", "2h", "--data-dir", directory.path)
        #expect(try await outages.exitStatus() == 0)
        #expect(outages.output.values.count == 2)
        #expect(outages.output.values.last?.hasSuffix(",true,moved,,,,eth0,600.0 offline noCarrier") == true)
        store.record(CheckRecord(time: .wall, verdict: .verified, latency: 0.02, passed: 2, asked: 3))
        store.record(HopMinute(start: .wall, hops: [.router: HopStatistics([nil])]))
        await store.flush()
        for (kind, end) in [("checks", ",verified,,0.02,,,,,2,3"), ("hops", ",60.0,router,1,1,,,,0")] {
            let run = try run("--csv", "--kind", kind, "--since", "2h", "--data-dir", directory.path)
            #expect(try await run.exitStatus() == 0)
            #expect(run.output.values.count == 2 && run.output.values.last?.hasSuffix(end) == true)
        }
        for arguments in [["--kind", "hops"], ["--csv", "--kind", "days"], ["--csv", "--outages", "--kind", "hops"]] {
            #expect(try await CommandRun(.dialtone, ["history"] + arguments).exitStatus() == 64)
        }
        await store.close()
    }

    @Test func `the report is one page of HTML for the period, with the packets of each hop`() async throws {
        let store = await open()
        let start = Date.wall - 4200
        store.record(
            Silence(
                earliestStart: start - 5, start: start, earliestEnd: start + 595, end: start + 600, isDrop: false,
                counts: [HopCount(.router, sent: 2, answered: 0)]))
        await store.flush()
        let run = try run("--report", "--since", "2h", "--data-dir", directory.path)
        #expect(try await run.exitStatus() == 0, "\(run.errors.values)")
        let text = run.output.values.joined(separator: "\n")
        #expect(text.hasPrefix("<!doctype html>") && text.hasSuffix("</html>"))
        #expect(text.contains("<style>") && !text.contains("<nav>") && !text.contains("<script"))
        #expect(text.contains("<td class=\"number\">10 min</td>") && text.contains("the router 0 of 2."))
        #expect(text.contains("No carrier on =eth,&quot;0"))
        #expect(text.contains("<code>dialtone history <span>--csv</span> <span>--outages</span> <span>--since "))
        for other in [["--json"], ["--csv"], ["--outages"], ["--csv", "--kind", "hops"]] {
            #expect(try await CommandRun(.dialtone, ["history", "--report"] + other).exitStatus() == 64)
        }
        let german = try self.run(
            "--report", "--since", "2h", "--data-dir", directory.path, "--language", "de", "--agreed", "99.5", "--note",
            "Nr. <7>")
        #expect(try await german.exitStatus() == 0)
        let page = german.output.values.joined(separator: "\n")
        #expect(page.contains("<html lang=\"de\">") && page.contains("<dt>Vermerk</dt><dd>Nr. &lt;7&gt;</dd>"))
        #expect(page.contains("<dt>Vereinbart</dt><dd>99,50 %, also höchstens 36 s ohne Internet"))
        for wrong in [
            ["--agreed", "99"], ["--report", "--agreed", "101"], ["--report", "--agreed", "0"], ["--language", "de"],
            ["--report", "--language", "xx"], ["--note", "a"],
        ] { #expect(try await CommandRun(.dialtone, ["history"] + wrong).exitStatus() == 64, "\(wrong)") }
        await store.close()
    }

    @Test func `a day and an ISO time are accepted, with and without a zone`() async throws {
        let store = await open()
        await store.close()
        for (since, until, length) in [
            ("2026-03-01", "2026-03-02", 86_400.0), ("2026-03-01T12:00", "2026-03-01T12:30:15", 1815),
            ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00-02:30", 9000), ("2w", "1w", 604_800),
            ("2026-03-01T12:00:00.123Z", "2026-03-01T13:00:00+00:00", 3599.877), ("1.5h", "30m", 3600),
        ] {
            let run = try run("--json", "--since", since, "--until", until, "--data-dir", directory.path)
            #expect(try await run.exitStatus() == 0, "\(since): \(run.errors.values)")
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(run.output.values.joined().utf8)) as? [String: Any])
            let seconds = try #require(object["seconds"] as? [String: Double])
            let sum = seconds.values.reduce(0, +)
            #expect(abs(sum - length) < 0.01, "\(since)")
        }
    }

    @Test(arguments: [
        ["--since", "tomorrow"], ["--since", "2026-02-31"], ["--since", "2026-13-01"], ["--since", "5"],
        ["--since=-5m"], ["--since", "1e9d"], ["--since", "2026-01-01T25:00"], ["--since", "999999999999d"],
        ["--since", "2026-01-02", "--until", "2026-01-01"], ["--since", "1h", "--until", "2h"],
        ["--until", "2999-01-01"], ["--since", "2999-01-01"], ["--json", "--csv"], ["--until", ""],
    ]) func `wrong usage exits with 64 and the reason`(arguments: [String]) async throws {
        let run = try CommandRun(.dialtone, ["history", "--data-dir", directory.path] + arguments)
        #expect(try await run.exitStatus() == 64)
        #expect(!run.errors.values.isEmpty)
    }

    @Test func `a missing history is reported, and an unreadable one is left unchanged`() async throws {
        let none = try run("--data-dir", directory.path)
        #expect(try await none.exitStatus() == 4)
        #expect(none.errors.values.first?.contains("there is no history at") == true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        let database = directory.appending(path: HistoryLocation.fileName)
        try Data("nonsense".utf8).write(to: database)
        let damaged = try run("--data-dir", directory.path)
        #expect(try await damaged.exitStatus() == 70)
        #expect(try Data(contentsOf: database) == Data("nonsense".utf8))
    }
}
