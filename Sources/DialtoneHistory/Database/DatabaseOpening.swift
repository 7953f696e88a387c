// SPDX-License-Identifier: Apache-2.0

import DialtoneSupport
import GRDB

/// The result of opening a history.
struct DatabaseOpening: Sendable {
    /// The database, if it is writable.
    var database: HistoryDatabase?
    /// The directory lock, held for as long as the database is open.
    var directory: DataDirectory?
    /// The connection for queries: the database itself, or a separate read-only connection when it is not writable.
    var reader: (any DatabaseReader)?
    /// The reason why the database is not writable.
    var problem: HistoryProblem?
    /// The notice about a quarantined file.
    var notice: HistoryNotice?
    /// The last heartbeat recorded in the database.
    var heartbeat: Heartbeat?
    /// The numbers of the last records in the database.
    var last: Queries.LastRecords?

    /// Opens the history in a directory and quarantines an unusable file.
    static func open(_ url: URL, at time: Date) -> DatabaseOpening {
        var opening = DatabaseOpening()
        do {
            try opening.openForWriting(url, at: time)
        } catch {
            opening.database?.close()
            opening.database = nil
            opening.directory = nil
            opening.problem = problem(error, in: url.path(percentEncoded: false))
            // A history that another process is recording must not be shown as this store's own.
            if opening.problem != .inUse { opening.openForReading(url) }
        }
        return opening
    }

    /// Classifies an error that the system or the database reported in a directory.
    static func problem(_ error: any Error, in directory: String) -> HistoryProblem {
        switch error {
        case let problem as HistoryProblem: problem
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL: .diskFull
        case let error as DatabaseError where error.resultCode == .SQLITE_READONLY: .readOnly
        case let error as DatabaseError:
            HistoryProblem(in: directory, words: error.message ?? "\(error.extendedResultCode)")
        default: HistoryProblem(in: directory, words: "\(error)")
        }
    }

    private mutating func openForWriting(_ url: URL, at time: Date) throws {
        let directory = try DataDirectory(url)
        if directory.hasDatabase {
            do {
                try Inspection.open(directory.database, thoroughly: true).close()
            } catch let fault as Inspection.Fault {
                let path = try directory.quarantine(at: time)
                notice = .quarantined(path: path, reason: "\(fault)")
            }
        }
        try directory.prepareDatabase()
        let database = try HistoryDatabase(path: directory.database)
        self.directory = directory
        self.database = database
        reader = database.pool
        try look(database.pool)
    }

    /// Opens the database read-only, so that existing records can still be shown.
    private mutating func openForReading(_ url: URL) {
        do {
            let reading = try ReadOnlyDatabase(url)
            reader = reading.queue
            try look(reading.queue)
        } catch {
            reader = nil
        }
    }

    private mutating func look(_ reader: any DatabaseReader) throws {
        (heartbeat, last) = try reader.read { (try Queries.heartbeat($0), try Queries.lastRecords($0)) }
    }
}
