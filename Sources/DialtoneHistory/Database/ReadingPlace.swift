//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB

/// Opens a history for reading only, also while another process writes it.
struct ReadingPlace: Sendable {
    let queue: DatabaseQueue

    /// Opens the history in a directory.
    ///
    /// - Throws: ``HistoryReadingError``.
    init(_ directory: URL) throws(HistoryReadingError) {
        let path = directory.appending(path: HistoryLocation.fileName).path(percentEncoded: false)
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            let number = errno
            // One that may not be looked at may well be there.
            guard ![ENOENT, ENOTDIR].contains(number) else { throw .notFound(path) }
            throw .unusable(path, reason: String(cString: strerror(number)))
        }
        do {
            queue = try Self.open(path)
        } catch let fault as Inspection.Fault {
            throw .unusable(path, reason: "\(fault)")
        } catch {
            throw .unusable(path, reason: Self.words(error))
        }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        do {
            return try Inspection.open(path, thoroughly: false)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
            && FileManager.default.isReadableFile(atPath: path)
        {
            // A database with a write-ahead log is read through files beside it, which cannot be made here.
            return try openCopy(of: path)
        }
    }

    /// A copy that only this user can read, and which is gone from the directory as soon as it is open.
    private static func openCopy(of path: String) throws -> DatabaseQueue {
        let copies = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: copies, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: copies) }
        let copy = copies.appending(path: HistoryLocation.fileName).path(percentEncoded: false)
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
        }
        let queue = try DatabaseQueue(named: nil)
        let opened = try Inspection.open(copy, thoroughly: false)
        try opened.backup(to: queue)
        try opened.close()
        return queue
    }

    private static func words(_ error: any Error) -> String {
        (error as? DatabaseError)?.message ?? "\(error)"
    }
}

/// Why a history cannot be read.
public enum HistoryReadingError: Error, Hashable, Sendable {
    /// There is none at this path.
    case notFound(String)
    /// There is one at this path, but it cannot be read, for this reason.
    case unusable(String, reason: String)
}

extension HistoryReadingError: CustomStringConvertible {
    /// What is wrong, and what helps.
    public var description: String {
        switch self {
        case .notFound(let path): "There is no history at \(path): `dialtone serve` keeps one."
        case .unusable(let path, let reason): "The history at \(path) cannot be read: \(reason)."
        }
    }
}
