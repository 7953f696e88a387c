// SPDX-License-Identifier: Apache-2.0

import LibC
package import SystemSupport

/// The executables that `dialtone serve` runs at each transition.
package struct HookFiles: Hashable, Sendable {
    /// The paths of executables and of directories with executables, in order; nil for the default directory.
    let paths: [String]?
    /// The directory that is used by default, if it exists.
    private let standardDirectory: String

    package init(_ paths: [String]?, standardDirectory: String = "/etc/dialtone/hooks.d") {
        self.paths = paths
        self.standardDirectory = standardDirectory
    }

    package struct File: Hashable, Sendable {
        /// The path: a configured one, or that of a file in a configured directory.
        package let path: String
        /// The path to execute, without symbolic links.
        let executable: Result<String, Problem>
        /// Whether its directory is configured, and not the file itself.
        package var isInDirectory = false

        /// Why it must not run; nil if it may.
        package var problem: Problem? { if case .failure(let problem) = executable { problem } else { nil } }
    }

    /// The reason why an executable must not run.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// Another user could have written it, or it does not exist.
        case untrusted(TrustedPath.Fault)
        /// The directory cannot be read.
        case unreadable(SystemError)
        case notRegular
        case notExecutable

        package var description: String {
            switch self {
            case .untrusted(let fault): "\(fault)"
            case .unreadable(let error): "the directory cannot be read: \(error)"
            case .notRegular: "not a regular file"
            case .notExecutable: "not executable: run chmod +x"
            }
        }
    }

    /// The maximum number of executables of one directory.
    private static let limit = 100

    /// Finds the executables, in the order in which they run: the paths as configured, the files of a directory by their
    /// names.
    ///
    /// Of a directory it skips subdirectories, files that are not executable, and the names of hidden and of backup files. An
    /// unusable path is returned with the problem, except for a missing default directory.
    package func find(user: UInt32 = geteuid()) -> [File] {
        guard let paths else { return hasStandardDirectory ? Self.find(standardDirectory, user) : [] }
        return paths.flatMap { Self.find($0, user) }
    }

    private var hasStandardDirectory: Bool {
        do {
            _ = try FileStatus(standardDirectory)
            return true
        } catch {
            return error.number != ENOENT
        }
    }

    private static func find(_ path: String, _ user: UInt32) -> [File] {
        do throws(Problem) {
            let place = try trusted(path, user)
            guard place.status.isDirectory else {
                return [File(path: path, executable: .success(try executable(place)))]
            }
            return try names(in: place.path).map { name in
                let file = "\(path)/\(name)"
                let result = Result { () throws(Problem) in try executable(trusted(file, user)) }
                return File(path: file, executable: result, isInDirectory: true)
            }
        } catch {
            return [File(path: path, executable: .failure(error))]
        }
    }

    /// The names of the hooks in a directory, in the order in which they run.
    private static func names(in directory: String) throws(Problem) -> [String] {
        let names: [String]
        do { names = try SystemCall.names(in: directory) } catch { throw .unreadable(error) }
        return names.filter(isHook).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.filter { name in
            // An unreadable entry is reported.
            guard let status = try? FileStatus("\(directory)/\(name)") else { return true }
            return status.isRegularFile && status.permissions & 0o111 != 0
        }.prefix(limit).map(\.self)
    }

    private static func isHook(_ name: String) -> Bool {
        !name.hasPrefix(".") && !name.hasSuffix("~") && !name.hasSuffix(".bak")
            && ![".dpkg-", ".rpmsave", ".rpmnew", ".rpmorig"].contains { name.contains($0) }
    }

    private static func executable(_ file: TrustedPath) throws(Problem) -> String {
        guard file.status.isRegularFile else { throw .notRegular }
        guard file.status.permissions & 0o111 != 0 else { throw .notExecutable }
        return file.path
    }

    private static func trusted(_ path: String, _ user: UInt32) throws(Problem) -> TrustedPath {
        do { return try TrustedPath(path, user: user) } catch { throw .untrusted(error) }
    }
}
