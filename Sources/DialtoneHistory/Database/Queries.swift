// SPDX-License-Identifier: Apache-2.0

import GRDB
import SystemSupport

/// The queries on the database, shared by the process that writes it and those that only read it.
enum Queries {
    /// Reads the transitions that a window needs, in recording order, starting with the one in effect at the start of
    /// the window.
    ///
    /// - Parameters:
    ///   - waiting: the records that are not written yet.
    ///   - begin: called first, with the maximum number of transitions.
    ///   - body: called with each transition.
    static func transitions(
        _ db: Database, from start: Date, to end: Date, waiting: [HistoryTransition] = [],
        begin: (Int) -> Void = { _ in }, _ body: (HistoryTransition) -> Void
    ) throws {
        let first = try firstTransition(db, from: start, to: end, waiting: waiting)
        begin(Int(clamping: try lastRecords(db).transition - max(0, first) + 1))
        // Includes each transition whose predecessor is in the window: it marks the predecessor's end, or shows that
        // the clock was set back.
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(HistoryTransition.columns) FROM
                    (SELECT *, lag(time) OVER (ORDER BY id) AS earlier FROM transition WHERE id >= :first)
                WHERE time < :end OR earlier < :end ORDER BY id
                """,
            arguments: ["first": first, "end": end.milliseconds])
        while let row = try rows.next() { body(try HistoryTransition(row: row)) }
    }

    /// Returns the same transitions as an array.
    static func transitions(
        _ db: Database, from start: Date, to end: Date, waiting: [HistoryTransition] = []
    ) throws -> [HistoryTransition] {
        var transitions: [HistoryTransition] = []
        try self.transitions(db, from: start, to: end, waiting: waiting) { transitions.append($0) }
        return transitions
    }

    /// Returns the same transitions as the beginning of a timeline.
    static func timeline(
        _ db: Database, from start: Date, to end: Date, waiting: [HistoryTransition] = []
    ) throws -> TimelineAccumulator {
        var accumulator = TimelineAccumulator(from: start, to: end)
        // The count may come from a damaged file.
        try transitions(
            db, from: start, to: end, waiting: waiting, begin: { accumulator.reserve(max(0, min($0, 2_000_000))) }
        ) { accumulator.add($0) }
        return accumulator
    }

    /// The number of the transition in effect at the start of a window.
    ///
    /// Absences hide nothing, so it may be a much earlier transition if the clock was set back and forward again.
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

    /// Reads the checks in a window and combines them into at most `maximum` summaries.
    static func checks(
        _ db: Database, from start: Date, to end: Date, maximum: Int
    ) throws -> CheckAccumulator {
        let window: StatementArguments = [start.milliseconds, end.milliseconds]
        var checks = CheckAccumulator(from: start, to: end, maximum: maximum)
        let summaries = try Row.fetchCursor(
            db, sql: "SELECT * FROM checkSummary WHERE start + length > ? AND start < ? ORDER BY start",
            arguments: window)
        while let row = try summaries.next() { checks.add(try CheckSummary(row: row)) }
        let single = try Row.fetchCursor(
            db, sql: "SELECT \(CheckRecord.columns) FROM \"check\" WHERE time >= ? AND time < ? ORDER BY time",
            arguments: window)
        while let row = try single.next() { checks.add(CheckSummary(try CheckRecord(row: row))) }
        return checks
    }

    /// The last heartbeat of the last run; nil in a new history.
    static func heartbeat(_ db: Database) throws -> Heartbeat? {
        try Row.fetchOne(db, sql: "SELECT * FROM run ORDER BY id DESC LIMIT 1").map(Heartbeat.init(row:))
    }

    /// Returns the numbers of the last records, clamped to `0...LastRecords.limit`: calculations with the numbers in
    /// a damaged file could overflow.
    static func lastRecords(_ db: Database) throws -> LastRecords {
        func last(_ table: String) throws -> Int64 {
            min(max(0, try Int64.fetchOne(db, sql: "SELECT max(id) FROM \"\(table)\"") ?? 0), LastRecords.limit)
        }
        // A history that an older version wrote has no changes of hosts.
        let host = try db.tableExists("hostChange") ? try last("hostChange") : 0
        return LastRecords(transition: try last("transition"), check: try last("check"), host: host)
    }

    /// The numbers of the last records of each kind.
    struct LastRecords: Sendable {
        /// A number that no real history reaches.
        static let limit = Int64.max / 2

        var transition: Int64
        var check: Int64
        var host: Int64

        var next: Self { Self(transition: transition + 1, check: check + 1, host: host + 1) }
        var previous: Self { Self(transition: transition - 1, check: check - 1, host: host - 1) }
    }
}

extension HistoryTransition {
    static let columns = "id, time, state, cause, interfaceName, interfaceType"

    /// Decodes a row of the table `transition` by column index, as listed in ``columns``, because there may be very
    /// many rows.
    ///
    /// An unknown state, written by a newer program, is read as `unknown`.
    init(row: Row) throws {
        self.init(
            time: Date(milliseconds: try row.decode(Int64.self, atIndex: 1)),
            state: HistoryState(rawValue: try row.decode(String.self, atIndex: 2)) ?? .unknown,
            cause: try row.decode(String?.self, atIndex: 3).map(HistoryCause.init(rawValue:)),
            interfaceName: try row.decode(String?.self, atIndex: 4),
            interfaceType: try row.decode(String?.self, atIndex: 5))
    }

    func insert(into db: Database, id: Int64) throws {
        try db.cachedStatement(sql: "INSERT INTO transition (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)")
            .execute(arguments: [id, time.milliseconds, state.rawValue, cause?.rawValue, interfaceName, interfaceType])
    }
}

extension CheckRecord {
    static let columns = "id, time, verdict, cause, latency, passed, asked"

    init(row: Row) throws {
        self.init(
            time: Date(milliseconds: try row.decode(Int64.self, forColumn: "time")),
            verdict: Verdict(rawValue: try row.decode(String.self, forColumn: "verdict")) ?? .inconclusive,
            cause: try row.decode(String?.self, forColumn: "cause").map(HistoryCause.init(rawValue:)),
            latency: try row.latency("latency"),
            passed: try row.decode(Int.self, forColumn: "passed"), asked: try row.decode(Int.self, forColumn: "asked"))
    }

    func insert(into db: Database, id: Int64) throws {
        try db.cachedStatement(sql: "INSERT INTO \"check\" (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
            .execute(arguments: [
                id, time.milliseconds, verdict.rawValue, cause?.rawValue, latency, Int64(passed), Int64(asked),
            ])
    }
}

extension CheckSummary {
    init(row: Row) throws {
        // No real history has counts this large; clamping keeps their sums from overflowing.
        func number(_ name: String) throws -> Int {
            let number = try row.decode(Int64.self, forColumn: name)
            return Int(min(max(0, number), Int64(Int32.max)))
        }
        var verdicts: [CheckRecord.Verdict: Int] = [:]
        for verdict in CheckRecord.Verdict.allCases {
            let count = try number(verdict.rawValue)
            if count > 0 { verdicts[verdict] = count }
        }
        let latencies = try number("latencies")
        let total = try row.latency("total") ?? 0
        self.init(
            start: Date(milliseconds: try row.decode(Int64.self, forColumn: "start")),
            length: Double(try row.decode(Int64.self, forColumn: "length")) / 1000, verdicts: verdicts,
            shortestLatency: try row.latency("shortest"),
            meanLatency: latencies > 0 ? total / Double(latencies) : nil,
            longestLatency: try row.latency("longest"), latencies: latencies)
    }
}

extension Heartbeat {
    init(row: Row) throws {
        self.init(
            reading: ClockReading(
                wall: Date(milliseconds: try row.decode(Int64.self, forColumn: "wall")),
                boottime: try row.decode(Double.self, forColumn: "boottime"),
                monotonic: try row.decode(Double.self, forColumn: "monotonic"),
                boot: try row.decode(String.self, forColumn: "boot")),
            isEnd: try row.decode(Bool.self, forColumn: "isEnd"),
            interval: try row.decode(Double.self, forColumn: "interval"))
    }
}

extension Row {
    /// A latency in seconds; nil for an invalid number, as in a damaged file.
    fileprivate func latency(_ name: String) throws -> Double? {
        guard let value = try decode(Double?.self, forColumn: name), value >= 0, value < 1e9 else { return nil }
        return value
    }
}
