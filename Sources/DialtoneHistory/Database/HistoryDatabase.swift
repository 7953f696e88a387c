// SPDX-License-Identifier: Apache-2.0

import DialtoneSupport
import Dispatch
import GRDB

/// An open database that this process may write to.
struct HistoryDatabase: Sendable {
    let pool: DatabasePool
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
        pool = try DatabasePool(path: path, configuration: configuration)
        try Schema.migrator.migrate(pool)
    }

    /// The records and the heartbeat that are written in one transaction.
    struct Batch: Sendable {
        var transitions: [HistoryTransition]
        var firstTransition: Int64
        var checks: [CheckRecord]
        var firstCheck: Int64
        var heartbeat: Heartbeat
    }

    /// Writes the whole batch, or nothing.
    mutating func write(_ batch: Batch) throws {
        let before = run
        run = try pool.write { db in
            for (offset, transition) in batch.transitions.enumerated() {
                try transition.insert(into: db, id: batch.firstTransition + Int64(offset))
            }
            for (offset, check) in batch.checks.enumerated() {
                try check.insert(into: db, id: batch.firstCheck + Int64(offset))
            }
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
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? pool.close()
    }
}
