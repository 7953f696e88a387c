// SPDX-License-Identifier: Apache-2.0

import GRDB
package import SystemSupport

/// The watched hosts: those that were added on the page, and the checks of all of them in the last day.
extension HistoryStore {
    /// The time for which the checks of a host are added up, in seconds.
    package static let hostWindow: Double = 86_400

    /// Counts a check of a watched host; it is written with the next heartbeat.
    package func recordCheck(ofHost name: String, at time: Date, succeeded: Bool) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.pending.hosts.add(name, at: time, succeeded: succeeded)
        }
    }

    /// Adds a host to the stored ones.
    package func addHost(_ name: String) { schedule { $0.change(name, isAdded: true) } }

    /// Removes a host from the stored ones, with its checks.
    package func removeHost(_ name: String) { schedule { $0.change(name, isAdded: false) } }

    /// Reads the watched hosts that earlier runs stored.
    ///
    /// - Throws: ``HistoryReadingError`` if the stored history cannot be read.
    package func storedHosts() async throws(HistoryReadingError) -> StoredHosts {
        let opening = state.withLock { $0.opening }
        guard let reader = try reader(opening) else { return StoredHosts() }
        let start = configuration.clock().wall - Self.hostWindow
        let stored = try await reader.read(in: directory) { try Queries.hosts($0, since: start) }
        state.withLock { $0.addedHosts.formUnion(stored.added) }
        return stored
    }
}

extension HistoryStore.State {
    fileprivate mutating func change(_ host: String, isAdded: Bool) {
        pending.hosts.change(host, isAdded: isAdded)
        if isAdded { addedHosts.insert(host) } else { addedHosts.remove(host) }
    }
}

extension Queries {
    /// Reads the watched hosts, and their checks since a time.
    ///
    /// A history that an older version wrote has no hosts; it is migrated when it can be written.
    static func hosts(_ db: Database, since start: Date) throws -> StoredHosts {
        var hosts = StoredHosts()
        guard try db.tableExists("watchedHost") else { return hosts }
        hosts.added = try String.fetchAll(db, sql: "SELECT name FROM watchedHost ORDER BY id")
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
        try forEach { name, isAdded in
            if isAdded {
                try db.execute(sql: "INSERT OR IGNORE INTO watchedHost (name) VALUES (?)", arguments: [name])
            } else {
                try db.execute(sql: "DELETE FROM watchedHost WHERE name = ?", arguments: [name])
                try db.execute(sql: "DELETE FROM hostPeriod WHERE host = ?", arguments: [name])
            }
        } period: { name, period in
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
