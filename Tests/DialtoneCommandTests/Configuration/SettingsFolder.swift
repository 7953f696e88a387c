// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A configuration folder for one run of the command.
final class SettingsFolder {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("settings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("dialtone"), withIntermediateDirectories: true)
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The file in the default location.
    var standardFile: String { "\(path)/dialtone/config.json" }

    /// Writes a file that only its owner can write.
    func write(_ text: String, to file: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    }

    /// The environment in which the command uses this folder.
    var environment: [String: String] { ["XDG_CONFIG_HOME": path, "HOME": "/nonexistent"] }
}
