// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import GRDB
import SystemSupport

extension HistoryStore {
    /// Records the loss and the round trips of a minute.
    package func record(_ minute: HopMinute) { schedule { $0.pending.findings.minutes.append(minute) } }

    /// Returns the first periods of the hops in a window of time, without those that wait for the disk.
    package func hops(from start: Date, to end: Date, limit: Int) async throws(HistoryReadingError) -> [HopPeriod] {
        try await records { try HopPeriod.fetch($0, from: start, to: end, limit: limit) }
    }

    /// Returns the first single checks in a window of time, without those that wait for the disk.
    package func singleChecks(
        from start: Date, to end: Date, limit: Int
    ) async throws(HistoryReadingError) -> [CheckRecord] {
        try await records { try Queries.singleChecks($0, from: start, to: end, limit: limit) }
    }

    /// Returns the latest checks with remarks in a window of time, and the first check after each series of them, without those
    /// that wait for the disk.
    package func remarkedChecks(
        from start: Date, to end: Date, limit: Int
    ) async throws(HistoryReadingError) -> [CheckRecord] {
        try await records { try Queries.remarkedChecks($0, from: start, to: end, limit: limit) }
    }
}

extension HistoryReader {
    /// Returns the periods of the hops in a window of time.
    package func hops(from start: Date, to end: Date) async throws(HistoryReadingError) -> [HopPeriod] {
        try await read { try HopPeriod.fetch($0, from: start, to: end, limit: .max) }
    }

    /// Returns the single checks in a window of time.
    package func singleChecks(from start: Date, to end: Date) async throws(HistoryReadingError) -> [CheckRecord] {
        try await read { try Queries.singleChecks($0, from: start, to: end, limit: .max) }
    }
}

extension HopPeriod {
    private static let columns = "length, start, hop, sent, lost, shortest, median, longest, late"

    /// Reads the first periods that begin in a window, in time order.
    static func fetch(_ db: Database, from start: Date, to end: Date, limit: Int) throws -> [HopPeriod] {
        // A history that an older version wrote has none.
        guard try db.tableExists("hopPeriod") else { return [] }
        let hasLate = try db.columns(in: "hopPeriod").contains { $0.name == "late" }
        return try Row.fetchAll(
            db,
            sql:
                "SELECT \(hasLate ? columns : columns.replacing("late", with: "0")) FROM hopPeriod WHERE start >= ? AND start < ? ORDER BY start, length, hop LIMIT ?",
            arguments: [start.milliseconds, end.milliseconds, limit]
        ).compactMap(HopPeriod.init(row:))
    }

    /// Decodes a row by column index; nil for a hop of a newer version.
    private init?(row: Row) throws {
        guard let hop = HeartbeatHop(rawValue: try row.decode(String.self, atIndex: 2)) else { return nil }
        func duration(_ index: Int) throws -> Duration? { try row.latency(atIndex: index).map { .seconds($0) } }
        var statistics = HopStatistics([])
        statistics.sent = try row.clampedCount(atIndex: 3)
        statistics.lost = min(try row.clampedCount(atIndex: 4), statistics.sent)
        statistics.minimum = try duration(5)
        statistics.median = try duration(6)
        statistics.maximum = try duration(7)
        statistics.late = min(try row.clampedCount(atIndex: 8), statistics.sent - statistics.lost)
        self.init(
            start: Date(milliseconds: try row.decode(Int64.self, atIndex: 1)),
            length: Double(try row.decode(Int64.self, atIndex: 0)) / 1000, hop: hop, statistics: statistics)
    }

    /// Adds the period to what is stored about the same time: a clock that was set back repeats minutes.
    func merge(into db: Database) throws {
        let length = Int64(length * 1000)
        let stored = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(Self.columns) FROM hopPeriod WHERE length = ? AND start = ? AND hop = ?"),
            arguments: [length, start.milliseconds, hop.rawValue]
        ).flatMap(HopPeriod.init(row:))
        let all = HopStatistics(merging: [stored?.statistics, statistics].compactMap(\.self))
        let seconds = all.seconds
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO hopPeriod (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            length, start.milliseconds, hop.rawValue, Int64(all.sent), Int64(all.lost), seconds.minimum,
            seconds.median, seconds.maximum, Int64(all.late),
        ])
    }

    /// Merges minutes before this time, the end of an hour, to hours.
    static func thinMinutes(before time: Int64, _ db: Database) throws {
        struct Place: Hashable {
            var start: Int64
            var hop: HeartbeatHop
        }
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(columns) FROM hopPeriod WHERE length = ? AND start < ?",
            arguments: [RetentionPlan.minute, time])
        var hours: [Place: [HopStatistics]] = [:]
        while let row = try rows.next() {
            guard let minute = try HopPeriod(row: row) else { continue }
            let start = minute.start.milliseconds / RetentionPlan.hour * RetentionPlan.hour
            hours[Place(start: start, hop: minute.hop), default: []].append(minute.statistics)
        }
        for (place, minutes) in hours {
            let hour = HopPeriod(
                start: Date(milliseconds: place.start), length: Double(RetentionPlan.hour) / 1000, hop: place.hop,
                statistics: HopStatistics(merging: minutes))
            try hour.merge(into: db)
        }
        try db.execute(
            sql: "DELETE FROM hopPeriod WHERE length = ? AND start < ?", arguments: [RetentionPlan.minute, time])
    }
}
