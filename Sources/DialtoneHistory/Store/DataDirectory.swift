//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The directory of a history, held by one process at a time.
final class DataDirectory: Sendable {
    /// The path of the database.
    let database: String
    private let path: String
    private let lock: Int32

    /// Makes the directory when it is not there, and takes hold of it.
    ///
    /// What is made can be read by its owner only. Of a symbolic link in place of a file nothing is followed; the directory
    /// itself may be one. Where another user could put something in its place, nothing is kept.
    init(_ url: URL) throws(HistoryTrouble) {
        path = url.path(percentEncoded: false)
        database = url.appending(path: HistoryLocation.fileName).path(percentEncoded: false)
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            // The directory may be there all the same, and writable: the lock tells.
        }
        try Self.checkDirectory(path)
        lock = try Self.openOwned(url.appending(path: "history.lock").path(percentEncoded: false), in: path)
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            Self.close(lock)
            throw .inUse
        }
    }

    deinit { Self.close(lock) }

    /// Makes the database's file, when it is not there, before the database would: with narrow permissions, which the files
    /// beside it then take over.
    func prepareDatabase() throws(HistoryTrouble) {
        Self.close(try Self.openOwned(database, in: path))
        for file in [database + "-wal", database + "-shm"] {
            var facts = stat()
            // Mostly not there; what cannot be looked at the database cannot open.
            guard lstat(file, &facts) == 0 else { continue }
            try Self.check(file, facts)
        }
    }

    /// Whether there is a database.
    var hasDatabase: Bool { FileManager.default.fileExists(atPath: database) }

    /// Gives the database and the files that belong to it another name, which no file has.
    ///
    /// - Returns: the database's new path.
    func keepAside(at time: Date) throws(HistoryTrouble) -> String {
        let digits = time.formatted(.iso8601).filter(\.isNumber)
        let stem = String(database.dropLast(".sqlite".count))
        for number in 1...1000 {
            let aside = "\(stem).aside-\(digits)\(number == 1 ? "" : "-\(number)").sqlite"
            let names = ["", "-wal", "-shm"].map { (from: database + $0, to: aside + $0) }
            guard names.allSatisfy({ !FileManager.default.fileExists(atPath: $0.to) }) else { continue }
            // The log first: without it the database would be an older state of itself.
            for name in names.reversed() where rename(name.from, name.to) != 0 && errno != ENOENT {
                throw HistoryTrouble(errno, in: path)
            }
            return aside
        }
        throw .failed("there are too many files that were kept aside in \(path)")
    }

    private static func checkDirectory(_ path: String) throws(HistoryTrouble) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw HistoryTrouble(errno, in: path) }
        guard facts.st_mode & S_IFMT == S_IFDIR else { throw .failed("\(path) is no directory") }
        let fault = DirectoryOwnership.fault(
            ofDirectory: path, owner: facts.st_uid, mode: UInt32(facts.st_mode), user: geteuid())
        if let fault { throw .failed(fault) }
    }

    private static func check(_ file: String, _ facts: stat) throws(HistoryTrouble) {
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .failed("\(file) is no file") }
        if let fault = DirectoryOwnership.fault(ofFile: file, owner: facts.st_uid, user: geteuid()) {
            throw .failed(fault)
        }
    }

    private static func openOwned(_ file: String, in directory: String) throws(HistoryTrouble) -> Int32 {
        let number = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw HistoryTrouble(errno, in: directory) }
        do throws(HistoryTrouble) {
            var facts = stat()
            guard fstat(number, &facts) == 0 else { throw HistoryTrouble(errno, in: directory) }
            try check(file, facts)
            // Made by an older umask or by hand: for the owner only all the same.
            guard facts.st_mode & 0o077 == 0 || fchmod(number, 0o600) == 0 else {
                throw HistoryTrouble(errno, in: directory)
            }
        } catch {
            close(number)
            throw error
        }
        return number
    }

    fileprivate static func close(_ number: Int32) {
        #if canImport(Glibc)
        _ = Glibc.close(number)
        #elseif canImport(Musl)
        _ = Musl.close(number)
        #elseif canImport(Android)
        _ = Android.close(number)
        #elseif canImport(Darwin)
        _ = Darwin.close(number)
        #endif
    }
}

extension HistoryTrouble {
    /// What an error of the system means.
    init(_ code: Int32, in directory: String) {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case EROFS, EACCES, EPERM: self = .readOnly
        default: self = .failed("\(directory): \(String(cString: strerror(code)))")
        }
    }

    /// What is wrong in a directory when something said `words`: the file system is asked first.
    init(in directory: String, words: String) {
        var facts = statvfs()
        if statvfs(directory, &facts) == 0 {
            if UInt(facts.f_flag) & UInt(ST_RDONLY) != 0 {
                self = .readOnly
                return
            }
            if facts.f_bavail < 16 || facts.f_favail == 0 && facts.f_files != 0 {
                self = .diskFull
                return
            }
        }
        // A file system that has failed may not say so before somebody writes.
        let probe = directory + "/history.probe"
        let number = open(probe, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        let code = errno
        guard number >= 0 else {
            self = [EROFS, EACCES, EPERM, ENOSPC, EDQUOT].contains(code) ? .init(code, in: directory) : .failed(words)
            return
        }
        DataDirectory.close(number)
        unlink(probe)
        self = .failed(words)
    }
}
