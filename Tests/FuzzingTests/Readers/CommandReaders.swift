// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import CommandSupport
@testable import Dialtone

extension Reader {
    /// The command's configuration file, up to the resulting configuration.
    static let settings = Reader("settings") { bytes in
        guard let file = try? SettingsFile(Array(bytes), at: "config.json"),
            let settings = try? Settings([SettingsSource(file: file)])
        else { return }
        _ = settings.check(within: .seconds(5))
        _ = settings.monitoring()
        try? settings.monitoring().validate()
    }
}
