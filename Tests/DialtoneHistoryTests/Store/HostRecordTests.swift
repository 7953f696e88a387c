// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import GRDB
import TestSupport
import Testing

@testable import DialtoneHistory

/// The watched hosts in the database.
@Suite(.real, .timeLimit(.minutes(5)))
struct HostRecordTests {
    private let directory: TemporaryDirectory
    private let clocks = Clocks(Sample.clocks(0))

    init() throws { directory = try TemporaryDirectory() }

    private func open() async -> HistoryStore {
        await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
    }

    private func text(_ hosts: StoredHosts, _ name: String) -> String {
        (hosts.periods[name] ?? []).map { "\(Timeline.number($0.start)): \($0.succeeded)/\($0.checks)" }
            .joined(separator: ", ")
    }

    @Test func `the sums of the checks of hosts survive a restart`() async throws {
        for _ in 0..<2 {
            let store = await open()
            for second in [0, 30, 599, 600] {
                store.recordCheck(ofHost: "example.com", at: Sample.time(Double(second)), succeeded: second != 30)
            }
            store.recordCheck(ofHost: "192.0.2.1:22", at: Sample.time(1), succeeded: true)
            await store.close()
        }
        let store = await open()
        let hosts = try await store.storedHosts()
        #expect(text(hosts, "example.com") == "0: 4/6, 600: 2/2")
        store.recordCheck(ofHost: "192.0.2.1:22", at: Sample.time(2), succeeded: false)
        await store.flush()
        let rest = try await store.storedHosts()
        #expect(text(rest, "192.0.2.1:22") == "0: 2/3")
        // The tick alone writes the checks.
        #expect(store.status.waiting == 0)
        await store.close()
    }

    @Test func `checks of more than a day ago are not read, and old ones are removed`() async throws {
        var store = await open()
        store.recordCheck(ofHost: "a", at: Sample.time(0), succeeded: true)
        store.recordCheck(ofHost: "a", at: Sample.time(86_400), succeeded: true)
        await store.close()
        clocks.set(Sample.clocks(86_400 + 700))
        store = await open()
        #expect(text(try await store.storedHosts(), "a") == "86400: 1/1")
        await store.close()
        // The clock is trusted, because the last run was within 30 days.
        clocks.set(Sample.clocks(3 * 86_400))
        store = await open()
        await store.flush()
        await store.close()
        let database = try DatabaseQueue(path: directory.database.path)
        #expect(try await database.read { try Int.fetchAll($0, sql: "SELECT start FROM hostPeriod") }.count == 1)
        try database.close()
    }

    @Test func `a history of an earlier version is migrated, and has no hosts`() async throws {
        let database = try DatabaseQueue(path: directory.database.path)
        try Schema.migrator.migrate(database, upTo: "1")
        #expect(try await database.read { try Queries.hosts($0, since: .distantPast) } == StoredHosts())
        try database.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: directory.database.path)
        let store = await open()
        #expect(store.status.isHealthy, "\(store.status)")
        #expect(try await store.storedHosts() == StoredHosts())
        store.recordCheck(ofHost: "a", at: Sample.time(1), succeeded: true)
        await store.flush()
        #expect(text(try await store.storedHosts(), "a") == "0: 1/1")
        await store.close()
    }

    @Test func `invalid counts in a damaged file do not trap`() async throws {
        await open().close()
        let database = try DatabaseQueue(path: directory.database.path)
        try await database.write { db in
            for (start, checks, succeeded) in [(Int64.max, Int64.max, Int64.max), (0, -1, 5), (Int64.min, 3, 7)] {
                try db.execute(
                    sql: "INSERT INTO hostPeriod VALUES ('a', ?, ?, ?)", arguments: [start, checks, succeeded])
            }
        }
        let hosts = try await database.read { try Queries.hosts($0, since: .distantPast) }
        #expect(hosts.periods["a"]?.allSatisfy { $0.succeeded <= $0.checks } == true)
        try database.close()
    }

    @Test func `changes that could not be written are merged with later ones`() {
        var pending = PendingRecords()
        pending.hosts.add("a", at: Sample.time(0), succeeded: true)
        #expect(pending.startWriting(1).hosts.counts.count == 1)
        pending.hosts.add("a", at: Sample.time(1), succeeded: false)
        pending.stopWriting()
        #expect(pending.hosts.counts.map(\.host) == ["a"])
        #expect(
            pending.hosts.counts.map(\.period) == [HostPeriod(containing: Sample.time(0), checks: 2, succeeded: 1)])
        // After a successful write nothing is left.
        _ = pending.startWriting(1)
        pending.didWrite()
        pending.stopWriting()
        #expect(pending.hosts == PendingHosts())
    }

    @Test func `while the disk fails, memory is bounded`() {
        var pending = PendingHosts()
        for index in 0..<30_000 {
            pending.add("a", at: Sample.time(Double(index) * HostPeriod.length), succeeded: true)
        }
        #expect((1...20_000).contains(pending.counts.count))
    }
}
