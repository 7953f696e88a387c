// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Dispatch
import GRDB
import SystemSupport

/// An open database that this process may write to.
struct HistoryDatabase: Sendable {
    let writer: any DatabaseWriter
    /// The row number of this run, once it has been written.
    private var run: Int64?

    /// Opens a database and migrates its tables to the latest version.
    init(path: String, busyTimeout: Double) throws {
        var configuration = Configuration()
        configuration.label = "dialtone.history"
        configuration.busyMode = .timeout(busyTimeout)
        configuration.maximumReaderCount = 2
        configuration.qos = .utility
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            guard !db.configuration.readonly else { return }
            // Set before the first table is created, so that the space of removed records is returned to the file
            // system.
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try db.execute(sql: "PRAGMA journal_size_limit = 1048576")
        }
        try self.init(DatabasePool(path: path, configuration: configuration))
    }

    /// Uses a database that is open, and migrates its tables to the latest version.
    init(_ writer: any DatabaseWriter) throws {
        self.writer = writer
        try Schema.migrator.migrate(writer)
    }

    /// The records and the tick that are written in one transaction.
    struct Batch: Sendable {
        var records: PendingRecords.Batch
        /// The numbers that the first of them will have.
        var first: Queries.LastRecords
        /// The events that a collector has acknowledged; nil if there are no more since the last batch.
        var cursor: EventCursor?
        var tick: Tick
    }

    /// Writes the whole batch, or nothing.
    mutating func write(_ batch: Batch) throws {
        let before = run
        run = try writer.write { db in
            for (offset, transition) in batch.records.transitions.enumerated() {
                try transition.insert(into: db, id: batch.first.transition + Int64(offset))
            }
            for (offset, check) in batch.records.checks.enumerated() {
                try check.insert(into: db, id: batch.first.check + Int64(offset))
            }
            try batch.records.findings.write(to: db)
            try batch.records.hosts.write(to: db, from: batch.first.host)
            try batch.cursor?.write(to: db)
            return try Self.write(batch.tick, run: before, db)
        }
    }

    private static func write(_ tick: Tick, run: Int64?, _ db: Database) throws -> Int64 {
        let reading = tick.reading
        if let run {
            try db.cachedStatement(
                sql: "UPDATE run SET wall = ?, boottime = ?, monotonic = ?, isEnd = ? WHERE id = ?"
            ).execute(arguments: [
                reading.wall.milliseconds, reading.boottime, reading.monotonic, tick.isEnd, run,
            ])
            return run
        }
        try db.execute(
            sql: """
                INSERT INTO run (boot, started, wall, boottime, monotonic, interval, isEnd)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                reading.boot, reading.wall.milliseconds, reading.wall.milliseconds, reading.boottime,
                reading.monotonic, tick.interval, tick.isEnd,
            ])
        return db.lastInsertedRowID
    }

    /// Closes the files.
    ///
    /// Checkpoints the write-ahead log first: on read-only storage, only the main database file can be read.
    func close() {
        _ = try? writer.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? writer.close()
    }
}

extension HistoryDatabase {
    /// Removes and thins records that exceed the policy's ages or size.
    ///
    /// - Parameter now: nil if the wall clock is not trustworthy; nothing is then removed by age.
    func retain(_ policy: RetentionPolicy, now: Date?) throws {
        if let now {
            let plan = RetentionPlan(policy, now: now)
            try writer.write { try Self.apply(plan, $0) }
        }
        // Each step is a separate transaction, so that a reader or a crash in between finds a consistent history.
        while try writer.read(Self.usedBytes) > policy.bytes {
            guard let step = try writer.read({ db in try RemovalStep.next { try Self.count($0, db) } }) else { break }
            try writer.write { try Self.apply(step, $0) }
        }
        try writer.writeWithoutTransaction { db in
            _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum")
            _ = try db.checkpoint(.passive)
        }
    }

    /// The number of bytes the database uses, excluding free pages.
    static func usedBytes(_ db: Database) throws -> Int {
        func number(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
        return try (number("page_count") - number("freelist_count")) * number("page_size")
    }

    private static func count(_ kind: RecordKind, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(kind.rows.table)") ?? 0
    }

    private static func apply(_ plan: RetentionPlan, _ db: Database) throws {
        // Transitions that ended before the cutoff. The clock may have been wrong, so neither the order nor the time
        // alone identifies them.
        try db.execute(
            sql: """
                DELETE FROM transition WHERE id IN (
                    SELECT id FROM (
                        SELECT id, time, lead(time) OVER (ORDER BY id) AS ended FROM transition WHERE id <=
                            (SELECT id FROM transition WHERE time <= :time ORDER BY id DESC LIMIT 1))
                    WHERE time < :time AND ended <= :time)
                """,
            arguments: ["time": plan.transitionsBefore.milliseconds])
        try db.execute(
            sql: "DELETE FROM \"check\" WHERE time < ?", arguments: [plan.checksBefore.milliseconds])
        // Older versions kept summaries of checks, which nothing reads.
        try db.execute(sql: "DELETE FROM checkSummary")
        try HopPeriod.thinMinutes(before: plan.hopMinutesBefore.milliseconds, db)
        try db.execute(
            sql: "DELETE FROM hopPeriod WHERE length = ? AND start < ?",
            arguments: [RetentionPlan.hour, plan.hoursBefore.milliseconds])
        try db.execute(
            sql: "DELETE FROM hostPeriod WHERE start < ?", arguments: [plan.checksBefore.milliseconds])
        // The last record stays, so that its number is not used again.
        try db.execute(
            sql: "DELETE FROM hostChange WHERE time < ? AND id < (SELECT max(id) FROM hostChange)",
            arguments: [plan.transitionsBefore.milliseconds])
        try db.execute(sql: "DELETE FROM silence WHERE \"end\" < ?", arguments: [plan.transitionsBefore.milliseconds])
        // Runs add no information beyond the transitions, except for the last run.
        try db.execute(sql: "DELETE FROM run WHERE id < (SELECT max(id) FROM run)")
    }

    private static func apply(_ step: RemovalStep, _ db: Database) throws {
        let (table, key, age) = step.kind.rows
        try db.execute(
            sql: "DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) ORDER BY \(age) LIMIT ?)",
            arguments: [step.count])
    }
}
