//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

@testable import Dialtone
@testable import DialtoneCLI

extension Reader {
    /// The command's configuration file, up to the configuration that it makes.
    static let settings = Reader("settings") { bytes in
        guard let values = try? SettingsText.values(of: Data(bytes), in: "config.json"),
            let settings = try? Settings([SettingsSource(options: values)])
        else { return }
        _ = try? settings.check(within: .seconds(5))
        _ = settings.monitoring
        try? settings.monitoring.validate()
    }
}
