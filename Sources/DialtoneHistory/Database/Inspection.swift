// SPDX-License-Identifier: Apache-2.0

import DialtoneSupport
import GRDB

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
            case .laterVersion: "a later version of dialtone wrote it"
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
                guard thoroughly else { return }
                let words = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
                if words != ["ok"] { throw Fault.corrupt(words.first ?? "it cannot be read") }
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
        _ = try Queries.heartbeat(db)
        let last = try Queries.lastRecords(db)
        if max(last.transition, last.check) > Int64.max / 2 { throw Fault.corrupt("it has no record numbers left") }
    }
}

extension DatabaseError {
    /// Whether the file is at fault rather than the system.
    var isCorruption: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}
