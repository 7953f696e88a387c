// SPDX-License-Identifier: Apache-2.0

import Dialtone
import GRDB
import SystemSupport

/// The queries on the database, shared by the process that writes it and those that only read it.
enum Queries {
    /// Reads the transitions that a window needs, in recording order, starting with the one in effect at the start of
    /// the window, and its silences.
    ///
    /// - Parameter waiting: the records that are not written yet.
    static func timeline(
        _ db: Database, from start: Date, to end: Date, waiting: WaitingRecords = .init()
    ) throws -> TimelineAccumulator {
        var accumulator = TimelineAccumulator(from: start, to: end)
        accumulator.silences = try Silence.fetch(db, from: start, to: end)
        let first = try firstTransition(db, from: start, to: end, waiting: waiting)
        // The numbers may come from a damaged file.
        let others = max(0, try lastRecords(db).transition) - max(0, first)
        accumulator.reserve(1 + Int(min(max(0, others), 2_000_000)))
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(try HistoryTransition.columns(db)) FROM transition WHERE id >= ? ORDER BY id",
            arguments: [first])
        let end = end.milliseconds
        var isInWindow = false
        var replaced = ReplacedRecords(try replacedRecords(db) + waiting.replaced)
        while let row = try rows.next() {
            if replaced.contains(try row.decode(Int64.self, atIndex: 0)) { continue }
            // A transition after one in the window marks its end, or shows that the clock was set back.
            let wasInWindow = isInWindow
            isInWindow = try HistoryTransition.time(of: row) < end
            if isInWindow || wasInWindow { accumulator.add(try HistoryTransition(row: row)) }
        }
        return accumulator
    }

    /// The number of the transition in effect at the start of a window.
    ///
    /// Absences hide nothing, so it may be a much earlier transition if the clock was set back and forward again.
    private static func firstTransition(
        _ db: Database, from start: Date, to end: Date, waiting: WaitingRecords
    ) throws -> Int64 {
        guard waiting.replaced.isEmpty else { return 0 }
        let causes = HistoryTransition.causesOfAbsence.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let isAbsence = "(state IN ('notWatching', 'asleep') AND coalesce(cause IN (\(causes)), 0))"
        let isReplaced =
            try hasReplacements(db)
            ? "EXISTS (SELECT 1 FROM transition AS later WHERE replaced IS NOT NULL AND id > this.id AND id - replaced <= this.id)"
            : "0"
        let first = try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM transition AS this WHERE time <= ? AND NOT \(isAbsence) AND NOT \(isReplaced)
                ORDER BY id DESC LIMIT 1
                """,
            arguments: [start.milliseconds])
        guard let first else { return 0 }
        let kept = try Int64.fetchOne(
            db, sql: "SELECT min(time) FROM transition WHERE id > ? AND time < ? AND \(isAbsence)",
            arguments: [first, end.milliseconds])
        let absences = [kept].compactMap(\.self) + waiting.records.filter(\.isAbsence).map(\.time.milliseconds)
        guard let absence = absences.min() else { return first }
        let isHiding = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM transition WHERE id <= ? AND time > ?)",
            arguments: [first, absence])
        return isHiding == true ? 0 : first
    }

    /// The numbers of the records that later ones replace, in order; none in a history that an older version wrote.
    static func replacedRecords(_ db: Database) throws -> [Range<Int64>] {
        guard try hasReplacements(db) else { return [] }
        return try Row.fetchAll(db, sql: "SELECT id, replaced FROM transition WHERE replaced IS NOT NULL ORDER BY id")
            .map {
                let id = max(0, try $0.decode(Int64.self, atIndex: 0))
                return max(0, id - Int64(try $0.clampedCount(atIndex: 1)))..<id
            }
    }

    private static func hasReplacements(_ db: Database) throws -> Bool {
        try db.columns(in: "transition").contains { $0.name == "replaced" }
    }

    /// Reads the first single checks in a window, in time order.
    static func singleChecks(_ db: Database, from start: Date, to end: Date, limit: Int) throws -> [CheckRecord] {
        try Row.fetchAll(
            db,
            sql:
                "SELECT \(try CheckRecord.columns(db)) FROM \"check\" WHERE time >= ? AND time < ? ORDER BY time LIMIT ?",
            arguments: [start.milliseconds, end.milliseconds, limit]
        ).map(CheckRecord.init(row:))
    }

    /// Reads the latest checks with remarks in a window, and the first check after each series of them, in time order.
    static func remarkedChecks(_ db: Database, from start: Date, to end: Date, limit: Int) throws -> [CheckRecord] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM (
                    SELECT *, lag(remarks) OVER (ORDER BY time) AS before FROM (
                        SELECT \(try CheckRecord.columns(db)) FROM "check" WHERE time >= ? AND time < ?))
                WHERE remarks IS NOT NULL OR before IS NOT NULL ORDER BY time DESC LIMIT ?
                """,
            arguments: [start.milliseconds, end.milliseconds, limit]
        ).reversed().map(CheckRecord.init(row:))
    }

    /// The last tick of the last run; nil in a new history.
    static func tick(_ db: Database) throws -> Tick? {
        try Row.fetchOne(db, sql: "SELECT * FROM run ORDER BY id DESC LIMIT 1").map(Tick.init(row:))
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

/// The records that are not on disk yet, and the number that the first of them will have.
struct WaitingRecords: Sendable {
    var records: [HistoryTransition] = []
    var first: Int64 = 1

    /// The numbers of the records that these replace.
    var replaced: [Range<Int64>] {
        records.indices.filter { records[$0].replaced > 0 }.map { index in
            let number = first + Int64(index)
            return number - Int64(records[index].replaced)..<number
        }
    }

    /// Calls a closure with those that no later one replaces, after a number.
    func forEach(after last: Int64, _ body: (HistoryTransition) -> Void) {
        var replaced = ReplacedRecords(replaced)
        for (number, record) in zip(first..., records) where !replaced.contains(number) && number > last {
            body(record)
        }
    }
}

/// Whether a record is replaced by a later one; asked in order of the numbers.
struct ReplacedRecords {
    private var ranges: ArraySlice<Range<Int64>>
    private var end = Int64.min

    init(_ ranges: [Range<Int64>]) { self.ranges = ranges[...] }

    mutating func contains(_ number: Int64) -> Bool {
        while let next = ranges.first, next.lowerBound <= number {
            end = max(end, next.upperBound)
            ranges.removeFirst()
        }
        return number < end
    }
}

extension HistoryTransition {
    private static let columns = "id, time, state, cause, interfaceName, interfaceType"
    private static let laterColumns = ["reason", "fault", "number", "earliest"]
    /// The columns that only events need.
    static let eventColumns = ["isSilent", "outages"]

    /// The columns to read; those that a history of an older version does not have are null.
    static func columns(_ db: Database, _ more: [String] = []) throws -> String {
        let names = try db.columns(in: "transition").map(\.name)
        return ([columns] + (laterColumns + more).map { names.contains($0) ? $0 : "NULL" }).joined(separator: ", ")
    }

    /// Decodes a row of the table `transition` by column index, as listed in ``columns(_:)``, because there may be very
    /// many rows.
    ///
    /// An unknown state, written by a newer program, is read as `unknown`.
    init(row: Row) throws {
        self.init(
            time: Date(milliseconds: try Self.time(of: row)),
            earliest: try row.decode(Int64?.self, atIndex: 9).map(Date.init(milliseconds:)),
            state: HistoryState(rawValue: try row.decode(String.self, atIndex: 2)) ?? .unknown,
            cause: try row.decode(String?.self, atIndex: 3).map(HistoryCause.init(rawValue:)),
            interfaceName: try row.decode(String?.self, atIndex: 4),
            interfaceType: try row.decode(String?.self, atIndex: 5), reason: try row.decode(String?.self, atIndex: 6),
            fault: try row.decode(String?.self, atIndex: 7).flatMap(ConnectivityFault.init(rawValue:)),
            number: try row.decode(Int?.self, atIndex: 8))
        guard row.count > 10 else { return }
        isSilent = try row.decode(Bool?.self, atIndex: 10) ?? false
        outages =
            try row.decode(String?.self, atIndex: 11).flatMap {
                try? JSONDecoder().decode([Outage].self, from: Data($0.utf8))
            } ?? []
    }

    /// The time in such a row, in milliseconds since 1970.
    static func time(of row: Row) throws -> Int64 { try row.decode(Int64.self, atIndex: 1) }

    func insert(into db: Database, id: Int64) throws {
        let columns = ([Self.columns] + Self.laterColumns + Self.eventColumns + ["replaced"]).joined(separator: ", ")
        try db.cachedStatement(
            sql: "INSERT INTO transition (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        .execute(arguments: [
            id, time.milliseconds, state.rawValue, cause?.rawValue, interfaceName, interfaceType, reason,
            fault?.rawValue, number, earliest?.milliseconds, isSilent ? true : nil,
            outages.isEmpty ? nil : OneLineJSON.string(outages), replaced > 0 ? replaced : nil,
        ])
    }
}

