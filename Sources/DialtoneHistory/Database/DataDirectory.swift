// SPDX-License-Identifier: Apache-2.0

import LibC
package import SystemSupport

/// The directory of a history, locked by one process at a time.
final class DataDirectory: Sendable {
    /// The path of the database.
    let database: String
    private let path: String
    private let lock: Descriptor

    /// Creates the directory if necessary, and locks it.
    ///
    /// Only the owner can read new files. A symbolic link in place of a file is never followed; the directory itself
    /// may be a link. The directory is refused if another user could replace it or its contents.
    init(_ url: URL) throws(HistoryProblem) {
        let given = url.path(percentEncoded: false)
        do throws(TrustedPath.Fault) {
            let place = try TrustedPath(given, createsDirectories: true, groupIsTrusted: true)
            guard place.status.isDirectory else {
                throw TrustedPath.Fault(reason: .system(SystemError(ENOTDIR)), path: place.path)
            }
            path = place.path
        } catch {
            if case .system(let reason) = error.reason { throw HistoryProblem(reason.number, in: error.path) }
            throw .refused("\(error)")
        }
        database = "\(path)/\(HistoryLocation.fileName)"
        lock = try Self.openOwned("\(path)/\(HistoryLocation.lockName)", in: path)
        guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            throw code == EWOULDBLOCK ? .inUse : .failed("\(path) cannot be locked: \(SystemError(code))")
        }
        // For a reader, a run has begun: inspecting the database takes a while.
        futimens(lock.number, nil)
    }

    /// Unlocks the directory.
    ///
    /// Closing the file does not: a program that another thread starts has a duplicate of the descriptor until its exec(3).
    deinit { flock(lock.number, LOCK_UN) }

    /// Verifies that the database and the files beside it are regular files of this user.
    func checkFiles() throws(HistoryProblem) {
        for file in [database, database + "-wal", database + "-shm"] {
            // Usually not all of them exist; if one cannot be inspected, SQLite cannot open it either.
            guard let status = try? FileStatus(file, followsLinks: false) else { continue }
            try Self.check(file, status)
        }
    }

    /// Creates a missing database file with restrictive permissions before SQLite would; the files beside it inherit
    /// them.
    func prepareDatabase() throws(HistoryProblem) { _ = try Self.openOwned(database, in: path) }

    /// The attributes of the database file; nil if it does not exist.
    var databaseStatus: FileStatus? { try? FileStatus(database, followsLinks: false) }

    var hasDatabase: Bool { FileManager.default.fileExists(atPath: database) }

    /// Renames the database and its auxiliary files.
    ///
    /// - Returns: the database's new path.
    func quarantine(at time: Date) throws(HistoryProblem) -> String {
        let digits = time.formatted(.iso8601).filter(\.isNumber)
        let aside = "\(database.dropLast(".sqlite".count)).aside-\(digits)-\(UUID().uuidString.prefix(8)).sqlite"
        // Rename the log first: without it, the database would revert to an older state.
        for ending in ["-shm", "-wal", ""]
        where unsafe rename(database + ending, aside + ending) != 0 && errno != ENOENT {
            throw HistoryProblem(errno, in: path)
        }
        return aside
    }

    private static func check(_ file: String, _ status: FileStatus) throws(HistoryProblem) {
        guard status.isRegularFile else { throw .failed("\(file) is not a regular file") }
        guard status.owner == geteuid() else {
            throw .refused("\(TrustedPath.Fault(reason: .belongsToOther, path: file))")
        }
    }

    private static func openOwned(_ file: String, in directory: String) throws(HistoryProblem) -> Descriptor {
        let descriptor: Descriptor
        let status: FileStatus
        do throws(SystemError) {
            descriptor = try Descriptor(opening: file, O_RDWR | O_CREAT | O_NOFOLLOW, permissions: 0o600)
            status = try FileStatus(descriptor)
        } catch {
            throw HistoryProblem(error.number, in: directory)
        }
        try check(file, status)
        // Created with another umask or by hand: restrict it to the owner anyway.
        guard status.permissions & 0o077 == 0 || fchmod(descriptor.number, 0o600) == 0 else {
            throw HistoryProblem(errno, in: directory)
        }
        return descriptor
    }
}

extension HistoryProblem {
    /// Classifies a system error.
    init(_ code: Int32, in directory: String) {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case EROFS, EACCES, EPERM: self = .readOnly
        default: self = .failed("\(directory): \(SystemError(code))")
        }
    }

    /// Classifies an error message from a directory; checks the state of the file system first.
    init(in directory: String, words: String) {
        var facts = statvfs()
        if unsafe statvfs(directory, &facts) == 0 {
            if UInt(facts.f_flag) & UInt(ST_RDONLY) != 0 {
                self = .readOnly
                return
            }
            if facts.f_bavail < 16 || facts.f_favail == 0 && facts.f_files != 0 {
                self = .diskFull
                return
            }
        }
        // A failed file system may not report its failure before a write.
        let probe = directory + "/history.probe"
        do {
            _ = try Descriptor(opening: probe, O_RDWR | O_CREAT | O_NOFOLLOW, permissions: 0o600)
            unsafe unlink(probe)
            self = .failed(words)
        } catch {
            self.init(error.number, in: directory)
            if case .failed = self { self = .failed(words) }
        }
    }
}

package enum HistoryLocation {
    package static let fileName = "history.sqlite"
    /// The name of the file that the recording process locks.
    package static let lockName = "history.lock"

    /// The directory of the system's service.
    package static let service = URL(filePath: "/var/lib/dialtone", directoryHint: .isDirectory)

    /// The default directory: `$STATE_DIRECTORY`, which systemd sets; else `$XDG_STATE_HOME/dialtone`; else
    /// `~/.local/state/dialtone`.
    ///
    /// Relative paths are ignored, as the XDG Base Directory Specification requires. If `$STATE_DIRECTORY` lists
    /// several directories (systemd.exec(5)), the first is used.
    ///
    /// - Returns: nil if the home directory is not known either.
    package static func standard(environment: [String: String]) -> URL? {
        func absolute(_ name: String) -> String? {
            guard let path = environment[name], path.hasPrefix("/") else { return nil }
            return path
        }
        if let state = absolute("STATE_DIRECTORY")?.split(separator: ":").first {
            return URL(filePath: String(state), directoryHint: .isDirectory)
        }
        if let state = absolute("XDG_STATE_HOME") {
            return URL(filePath: state, directoryHint: .isDirectory).appending(path: "dialtone")
        }
        return absolute("HOME").map {
            URL(filePath: $0, directoryHint: .isDirectory).appending(path: ".local/state/dialtone")
        }
    }
}
