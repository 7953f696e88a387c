// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import GRDB
import TestSupport
import Testing

@testable import DialtoneHistory

/// An unusable database is set aside and never overwritten.
@Suite(.real, .timeLimit(.minutes(5)))
struct QuarantineTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Records a transition and closes the store.
    private func record() async {
        let store = await HistoryStore.open(at: directory.url)
        store.record(HistoryTransition(time: .wall, state: .online))
        await store.close()
    }

    private func notices(of store: HistoryStore) -> [String] { store.status.notices.map(\.description) }

    @Test(arguments: ["not a database at all", String(repeating: "SQLite format 3\u{0}", count: 500)])
    func `a file that is not a database is set aside byte for byte`(text: String) async throws {
        let bytes = Data(text.utf8)
        try bytes.write(to: directory.database)
        let store = await HistoryStore.open(at: directory.url)
        #expect(store.status.isHealthy)
        #expect(notices(of: store).count == 1)
        let aside = try #require(try directory.aside().first)
        #expect(notices(of: store).first?.contains(aside) == true)
        #expect(try Data(contentsOf: directory.url.appending(path: aside)) == bytes)
        store.record(HistoryTransition(time: .wall, state: .online))
        await store.flush()
        #expect(store.status.waiting == 0)
        await store.close()
    }

    @Test func `a database with a damaged page is set aside with its log`() async throws {
        do {
            let store = await HistoryStore.open(at: directory.url)
            for index in 0..<5000 {
                store.record(HistoryTransition(time: .wall, state: index % 2 == 0 ? .online : .offline))
            }
            await store.close()
        }
        var bytes = try Data(contentsOf: directory.database)
        try #require(bytes.count > 5 * 4096)
        for page in 3..<(bytes.count / 4096) {
            bytes.replaceSubrange(page * 4096..<page * 4096 + 64, with: Data(repeating: 0xA5, count: 64))
        }
        try bytes.write(to: directory.database)
        let store = await HistoryStore.open(at: directory.url)
        #expect(store.status.isHealthy)
        #expect(notices(of: store).first?.contains("damaged") == true)
        let aside = try #require(try directory.aside().first { $0.hasSuffix(".sqlite") })
        #expect(try Data(contentsOf: directory.url.appending(path: aside)) == bytes)
        await store.close()
    }

    @Test func `a database of a later version stays where it is, unchanged`() async throws {
        await record()
        let later = try DatabaseQueue(path: directory.database.path)
        try await later.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999'); PRAGMA user_version = 999")
        }
        try later.close()
        let bytes = try Data(contentsOf: directory.database)
        #expect(throws: HistoryReadingError.self) { try HistoryReader(directory.url) }
        let history = try CommandRun(.dialtone, ["history", "--data-dir", directory.url.path])
        #expect(try await history.exitStatus() == 70)
        #expect(
            history.errors.values == [
                "dialtone: cannot read the history at \(directory.database.path): a later version of dialtone wrote its history"
            ])
        let server = try CommandRun(
            .dialtone, ["serve", "--listen", "none", "--passive", "--data-dir", directory.url.path])
        _ = try await server.errors.next {
            $0.contains("later version of dialtone wrote its history: run that version, or choose another directory")
        }
        // From then on it handles signals.
        _ = try await server.output.next()
        server.terminate()
        #expect(try await server.exitStatus() == 0)
        #expect(try Data(contentsOf: directory.database) == bytes)
        let store = await HistoryStore.open(at: directory.url)
        #expect(
            notices(of: store).first?.contains("later version of dialtone wrote its history: run that version") == true)
        #expect(!store.status.isHealthy)
        #expect(try directory.aside().isEmpty)
        await store.close()
        #expect(try Data(contentsOf: directory.database) == bytes)
    }

    @Test(arguments: [
        "UPDATE run SET wall = 'noon'", "UPDATE run SET isEnd = 'perhaps'",
        "INSERT INTO transition (id, time, state) VALUES (9223372036854775807, 0, 'online')",
    ]) func `a database with values of the wrong type is set aside`(sql: String) async throws {
        await record()
        let crafted = try DatabaseQueue(path: directory.database.path)
        try await crafted.write { try $0.execute(sql: sql) }
        try crafted.close()
        let store = await HistoryStore.open(at: directory.url)
        #expect(store.status.isHealthy)
        #expect(notices(of: store).first?.contains("damaged") == true)
        #expect(try directory.aside().contains { $0.hasSuffix(".sqlite") })
        await store.close()
    }

    @Test func `files set aside never replace each other`() async throws {
        for text in ["first", "second", "third"] {
            try Data(text.utf8).write(to: directory.database)
            let store = await HistoryStore.open(at: directory.url)
            await store.close()
            for ending in ["-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: directory.database.path + ending)
            }
        }
        let kept = try directory.aside().map {
            try String(contentsOf: directory.url.appending(path: $0), encoding: .utf8)
        }
        #expect(Set(kept).isSuperset(of: ["first", "second", "third"]))
    }

    @Test func `a removed database is recreated with the current state`() async throws {
        let store = await HistoryStore.open(at: directory.url)
        store.record(HistoryTransition(time: .wall, state: .captivePortal))
        await store.flush()
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: directory.database.path + ending)
        }
        await store.flush()
        #expect(notices(of: store).map { $0.hasPrefix("Another program replaced, removed or") } == [true])
        let timeline = try await HistoryReader(directory.url).timeline(from: .wall - 60, to: .wall)
        #expect(timeline.spans.contains { $0.state == .captivePortal })
        await store.close()
    }

    @Test func `a link in place of the database is not followed`() async throws {
        let victim = directory.url.appending(path: "victim")
        try Data("precious".utf8).write(to: victim)
        try FileManager.default.createSymbolicLink(at: directory.database, withDestinationURL: victim)
        let store = await HistoryStore.open(at: directory.url)
        store.record(HistoryTransition(time: .wall, state: .online))
        await store.flush()
        #expect(try Data(contentsOf: victim) == Data("precious".utf8))
        await store.close()
    }

    @Test(arguments: ["", "-wal"])
    func `a pipe in place of a file is reported without waiting for its writer`(ending: String) async throws {
        await record()
        let file = directory.database.path + ending
        try? FileManager.default.removeItem(atPath: file)
        try #require(mkfifo(file, 0o600) == 0)
        #expect {
            try HistoryReader(directory.url)
        } throws: { error in
            "\(error)".contains("not a regular file")
        }
        let store = await HistoryStore.open(at: directory.url)
        #expect(!store.status.isHealthy)
        #expect(notices(of: store).first?.contains("not a regular file") == true)
        await store.close()
    }

    @Test func `a history without record numbers left is reported, and reading it does not trap`() async throws {
        await record()
        let crafted = try DatabaseQueue(path: directory.database.path)
        for (table, columns) in [("transition", "id, time, state"), ("check", "id, time, verdict, passed, asked")] {
            let values = columns.hasSuffix("state") ? "0, 'offline'" : "0, 'verified', 1, 1"
            try await crafted.write { db in
                for number in [Int64.max, .min] {
                    try db.execute(sql: "INSERT INTO \"\(table)\" (\(columns)) VALUES (\(number), \(values))")
                }
                if table == "transition" { try db.execute(sql: "UPDATE transition SET replaced = 5 WHERE id < 0") }
            }
        }
        try await crafted.read { db in
            let last = try Queries.lastRecords(db)
            #expect(last.transition == last.check && last.check < .max)
            for start in [Date.distantPast, .wall] {
                _ = try Queries.timeline(db, from: start, to: .distantFuture)
            }
        }
        try crafted.close()
        #expect {
            try HistoryReader(directory.url)
        } throws: { error in
            "\(error)".contains("no record numbers left")
        }
    }

    @Test func `a reader reports a missing history`() throws {
        #expect {
            try HistoryReader(directory.url)
        } throws: { error in
            "\(error)".contains("there is no history at \(directory.database.path)")
        }
    }
}
