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
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "dialtone.history"
        configuration.busyMode = .timeout(5)
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

    /// The records and the heartbeat that are written in one transaction.
    struct Batch: Sendable {
        var records: PendingRecords.Batch
        /// The numbers that the first of them will have.
        var first: Queries.LastRecords
        /// The events that a collector has acknowledged; nil if there are no more since the last batch.
        var cursor: EventCursor?
        var heartbeat: Heartbeat
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
            return try Self.write(batch.heartbeat, run: before, db)
        }
    }

    private static func write(_ heartbeat: Heartbeat, run: Int64?, _ db: Database) throws -> Int64 {
        let reading = heartbeat.reading
        if let run {
            try db.cachedStatement(
                sql: "UPDATE run SET wall = ?, boottime = ?, monotonic = ?, isEnd = ? WHERE id = ?"
            ).execute(arguments: [
                reading.wall.milliseconds, reading.boottime, reading.monotonic, heartbeat.isEnd, run,
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
                reading.monotonic, heartbeat.interval, heartbeat.isEnd,
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
            guard let step = RemovalStep.step(try writer.read(Self.counts)) else { break }
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

    static func counts(_ db: Database) throws -> RecordCounts {
        func count(_ table: String, _ condition: String = "1") throws -> Int {
            try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\" WHERE \(condition)") ?? 0
        }
        return RecordCounts(
            transitions: try count("transition"), checks: try count("check"),
            minutes: try count("checkSummary", "length = \(RetentionPlan.minute)"),
            hours: try count("checkSummary", "length = \(RetentionPlan.hour)"), hosts: try count("hostChange"),
            hops: try count("hopPeriod"))
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
        try thinChecks(before: plan.checksBefore.milliseconds, db)
        try thinMinutes(before: plan.minutesBefore.milliseconds, db)
        try HopPeriod.thinMinutes(before: plan.hopMinutesBefore.milliseconds, db)
        for table in ["checkSummary", "hopPeriod"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE length = ? AND start < ?",
                arguments: [RetentionPlan.hour, plan.hoursBefore.milliseconds])
        }
        try db.execute(
            sql: "DELETE FROM hostPeriod WHERE start < ?", arguments: [plan.checksBefore.milliseconds])
        // The last record stays, so that its number is not used again.
        try db.execute(
            sql: "DELETE FROM hostChange WHERE time < ? AND id < (SELECT max(id) FROM hostChange)",
            arguments: [plan.transitionsBefore.milliseconds])
        try db.execute(sql: "DELETE FROM silence WHERE \"end\" < ?", arguments: [plan.transitionsBefore.milliseconds])
        // Runs add no information beyond the transitions, except for the last run.
        try db.execute(
            sql: "DELETE FROM run WHERE wall < ? AND id < (SELECT max(id) FROM run)",
            arguments: [plan.transitionsBefore.milliseconds])
    }

    private static var verdicts: [String] { CheckRecord.Verdict.allCases.map(\.rawValue) }

    /// The `ON CONFLICT` clause that merges two summaries of the same period.
    private static var merging: String {
        let sums = (verdicts + ["total", "latencies"]).map { "\($0) = \($0) + excluded.\($0)" }
        let extremes = [("shortest", "min"), ("longest", "max")].map { name, function in
            "\(name) = coalesce(\(function)(\(name), excluded.\(name)), \(name), excluded.\(name))"
        }
        return "ON CONFLICT (length, start) DO UPDATE SET " + (sums + extremes).joined(separator: ", ")
    }

    private static var names: String {
        (["length", "start"] + verdicts + ["shortest", "total", "longest", "latencies"]).joined(separator: ", ")
    }

    private static func thinChecks(before time: Int64, _ db: Database) throws {
        let counts = verdicts.map { "sum(verdict = '\($0)')" }.joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT INTO checkSummary (\(names))
                SELECT \(RetentionPlan.minute), time / \(RetentionPlan.minute) * \(RetentionPlan.minute), \(counts),
                    min(latency), total(latency), max(latency), count(latency)
                FROM "check" WHERE time < :time GROUP BY 2 \(merging);
                DELETE FROM "check" WHERE time < :time
                """,
            arguments: ["time": time])
    }

    private static func thinMinutes(before time: Int64, _ db: Database) throws {
        let sums = verdicts.map { "sum(\($0))" }.joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT INTO checkSummary (\(names))
                SELECT \(RetentionPlan.hour), start / \(RetentionPlan.hour) * \(RetentionPlan.hour), \(sums),
                    min(shortest), total(total), max(longest), sum(latencies)
                FROM checkSummary WHERE length = \(RetentionPlan.minute) AND start < :time GROUP BY 2 \(merging);
                DELETE FROM checkSummary WHERE length = \(RetentionPlan.minute) AND start < :time
                """,
            arguments: ["time": time])
    }

    private static func apply(_ step: RemovalStep, _ db: Database) throws {
        switch step {
        case .transitions(let count):
            try db.execute(
                sql: "DELETE FROM transition WHERE id IN (SELECT id FROM transition ORDER BY id LIMIT ?)",
                arguments: [count])
            // Silences are listed with outages, and are no older.
            try db.execute(
                sql: "DELETE FROM silence WHERE \"end\" < (SELECT time FROM transition ORDER BY id LIMIT 1)")
        case .checks(let count):
            try db.execute(
                sql: "DELETE FROM \"check\" WHERE id IN (SELECT id FROM \"check\" ORDER BY time LIMIT ?)",
                arguments: [count])
        case .hosts(let count):
            try db.execute(
                sql: "DELETE FROM hostChange WHERE id IN (SELECT id FROM hostChange ORDER BY id LIMIT ?)",
                arguments: [count])
        case .hops(let count):
            // The minutes before the hours.
            try db.execute(
                sql: """
                    DELETE FROM hopPeriod WHERE (length, start, hop) IN
                        (SELECT length, start, hop FROM hopPeriod ORDER BY length, start LIMIT ?)
                    """,
                arguments: [count])
        case .minutes(let count): try removeSummaries(of: RetentionPlan.minute, count, db)
        case .hours(let count): try removeSummaries(of: RetentionPlan.hour, count, db)
        }
    }

    private static func removeSummaries(of length: Int64, _ count: Int, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM checkSummary WHERE length = :length AND start <=
                    (SELECT start FROM checkSummary WHERE length = :length ORDER BY start LIMIT 1 OFFSET :offset)
                """,
            arguments: ["length": length, "offset": count - 1])
    }
}
