// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A directory with hooks, removed with this object.
final class HookFolder: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "dialtone-hooks-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a script for the shell.
    @discardableResult
    func write(
        _ script: String, to name: String, mode: Int = 0o755, interpreter: String = "/bin/sh"
    ) throws -> String {
        let file = "\(path)/\(name)"
        try writeScript(script, to: file, mode: mode, interpreter: interpreter)
        return file
    }

    func setMode(_ mode: Int, of file: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    /// The lines of a file; empty if it does not exist.
    func lines(of name: String) -> [String] {
        let text = (try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}
