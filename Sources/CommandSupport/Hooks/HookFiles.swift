// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// The executables that `dialtone serve` runs at each transition.
package struct HookFiles: Hashable, Sendable {
    /// The directory that is used by default, if it exists.
    package static let standardDirectory = "/etc/dialtone/hooks.d"

    /// The paths of executables and of directories with executables, in order; nil for the default directory.
    package let paths: [String]?

    package init(_ paths: [String]?) { self.paths = paths }

    /// An executable.
    package struct File: Hashable, Sendable {
        package let path: String
        /// Why it must not run; nil for one that may.
        package var problem: String?
    }

    /// The maximum number of executables of one directory.
    private static let limit = 100

    /// Finds the executables, in the order in which they run: the paths as configured, the files of a directory by their
    /// names.
    ///
    /// Of a directory it skips subdirectories, files that are not executable, and the names of hidden and of backup files. A
    /// path that cannot be used is returned with the problem, except for a missing default directory.
    ///
    /// - Parameter user: the user ID of this process.
    package func find(user: UInt32 = geteuid()) -> [File] {
        guard let paths else {
            let isMissing = (try? FileStatus(Self.standardDirectory)) == nil
            return isMissing ? [] : Self.find(Self.standardDirectory, user)
        }
        return paths.flatMap { Self.find($0, user) }
    }

    private static func find(_ path: String, _ user: UInt32) -> [File] {
        guard let status = try? FileStatus(path), status.isDirectory else {
            return [File(path: path, problem: problem(ofFile: path, user))]
        }
        if let problem = problem(ofDirectory: path, user) { return [File(path: path, problem: problem)] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            return [File(path: path, problem: "the directory cannot be read")]
        }
        return names.filter(isHook).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(path)/\($0)" }
            .filter { file in
                guard let status = try? FileStatus(file) else { return true }
                return status.isRegularFile && status.permissions & 0o111 != 0
            }
            .prefix(limit).map { File(path: $0, problem: problem(ofFile: $0, user)) }
    }

    private static func isHook(_ name: String) -> Bool {
        !name.hasPrefix(".") && !name.hasSuffix("~") && !name.hasSuffix(".bak")
            && ![".dpkg-", ".rpmsave", ".rpmnew", ".rpmorig"].contains { name.contains($0) }
    }

    /// Why a file must not run: another user could have written it, or could replace it.
    private static func problem(ofFile path: String, _ user: UInt32) -> String? {
        guard let real = realPath(path), let status = try? FileStatus(real) else {
            return SystemError(errno).description
        }
        guard status.isRegularFile else { return "not a regular file" }
        guard status.permissions & 0o111 != 0 else { return "not executable: run chmod +x" }
        if let problem = ownership(of: real, status, user) { return problem }
        // The directory of a symbolic link, and that of the file.
        return problem(ofDirectory: parent(of: path), user) ?? problem(ofDirectory: parent(of: real), user)
    }

    private static func problem(ofDirectory path: String, _ user: UInt32) -> String? {
        guard var folder = realPath(path), let status = try? FileStatus(folder) else {
            return SystemError(errno).description
        }
        if let problem = ownership(of: folder, status, user) { return problem }
        // A user who can write to a parent directory can replace the directory below it, unless it has the sticky bit.
        while folder != "/" {
            folder = parent(of: folder)
            guard let permissions = try? FileStatus(folder).permissions else { continue }
            if permissions & 0o022 != 0, permissions & 0o1000 == 0 {
                return "other users can write to \(folder): run chmod go-w"
            }
        }
        return nil
    }

    private static func ownership(of path: String, _ status: FileStatus, _ user: UInt32) -> String? {
        if status.owner != user, status.owner != 0 { return "\(path) belongs to another user" }
        if status.permissions & 0o022 != 0 { return "other users can write to \(path): run chmod go-w" }
        return nil
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
