// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DialtoneHistory
import Foundation

/// The options for the location of the history: `--data-dir`, and the settings file that may define it.
struct HistoryOptions: ParsableArguments {
    @Option(.dataDirectory) var dataDir: String?

    @Option(
        help: ArgumentHelp(
            "Read settings from this JSON file instead of the default ones; /dev/null for none.", valueName: "path"))
    var config: String?

    /// The directory of the history.
    ///
    /// - Throws: `SettingsError` for invalid settings, and if no directory is known.
    func directory() throws(SettingsError) -> URL {
        let options = SettingValues(texts: [.dataDirectory: dataDir])
        return try Self.directory(Settings(options: options, file: config).dataDirectory)
    }

    /// The directory that is set, or else the default one.
    static func directory(_ set: Sourced<String>?) throws(SettingsError) -> URL {
        if let set { return URL(filePath: set.value, directoryHint: .isDirectory) }
        guard let usual = HistoryLocation.standard(environment: ProcessInfo.processInfo.environment) else {
            throw SettingsError(
                .option("--data-dir"), "must be set, because no home directory is known")
        }
        return usual
    }
}
