//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Configuration
import DialtoneHistory
import Foundation

/// Where the history is: `--data-dir`, or the place that the settings name.
struct HistoryPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where it is kept; else in $STATE_DIRECTORY, $XDG_STATE_HOME/dialtone or ~/.local/state/dialtone.",
            valueName: "directory"))
    var dataDir: String?

    @Option(
        help: ArgumentHelp(
            "Read settings from this file (JSON) instead of the usual one; /dev/null for none.", valueName: "path"))
    var config: String?

    /// The directory.
    ///
    /// - Throws: `ValidationError` for settings that cannot be, and where no directory is known.
    func directory() throws -> URL {
        let options = dataDir.map { [Setting.dataDirectory: ConfigContent.string($0)] } ?? [:]
        do throws(SettingsError) {
            let settings = try Settings(options: options, file: config)
            return try Self.directory(settings.serving.dataDirectory)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The directory that is set, or else the usual one.
    static func directory(_ set: Sourced<String>?) throws(SettingsError) -> URL {
        if let set { return URL(filePath: set.value, directoryHint: .isDirectory) }
        guard let usual = HistoryLocation.standard(environment: ProcessInfo.processInfo.environment) else {
            throw SettingsError(
                .option("--data-dir"), "no home directory is known: say where to keep the history")
        }
        return usual
    }
}
