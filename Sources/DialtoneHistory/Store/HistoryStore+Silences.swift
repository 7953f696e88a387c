// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import GRDB
import SystemSupport

/// The outages that were always noticed from a time on.
package struct CoverageRecord: Hashable, Sendable {
    package let since: Date
    package let coverage: HeartbeatCoverage

    package init(_ coverage: HeartbeatCoverage, since: Date) { (self.coverage, self.since) = (coverage, since) }
}

extension HistoryStore {
    /// Records a time in which nothing beyond the router answered.
    package func record(_ silence: Silence) { schedule { $0.pending.hops.silences.append(silence) } }

    /// Records which outages are noticed from now on.
    package func record(_ coverage: CoverageRecord) { schedule { $0.pending.hops.coverages.append(coverage) } }

    /// Returns which outages were noticed in a window of time, without what waits for the disk: what held at its beginning, and each
    /// change.
    package func coverage(from start: Date, to end: Date) async throws(HistoryReadingError) -> [CoverageRecord] {
        try await rows { try CoverageRecord.fetch($0, from: start, to: end) }
    }
}

extension HistoryReader {
    /// Returns which outages were noticed in a window of time: what held at its beginning, and each change.
    package func coverage(from start: Date, to end: Date) async throws(HistoryReadingError) -> [CoverageRecord] {
        try await read { try CoverageRecord.fetch($0, from: start, to: end) }
    }
}

/// The findings of a heartbeat that are not written yet.
struct PendingHops: Hashable, Sendable {
    var minutes: [HopMinute] = []
    var silences: [Silence] = []
    var coverages: [CoverageRecord] = []

    /// The number of values of each kind that are kept: the minutes of two days.
    private static let maximum = 2880

    mutating func merge(earlier: PendingHops) {
        (minutes, silences) = (earlier.minutes + minutes, earlier.silences + silences)
        coverages = earlier.coverages + coverages
    }

    mutating func trim() {
        minutes = minutes.suffix(Self.maximum)
        silences = silences.suffix(Self.maximum)
        coverages = coverages.suffix(Self.maximum)
    }

    func write(to db: Database) throws {
        for period in minutes.flatMap(\.periods) { try period.merge(into: db) }
        for silence in silences { try silence.insert(into: db) }
        for record in coverages {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO coverage (time, shortest, reason) VALUES (?, ?, ?)")
                .execute(arguments: [
                    record.since.milliseconds, record.coverage.shortest, record.coverage.limit?.rawValue,
                ])
        }
    }
}

extension Silence {
    /// The number of seconds by which it may have begun earlier; nil if that is not known.
    package var startMargin: Double? { earliestStart.map { start.timeIntervalSince($0) } }

    /// The number of seconds by which it may have ended earlier.
    package var endMargin: Double { end.timeIntervalSince(earliestEnd) }

    /// Whether an outage overlaps it, as far as the margins of both are known.
    package func meets(_ outage: Outage) -> Bool {
        earliestStart ?? start <= outage.end && outage.earliestStart ?? outage.start <= end
    }

    func insert(into db: Database) throws {
        try db.cachedStatement(
            sql:
                "INSERT OR REPLACE INTO silence (start, earliest, earliestEnd, \"end\", isDrop, counts) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            start.milliseconds, earliestStart?.milliseconds, earliestEnd.milliseconds, end.milliseconds, isDrop,
            OneLineJSON.string(counts),
        ])
    }

    /// Reads those that overlap a window, in order.
    static func fetch(_ db: Database, from start: Date, to end: Date) throws -> [Silence] {
        // A history that an older version wrote has none.
        guard try db.tableExists("silence") else { return [] }
        return try Row.fetchAll(
            db,
            sql:
                "SELECT start, earliest, earliestEnd, \"end\", isDrop, counts FROM silence WHERE start < ? AND \"end\" > ? ORDER BY start",
            arguments: [end.milliseconds, start.milliseconds]
        ).map { row in
            let counts = try row.decode(String?.self, atIndex: 5)
            return Silence(
                earliestStart: try row.decode(Int64?.self, atIndex: 1).map { Date(milliseconds: $0) },
                start: Date(milliseconds: try row.decode(Int64.self, atIndex: 0)),
                earliestEnd: Date(milliseconds: try row.decode(Int64.self, atIndex: 2)),
                end: Date(milliseconds: try row.decode(Int64.self, atIndex: 3)),
                isDrop: try row.decode(Bool.self, atIndex: 4),
                counts: counts.flatMap { try? JSONDecoder().decode([HopCount].self, from: Data($0.utf8)) } ?? [])
        }
    }
}

extension CoverageRecord {
    fileprivate static func fetch(_ db: Database, from start: Date, to end: Date) throws -> [CoverageRecord] {
        guard try db.tableExists("coverage") else { return [] }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT time, shortest, reason FROM coverage WHERE time < :end AND time >=
                    coalesce((SELECT max(time) FROM coverage WHERE time <= :start), :start) ORDER BY time
                """,
            arguments: ["start": start.milliseconds, "end": end.milliseconds]
        ).map { row in
            let reason = try row.decode(String?.self, atIndex: 2)
            return CoverageRecord(
                HeartbeatCoverage(
                    shortest: try row.decode(Double.self, atIndex: 1),
                    limit: reason.flatMap(HeartbeatCoverage.Limit.init(rawValue:))),
                since: Date(milliseconds: try row.decode(Int64.self, atIndex: 0)))
        }
    }
}
