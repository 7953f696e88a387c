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
    ///
    /// - Parameter waiting: what is yet to be written.
    static func transitions(
        _ db: Database, from start: Date, to end: Date, waiting: [HistoryTransition] = []
    ) throws -> [HistoryTransition] {
        let first = try firstTransition(db, from: start, to: end, waiting: waiting)
        var transitions: [HistoryTransition] = []
        // With those that follow one in the window: they say until when it was the case, or that the clock was set back.
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(HistoryTransition.columns) FROM
                    (SELECT *, lag(time) OVER (ORDER BY id) AS earlier FROM transition WHERE id >= :first)
                WHERE time < :end OR earlier < :end ORDER BY id
                """,
            arguments: ["first": first, "end": end.milliseconds])
        while let row = try rows.next() { transitions.append(try HistoryTransition(row: row)) }
        return transitions
    }

    /// The number of the transition that was the case at the start of a window: absences hide nothing, so that after a clock
    /// was set back and forward again it may be a much earlier one.
    private static func firstTransition(
        _ db: Database, from start: Date, to end: Date, waiting: [HistoryTransition]
    ) throws -> Int64 {
        let causes = HistoryTransition.causesOfAbsence.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let isAbsence = "(state IN ('notWatching', 'asleep') AND coalesce(cause IN (\(causes)), 0))"
        let first = try Int64.fetchOne(
            db, sql: "SELECT id FROM transition WHERE time <= ? AND NOT \(isAbsence) ORDER BY id DESC LIMIT 1",
            arguments: [start.milliseconds])
        guard let first else { return 0 }
        let kept = try Int64.fetchOne(
            db, sql: "SELECT min(time) FROM transition WHERE id > ? AND time < ? AND \(isAbsence)",
            arguments: [first, end.milliseconds])
        let absences = [kept].compactMap(\.self) + waiting.filter(\.isAbsence).map(\.time.milliseconds)
        guard let absence = absences.min() else { return first }
        let isHiding = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM transition WHERE id <= ? AND time > ?)",
            arguments: [first, absence])
        return isHiding == true ? 0 : first
    }

    /// What the checks in a window came to, in the order of time.
    static func checks(_ db: Database, from start: Date, to end: Date) throws -> [CheckSummary] {
        let window: StatementArguments = [start.milliseconds, end.milliseconds]
        var checks: [CheckSummary] = []
        let summaries = try Row.fetchCursor(
            db, sql: "SELECT * FROM checkSummary WHERE start + length > ? AND start < ? ORDER BY start",
            arguments: window)
        while let row = try summaries.next() { checks.append(try CheckSummary(row: row)) }
        let single = try Row.fetchCursor(
            db, sql: "SELECT \(CheckRecord.columns) FROM \"check\" WHERE time >= ? AND time < ? ORDER BY time",
            arguments: window)
        while let row = try single.next() { checks.append(CheckSummary(try CheckRecord(row: row))) }
        return checks
    }

    /// The last sign of life of the last run; nil in a new history.
    static func beat(_ db: Database) throws -> Beat? {
        try Row.fetchOne(db, sql: "SELECT * FROM run ORDER BY id DESC LIMIT 1").map(Beat.init(row:))
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
