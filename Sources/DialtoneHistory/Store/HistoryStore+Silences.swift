// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import GRDB
import SystemSupport

extension HistoryStore {
    /// Records a time in which nothing beyond the router answered.
    package func record(_ silence: Silence) { schedule { $0.pending.findings.silences.append(silence) } }
}

/// The findings of the heartbeat that are not written yet.
struct PendingFindings: Hashable, Sendable {
    var minutes: [HopMinute] = []
    var silences: [Silence] = []

    /// The number of values of each kind that are kept: the minutes of two days.
    private static let maximum = 2880

    mutating func merge(earlier: PendingFindings) {
        minutes = earlier.minutes + minutes
        silences = earlier.silences + silences
    }

    mutating func trim() {
        minutes = minutes.suffix(Self.maximum)
        silences = silences.suffix(Self.maximum)
    }

    func write(to db: Database) throws {
        for period in minutes.flatMap(\.periods) { try period.merge(into: db) }
        for silence in silences { try silence.insert(into: db) }
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
            let text = try row.decode(String?.self, atIndex: 5)
            let counts = text.flatMap { try? JSONDecoder().decode([HopCount].self, from: Data($0.utf8)) } ?? []
            return Silence(
                earliestStart: try row.decode(Int64?.self, atIndex: 1).map { Date(milliseconds: $0) },
                start: Date(milliseconds: try row.decode(Int64.self, atIndex: 0)),
                earliestEnd: Date(milliseconds: try row.decode(Int64.self, atIndex: 2)),
                end: Date(milliseconds: try row.decode(Int64.self, atIndex: 3)),
                isDrop: try row.decode(Bool.self, atIndex: 4),
                counts: counts.map { HopCount($0.hop, sent: $0.sent.clampedCount, answered: $0.answered.clampedCount) })
        }
    }
}
