// SPDX-License-Identifier: Apache-2.0

import DialtoneCommandLine
import DialtoneHistory
import Foundation

extension HistoryLocation {
    /// The directory that a setting specifies, or else the default one.
    static func directory(_ set: Sourced<String>?) throws(SettingsError) -> URL {
        if let set { return URL(filePath: set.value, directoryHint: .isDirectory) }
        guard let usual = standard(environment: ProcessInfo.processInfo.environment) else {
            throw SettingsError(
                .option("--data-dir"), "must be set, because no home directory is known")
        }
        return usual
    }
}
