// SPDX-License-Identifier: Apache-2.0

import GRDB
import SystemSupport

/// The result of opening a history.
struct DatabaseOpening: Sendable {
    /// The database, if it is writable.
    var database: HistoryDatabase?
    /// The directory lock, held for as long as the database is open.
    var directory: DataDirectory?
    /// The attributes of the database file after the last write.
    var file: FileStatus?
    /// The connection for queries: the database itself, or a separate read-only connection when it is not writable.
    var reader: (any DatabaseReader)?
    /// The reason why the database is not writable.
    var problem: HistoryProblem?
    /// The notice about a quarantined file.
    var notice: HistoryNotice?
    /// The last tick recorded in the database.
    var tick: Tick?
    /// The numbers of the last records in the database.
    var last: Queries.LastRecords?
    /// The identity of the database, and the events that were acknowledged.
    var delivery = StoredDelivery()

    /// Opens the history in a directory and quarantines an unusable file.
    ///
    /// - Parameter busyTimeout: the number of seconds for which a write waits for another program's lock.
    static func open(_ url: URL, at time: Date, busyTimeout: Double) -> DatabaseOpening {
        var opening = DatabaseOpening()
        do {
            try opening.openForWriting(url, at: time, busyTimeout: busyTimeout)
        } catch {
            opening.database?.close()
            opening.database = nil
            opening.directory = nil
            opening.problem = problem(error, in: url.path(percentEncoded: false))
            switch opening.problem {
            // A history that another process is recording, or that another user may have written, must not be shown
            // as this store's own.
            case .inUse, .refused: break
            default: opening.openForReading(url)
            }
        }
        return opening
    }

    /// Whether another program has replaced, removed or truncated the file since the last write.
    ///
    /// Only a write of this process makes it smaller, when its log is merged.
    var isReplaced: Bool {
        guard let directory, let file else { return false }
        return directory.databaseStatus.map { !$0.isSameFile(as: file) || $0.size < file.size } ?? true
    }

    /// Notes the attributes of the database file after a write.
    mutating func noteFile() { file = directory?.databaseStatus }

    /// Classifies an error that the system or the database reported in a directory.
    static func problem(_ error: any Error, in directory: String) -> HistoryProblem {
        switch error {
        case let problem as HistoryProblem: problem
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL: .diskFull
        case let error as DatabaseError where error.resultCode == .SQLITE_READONLY: .readOnly
        default: HistoryProblem(in: directory, words: words(of: error))
        }
    }

    private mutating func openForWriting(_ url: URL, at time: Date, busyTimeout: Double) throws {
        let directory = try DataDirectory(url)
        try directory.checkFiles()
        if directory.hasDatabase {
            do {
                try Inspection.open(directory.database, thoroughly: true).close()
            } catch Inspection.Fault.laterVersion {
                throw HistoryProblem.refused(
                    "\(Inspection.Fault.laterVersion): run that version, or choose another directory")
            } catch let fault as Inspection.Fault {
                let path = try directory.quarantine(at: time)
                notice = .quarantined(path: path, reason: "\(fault)")
            }
        }
        try directory.prepareDatabase()
        let database = try HistoryDatabase(path: directory.database, busyTimeout: busyTimeout)
        self.directory = directory
        self.database = database
        file = directory.databaseStatus
        reader = database.writer
        try look(database.writer)
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
        (tick, last, delivery) = try reader.read {
            (try Queries.tick($0), try Queries.lastRecords($0), try Queries.delivery($0))
        }
    }
}

/// Inspects a database file without changing it.
enum Inspection {
    /// The reason why a file is not usable.
    enum Fault: Error, CustomStringConvertible {
        /// The file is damaged, or is not a database.
        case corrupt(String)
        /// A later version of this program wrote the file.
        case laterVersion

        var description: String {
            switch self {
            case .corrupt(let text): "it is damaged: \(text)"
            case .laterVersion: "a later version of dialtone wrote its history"
            }
        }
    }

    /// Opens a file read-only and verifies that it is a history that this version can read.
    ///
    /// - Parameter thoroughly: whether to check every page.
    /// - Throws: a `Fault`, or the error of the system or the database.
    static func open(_ path: String, thoroughly: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "dialtone.history.reading"
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { db in
                if try Schema.migrator.hasBeenSuperseded(db) { throw Fault.laterVersion }
                if thoroughly {
                    let words = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
                    if words != ["ok"] { throw Fault.corrupt(words.first ?? "it cannot be read") }
                }
                try Self.inspectLastRecords(db)
            }
            return queue
        } catch let error as DatabaseError where error.isCorruption {
            throw Fault.corrupt(error.message ?? "it is not a database")
        } catch is RowDecodingError {
            throw Fault.corrupt("it has a value of the wrong type")
        }
    }

    /// Verifies the last records, which every run continues from.
    ///
    /// A newly created file has no tables yet.
    private static func inspectLastRecords(_ db: Database) throws {
        guard try ["run", "transition", "check"].allSatisfy({ try db.tableExists($0) }) else { return }
        _ = try Queries.tick(db)
        let last = try Queries.lastRecords(db)
        if max(last.transition, last.check, last.host) >= Queries.LastRecords.limit {
            throw Fault.corrupt("it has no record numbers left")
        }
    }
}

extension DatabaseError {
    /// Whether the file is at fault rather than the system.
    var isCorruption: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}
