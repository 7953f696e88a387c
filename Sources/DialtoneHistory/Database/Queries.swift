//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials
import GRDB

/// What is asked of the database; the same for the one that writes it and for those that only read.
enum Queries {
    /// The transitions that a window needs, in the order in which they were recorded, from the one on that was the case at
    /// its start.
    static func transitions(_ db: Database, from start: Date, to end: Date) throws -> [HistoryTransition] {
        let first = try Int64.fetchOne(
            db, sql: "SELECT id FROM transition WHERE time <= ? ORDER BY id DESC LIMIT 1",
            arguments: [start.milliseconds])
        var transitions: [HistoryTransition] = []
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(HistoryTransition.columns) FROM transition WHERE id >= ? AND time < ? ORDER BY id",
            arguments: [first ?? 0, end.milliseconds])
        while let row = try rows.next() { transitions.append(HistoryTransition(row: row)) }
        return transitions
    }

    /// What the checks in a window came to, in the order of time.
    static func checks(_ db: Database, from start: Date, to end: Date) throws -> [CheckSummary] {
        let window: StatementArguments = [start.milliseconds, end.milliseconds]
        var checks: [CheckSummary] = []
        let summaries = try Row.fetchCursor(
            db, sql: "SELECT * FROM checkSummary WHERE start + length > ? AND start < ? ORDER BY start",
            arguments: window)
        while let row = try summaries.next() { checks.append(CheckSummary(row: row)) }
        let single = try Row.fetchCursor(
            db, sql: "SELECT \(CheckRecord.columns) FROM \"check\" WHERE time >= ? AND time < ? ORDER BY time",
            arguments: window)
        while let row = try single.next() { checks.append(CheckSummary(CheckRecord(row: row))) }
        return checks
    }

    /// The last sign of life of the last run; nil in a new history.
    static func beat(_ db: Database) throws -> Beat? {
        try Row.fetchOne(db, sql: "SELECT * FROM run ORDER BY id DESC LIMIT 1").map(Beat.init)
    }

    /// The numbers of the last records.
    static func lastRecords(_ db: Database) throws -> LastRecords {
        LastRecords(
            transition: try Int64.fetchOne(db, sql: "SELECT max(id) FROM transition") ?? 0,
            check: try Int64.fetchOne(db, sql: "SELECT max(id) FROM \"check\"") ?? 0)
    }

    /// The numbers of the last records.
    struct LastRecords: Sendable {
        var transition: Int64
        var check: Int64
    }
}
