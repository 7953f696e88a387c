//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials
import GRDB

/// What came of opening a history.
struct DatabaseOpening: Sendable {
    /// The database, when it can be written to.
    var database: HistoryDatabase?
    /// Held as long as the database is.
    var directory: DataDirectory?
    /// What reads it: the same, or where it can only be read, another.
    var reader: (any DatabaseReader)?
    /// Why it cannot be written to.
    var trouble: HistoryTrouble?
    /// What was kept aside.
    var notice: HistoryNotice?
    /// The last sign of life in it.
    var beat: Beat?
    /// Its last records.
    var last: Queries.LastRecords?

    /// Opens the history in a directory; a file that cannot be used is kept aside.
    static func open(_ url: URL, at time: Date) -> DatabaseOpening {
        var opening = DatabaseOpening()
        do {
            try opening.openForWriting(url, at: time)
        } catch {
            opening.database?.close()
            opening.database = nil
            opening.directory = nil
            opening.trouble = trouble(error, in: url.path(percentEncoded: false))
            // Another process's own history is not ours to go on with.
            if opening.trouble != .inUse { opening.openForReading(url) }
        }
        return opening
    }

    /// What an error means that the system or the database gave in a directory.
    static func trouble(_ error: any Error, in directory: String) -> HistoryTrouble {
        switch error {
        case let trouble as HistoryTrouble: trouble
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL: .diskFull
        case let error as DatabaseError where error.resultCode == .SQLITE_READONLY: .readOnly
        case let error as DatabaseError:
            HistoryTrouble(in: directory, words: error.message ?? "\(error.extendedResultCode)")
        default: HistoryTrouble(in: directory, words: "\(error)")
        }
    }

    private mutating func openForWriting(_ url: URL, at time: Date) throws {
        let directory = try DataDirectory(url)
        if directory.hasDatabase {
            do {
                try Inspection.open(directory.database, thoroughly: true).close()
            } catch let fault as Inspection.Fault {
                let path = try directory.keepAside(at: time)
                notice = .keptAside(path: path, reason: "\(fault)")
            }
        }
        try directory.prepareDatabase()
        let database = try HistoryDatabase(path: directory.database)
        self.directory = directory
        self.database = database
        reader = database.pool
        try look(database.pool)
    }

    /// What was kept already can still be shown.
    private mutating func openForReading(_ url: URL) {
        do {
            let reading = try ReadingPlace(url)
            reader = reading.queue
            try look(reading.queue)
        } catch {
            reader = nil
        }
    }

    private mutating func look(_ reader: any DatabaseReader) throws {
        (beat, last) = try reader.read { (try Queries.beat($0), try Queries.lastRecords($0)) }
    }
}