extension CheckRecord {
    private static let columns = "id, time, verdict, cause, latency, passed, asked"
    private static let laterColumns = ["resolve", "connect", "tls", "headers", "remarks"]

    /// The columns to read; those that a history of an older version does not have are null.
    static func columns(_ db: Database) throws -> String {
        let names = try db.columns(in: "check").map(\.name)
        return ([columns] + laterColumns.map { names.contains($0) ? $0 : "NULL AS \($0)" }).joined(separator: ", ")
    }

    /// Decodes a row of the table `check` by column index, as listed in ``columns(_:)``.
    init(row: Row) throws {
        self.init(
            time: Date(milliseconds: try row.decode(Int64.self, atIndex: 1)),
            verdict: Verdict(rawValue: try row.decode(String.self, atIndex: 2)) ?? .inconclusive,
            cause: try row.decode(String?.self, atIndex: 3).map(HistoryCause.init(rawValue:)),
            latency: try row.latency(atIndex: 4), passed: try row.decode(Int.self, atIndex: 5),
            asked: try row.decode(Int.self, atIndex: 6))
        resolve = try row.latency(atIndex: 7)
        connect = try row.latency(atIndex: 8)
        tls = try row.latency(atIndex: 9)
        headers = try row.latency(atIndex: 10)
        remarks = try row.decode(String?.self, atIndex: 11).flatMap {
            try? JSONDecoder().decode([String: String].self, from: Data($0.utf8))
        }
    }

    func insert(into db: Database, id: Int64) throws {
        let columns = ([Self.columns] + Self.laterColumns).joined(separator: ", ")
        try db.cachedStatement(sql: "INSERT INTO \"check\" (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            .execute(arguments: [
                id, time.milliseconds, verdict.rawValue, cause?.rawValue, latency, Int64(passed), Int64(asked),
                resolve, connect, tls, headers, remarks.map { OneLineJSON.string($0) },
            ])
    }
}

extension Tick {
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
    func clampedCount(atIndex index: Int) throws -> Int { try decode(Int64.self, atIndex: index).clampedCount }

    /// A latency in seconds; nil for an invalid number, as in a damaged file.
    func latency(atIndex index: Int) throws -> Double? {
        guard let value = try decode(Double?.self, atIndex: index), value >= 0, value < 1e9 else { return nil }
        return value
    }
}

extension FixedWidthInteger {
    /// A count: no real history has counts as large as the bound, which keeps their sums from overflowing.
    var clampedCount: Int { Swift.max(0, Int(Int32(clamping: self))) }
}
