//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Configuration
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file with settings.
///
/// What it says decides whom this machine talks to, so nobody but root and the user may have written it.
struct SettingsFile {
    let path: String
    let values: [Setting: ConfigContent]

    /// What is at a path.
    private enum Found {
        case nothing
        case text(Data)
        /// A file that is there, but not to be used.
        case passedOver(because: String)
    }

    /// Reads the file that somebody named.
    init(named path: String) throws(SettingsError) {
        guard path != "/dev/null" else {
            (self.path, values) = (path, [:])
            return
        }
        guard case .text(let text) = try Self.look(at: path, mustBeOwn: false) else {
            throw SettingsError(.file(path, nil), "there is no such file")
        }
        (self.path, values) = (path, try SettingsText.values(of: text, in: path))
    }

    /// Reads the first file that there is in the usual places.
    ///
    /// - Parameters:
    ///   - environment: where the user's files are.
    ///   - explain: told of a file that is passed over.
    /// - Returns: nil when there is none.
    static func usual(
        _ environment: [String: String], explain: (String) -> Void
    ) throws(SettingsError) -> SettingsFile? {
        for path in usualPaths(environment) {
            switch try look(at: path, mustBeOwn: true) {
            case .nothing: continue
            case .text(let text): return SettingsFile(path: path, values: try SettingsText.values(of: text, in: path))
            case .passedOver(let reason): explain("dialtone: " + Printable.text("\(path) is not used: \(reason)"))
            }
        }
        return nil
    }

    private init(path: String, values: [Setting: ConfigContent]) {
        self.path = path
        self.values = values
    }

    /// The user's first (XDG Base Directory Specification), then the system's.
    static func usualPaths(_ environment: [String: String]) -> [String] {
        let isAbsolute = { (path: String) in path.hasPrefix("/") }
        let own =
            environment["XDG_CONFIG_HOME"].flatMap { isAbsolute($0) ? $0 : nil }
            ?? environment["HOME"].flatMap { isAbsolute($0) ? "\($0)/.config" : nil }
        return (own.map { ["\($0)/dialtone/config.json"] } ?? []) + ["/etc/dialtone/config.json"]
    }

    private static let mostBytes = 1 << 20

    private static func look(at path: String, mustBeOwn: Bool) throws(SettingsError) -> Found {
        // A FIFO must not hold the command.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            let number = errno
            let reason = "it cannot be read: \(String(cString: strerror(number)))"
            if [ENOENT, ENOTDIR].contains(number) { return .nothing }
            var facts = stat()
            // In a home that is closed to this user there is nothing of theirs.
            if mustBeOwn, number == EACCES, lstat(path, &facts) != 0 { return .passedOver(because: reason) }
            throw SettingsError(.file(path, nil), reason)
        }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { throw SettingsError(.file(path, nil), "it cannot be read") }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw SettingsError(.file(path, nil), "it is not a file") }
        if mustBeOwn, facts.st_uid != 0, facts.st_uid != geteuid() {
            return .passedOver(because: "it belongs to another user; name it with --config to use it")
        }
        guard facts.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw SettingsError(.file(path, nil), "others may write it; take that away with: chmod go-w")
        }
        return .text(try contents(of: file, path))
    }

    private static func contents(of file: Int32, _ path: String) throws(SettingsError) -> Data {
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw SettingsError(.file(path, nil), "it cannot be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { return data }
            data += chunk[..<count]
            guard data.count <= mostBytes else { throw SettingsError(.file(path, nil), "it is longer than 1 MiB") }
        }
    }
}
