//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import FoundationEssentials
import GRDB

/// An open database that this process may write to.
struct HistoryDatabase: Sendable {
    let pool: DatabasePool
    /// The number of this run, once it has been written.
    private var run: Int64?

    /// Opens a database and brings its tables to the newest version.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "dialtone.history"
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 2
        configuration.qos = .utility
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            guard !db.configuration.readonly else { return }
            // Before the first table, so that what retention removes leaves the disk.
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try db.execute(sql: "PRAGMA journal_size_limit = 1048576")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try Schema.migrator.migrate(pool)
    }

    /// What is written together.
    struct Batch: Sendable {
        var transitions: [HistoryTransition]
        var firstTransition: Int64
        var checks: [CheckRecord]
        var firstCheck: Int64
        var beat: Beat
    }

    /// Writes all of it, or nothing.
    mutating func write(_ batch: Batch) throws {
        let before = run
        run = try pool.write { db in
            for (offset, transition) in batch.transitions.enumerated() {
                try transition.insert(into: db, id: batch.firstTransition + Int64(offset))
            }
            for (offset, check) in batch.checks.enumerated() {
                try check.insert(into: db, id: batch.firstCheck + Int64(offset))
            }
            return try Self.write(batch.beat, run: before, db)
        }
    }

    private static func write(_ beat: Beat, run: Int64?, _ db: Database) throws -> Int64 {
        let reading = beat.reading
        if let run {
            try db.cachedStatement(
                sql: "UPDATE run SET wall = ?, boottime = ?, monotonic = ?, isEnd = ? WHERE id = ?"
            ).execute(arguments: [
                reading.wall.milliseconds, reading.boottime, reading.monotonic, beat.isEnd, run,
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
                reading.monotonic, beat.interval, beat.isEnd,
            ])
        return db.lastInsertedRowID
    }

    /// Closes the files.
    ///
    /// Everything is brought into the one file before: where nothing can be written any more, that alone can be read.
    func close() {
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? pool.close()
    }
}
