// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LibC
import SystemSupport

/// Opens a history read-only, even while another process writes it.
struct ReadOnlyDatabase: Sendable {
    let queue: DatabaseQueue

    /// Opens the history in a directory.
    init(_ directory: URL) throws(HistoryReadingError) {
        let path = directory.appending(path: HistoryLocation.fileName).path(percentEncoded: false)
        do {
            _ = try FileStatus(path, followsLinks: false)
        } catch {
            // A file without permission to inspect may still exist.
            throw [ENOENT, ENOTDIR].contains(error.number) ? .notFound(path) : .unusable(path, reason: "\(error)")
        }
        // Opening a FIFO would block.
        for file in [path, path + "-wal", path + "-shm"] {
            guard let status = try? FileStatus(file, followsLinks: false), !status.isRegularFile else { continue }
            throw .unusable(file, reason: "it is not a regular file")
        }
        do {
            queue = try Self.open(path)
        } catch let fault as Inspection.Fault {
            throw .unusable(path, reason: "\(fault)")
        } catch {
            throw .unusable(path, reason: words(of: error))
        }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        do {
            return try Inspection.open(path, thoroughly: false)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
            && FileManager.default.isReadableFile(atPath: path)
        {
            // SQLite reads a database with a write-ahead log through files beside it, which cannot be created here.
            return try openCopy(of: path)
        }
    }

    /// Opens a copy that only this user can read, and unlinks it from the directory as soon as it is open.
    static func openCopy(of path: String) throws -> DatabaseQueue {
        let copies = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: copies, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: copies) }
        let copy = copies.appending(path: HistoryLocation.fileName).path(percentEncoded: false)
        try copyUnchanged(path, to: copy)
        let queue = try DatabaseQueue(named: nil)
        let opened = try Inspection.open(copy, thoroughly: true)
        try opened.backup(to: queue)
        try opened.close()
        return queue
    }

    /// Copies the database and its log.
    ///
    /// Retries if another process changes them: a checkpoint in between would make the copy inconsistent.
    private static func copyUnchanged(_ path: String, to copy: String) throws {
        let endings = ["", "-wal"]
        for attempt in 1...10 {
            let before = endings.map { try? FileStatus(path + $0, followsLinks: false) }
            for ending in endings {
                try? FileManager.default.removeItem(atPath: copy + ending)
                guard FileManager.default.fileExists(atPath: path + ending) else { continue }
                try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
            }
            if before == endings.map({ try? FileStatus(path + $0, followsLinks: false) }) { return }
            // clock: the caller's thread blocks: another process does not report that it has written.
            Thread.sleep(forTimeInterval: 0.02 * Double(attempt))
        }
        throw CocoaError(.fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: "it is being written to; try again"])
    }
}

/// The message of an error of the system or the database.
func words(of error: any Error) -> String {
    (error as? DatabaseError)?.message ?? (error as? CocoaError)?.localizedDescription ?? "\(error)"
}

/// The reason why a history cannot be read.
package enum HistoryReadingError: Error, Hashable, Sendable {
    /// There is no history at this path.
    case notFound(String)
    /// The history at this path cannot be read, for the given reason.
    case unusable(String, reason: String)
}

extension HistoryReadingError: CustomStringConvertible {
    /// A description of the problem and its remedy.
    package var description: String {
        switch self {
        case .notFound(let path): "there is no history at \(path): `dialtone serve` records one"
        case .unusable(let path, let reason): "cannot read the history at \(path): \(reason)"
        }
    }
}
