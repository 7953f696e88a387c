// SPDX-License-Identifier: Apache-2.0

import Dialtone
import GRDB
import SystemSupport

/// The delivery of the history to a collector: the history is the queue, and a cursor in the database its beginning.
extension HistoryStore {
    struct Delivery: Sendable {
        /// The database that the cursor belongs to; nil before one has been read.
        var source: String?
        /// The last acknowledged records; nil if no events are to be delivered.
        var cursor: EventCursor?
        /// The removed events before the cursor that no batch has reported.
        var lost = 0
        /// Whether the cursor is not written yet.
        var isChanged = false
        /// Called after events were written; nil while no events are to be delivered.
        var onEvents: (@Sendable () -> Void)?

        /// Continues with an opened database, which may be the same one as before.
        mutating func adopt(_ opened: StoredDelivery, after last: Queries.LastRecords) {
            if opened.source == source, let cursor {
                // An older copy of the file has fewer records than were acknowledged.
                self.cursor = EventCursor(
                    transition: min(cursor.transition, last.transition), host: min(cursor.host, last.host))
                isChanged = isChanged || self.cursor != cursor
                return
            }
            source = opened.source
            cursor = opened.cursor
            lost = 0
            isChanged = false
            if onEvents != nil { begin(after: last) }
        }

        /// Delivers the records from now on, unless there is a cursor.
        mutating func begin(after last: Queries.LastRecords) {
            guard cursor == nil, source != nil else { return }
            cursor = EventCursor(transition: last.transition, host: last.host)
            isChanged = true
        }
    }

    /// Starts to keep the events for a collector: those that no collector has acknowledged, or, the first time, those from now
    /// on.
    ///
    /// - Parameter onEvents: called on the store's queue when there are new events; must return quickly.
    package func beginDelivery(_ onEvents: @escaping @Sendable () -> Void) {
        schedule { state in
            state.delivery.onEvents = onEvents
            state.delivery.begin(after: state.next.previous)
        }
    }

    /// The number of events that no collector has acknowledged, on disk and waiting for it; nil if none are to be delivered.
    package var pendingEvents: Int? {
        state.withLock { state in
            guard state.delivery.onEvents != nil else { return nil }
            return Int(clamping: state.storedEvents) + state.pending.transitions.count
                + state.pending.hosts.reachability.count
        }
    }

    /// Whether there are events on disk, and therefore for `events(limit:)`.
    package var hasEvents: Bool { state.withLock { $0.storedEvents > 0 } }

    /// Reads the next events; nil if there are none.
    ///
    /// Only records on disk are events: their numbers do not change any more.
    package func events(limit: Int) async throws(HistoryReadingError) -> EventBatch? {
        let (opening, delivery, hasEvents) = state.withLock { ($0.opening, $0.delivery, $0.storedEvents > 0) }
        guard hasEvents else { return nil }
        let unreadable = HistoryReadingError.unusable(
            directory.path(percentEncoded: false), reason: "it has no readable events")
        guard let cursor = delivery.cursor, let source = delivery.source, let reader = try reader(opening) else {
            throw unreadable
        }
        var batch = try await reader.read(in: directory) { db in
            EventBatch(
                source, after: cursor, try Queries.transitions(db, after: cursor.transition, limit),
                try Queries.hostChanges(db, after: cursor.host, limit), limit: limit)
        }
        batch.events.removeAll { $0.isSilent }
        batch.lost += delivery.lost
        guard batch.events.isEmpty else { return batch }
        guard batch.cursor != cursor else { throw unreadable }
        acknowledge(batch)
        return try await events(limit: limit)
    }

    /// Moves the cursor after events that a collector has acknowledged, or refused for good; it is written like a record.
    package func acknowledge(_ batch: EventBatch) {
        schedule { state in
            // The database may have been replaced in the meantime.
            guard state.delivery.source == batch.source else { return }
            state.delivery.cursor = batch.cursor
            state.delivery.isChanged = true
            state.delivery.lost = batch.events.isEmpty ? batch.lost : 0
        }
    }

    /// Records that a watched host became reachable or unreachable.
    package func record(_ change: HostChange) { schedule { $0.pending.hosts.add(change) } }
}

extension HistoryStore.State {
    /// The number of records on disk after the cursor, including those that were removed.
    fileprivate var storedEvents: Int64 {
        guard let cursor = delivery.cursor else { return 0 }
        return max(0, next.transition - 1 - cursor.transition) + max(0, next.host - 1 - cursor.host)
    }
}

/// The row of the table `delivery`.
struct StoredDelivery: Hashable, Sendable {
    var source: String?
    var cursor: EventCursor?
}

extension Queries {
    /// Reads the identity of the database and the cursor; both are nil in a history that an older version wrote.
    static func delivery(_ db: Database) throws -> StoredDelivery {
        guard try db.tableExists("delivery"),
            let row = try Row.fetchOne(db, sql: "SELECT source, transitionID, hostID FROM delivery")
        else { return StoredDelivery() }
        let numbers = try [1, 2].map { try row.decode(Int64?.self, atIndex: $0) }
        var stored = StoredDelivery(source: try row.decode(String.self, atIndex: 0))
        if let transition = numbers[0], let host = numbers[1] {
            stored.cursor = EventCursor(transition: max(0, transition), host: max(0, host))
        }
        return stored
    }

    /// The events of the transitions after a number, each with the state before it.
    static func transitions(_ db: Database, after number: Int64, _ limit: Int) throws -> [HistoryEvent] {
        let columns = try HistoryTransition.columns(db, HistoryTransition.eventColumns)
        let before = "SELECT \(columns) FROM transition WHERE id <= ? ORDER BY id DESC LIMIT 1"
        var previous = try Row.fetchOne(db, sql: before, arguments: [number]).map(HistoryTransition.init(row:))
        return try Row.fetchAll(
            db, sql: "SELECT \(columns) FROM transition WHERE id > ? ORDER BY id LIMIT ?", arguments: [number, limit]
        ).map { row in
            var transition = try HistoryTransition(row: row)
            transition.previous = previous?.state
            previous = transition
            return HistoryEvent(number: try row.decode(Int64.self, atIndex: 0), content: .transition(transition))
        }
    }

    /// The events of the watched hosts after a number.
    static func hostChanges(_ db: Database, after number: Int64, _ limit: Int) throws -> [HistoryEvent] {
        try Row.fetchAll(
            db, sql: "SELECT id, time, host, isReachable, reason FROM hostChange WHERE id > ? ORDER BY id LIMIT ?",
            arguments: [number, limit]
        ).map { row in
            let change = HostChange(
                time: Date(milliseconds: try row.decode(Int64.self, atIndex: 1)),
                host: try row.decode(String.self, atIndex: 2), isReachable: try row.decode(Bool.self, atIndex: 3),
                reason: try row.decode(String?.self, atIndex: 4))
            return HistoryEvent(number: try row.decode(Int64.self, atIndex: 0), content: .host(change))
        }
    }
}

extension EventCursor {
    func write(to db: Database) throws {
        try db.cachedStatement(sql: "UPDATE delivery SET transitionID = ?, hostID = ?")
            .execute(arguments: [transition, host])
    }
}
