// SPDX-License-Identifier: Apache-2.0

import GRDB
package import SystemSupport

/// The checks of the watched hosts in the last day.
extension HistoryStore {
    /// The time for which the checks of a host are added up, in seconds.
    package static let hostWindow: Double = 86_400

    /// Counts a check of a watched host; it is written with the next tick.
    package func recordCheck(ofHost name: String, at time: Date, succeeded: Bool) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.pending.hosts.add(name, at: time, succeeded: succeeded)
        }
    }

    /// Reads the watched hosts that earlier runs stored.
    package func storedHosts() async throws(HistoryReadingError) -> StoredHosts {
        let opening = state.withLock { $0.opening }
        guard let reader = try reader(opening) else { return StoredHosts() }
        let start = configuration.clock().wall - Self.hostWindow
        return try await reader.read(in: directory) { try Queries.hosts($0, since: start) }
    }
}

extension Queries {
    /// Reads the watched hosts, and their checks since a time.
    ///
    /// A history that an older version wrote has no hosts; it is migrated when it can be written.
    static func hosts(_ db: Database, since start: Date) throws -> StoredHosts {
        var hosts = StoredHosts()
        guard try db.tableExists("hostPeriod") else { return hosts }
        let rows = try Row.fetchCursor(
            db, sql: "SELECT host, start, checks, succeeded FROM hostPeriod WHERE start >= ? ORDER BY start",
            arguments: [start.milliseconds])
        while let row = try rows.next() {
            let checks = try row.clampedCount(atIndex: 2)
            let period = HostPeriod(
                containing: Date(milliseconds: try row.decode(Int64.self, atIndex: 1)), checks: checks,
                succeeded: min(checks, try row.clampedCount(atIndex: 3)))
            hosts.periods[try row.decode(String.self, atIndex: 0), default: []].append(period)
        }
        guard try db.tableExists("hostChange") else { return hosts }
        let last = try Row.fetchCursor(
            db,
            sql: "SELECT host, isReachable FROM hostChange WHERE id IN (SELECT max(id) FROM hostChange GROUP BY host)")
        while let row = try last.next() {
            hosts.reachable[try row.decode(String.self, atIndex: 0)] = try row.decode(Bool.self, atIndex: 1)
        }
        return hosts
    }
}

extension PendingHosts {
    /// - Parameter first: the number of the first change of reachability.
    func write(to db: Database, from first: Int64) throws {
        for (offset, change) in reachability.enumerated() {
            try db.cachedStatement(
                sql: "INSERT INTO hostChange (id, time, host, isReachable, reason) VALUES (?, ?, ?, ?, ?)"
            ).execute(arguments: [
                first + Int64(offset), change.time.milliseconds, change.host, change.isReachable, change.reason,
            ])
        }
        for (name, period) in counts {
            try db.cachedStatement(
                sql: """
                    INSERT INTO hostPeriod (host, start, checks, succeeded) VALUES (?, ?, ?, ?)
                    ON CONFLICT (host, start) DO UPDATE SET
                        checks = checks + excluded.checks, succeeded = succeeded + excluded.succeeded
                    """
            ).execute(arguments: [name, period.start.milliseconds, Int64(period.checks), Int64(period.succeeded)])
        }
    }
}
