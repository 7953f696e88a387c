// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CommandSupport

/// The table of settings, and the documentation.
struct DocumentedSettingsTests {
    @Test(arguments: Setting.allCases) func `the documentation has the row of every setting`(setting: Setting) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/configuration.md"), encoding: .utf8)
        let row = setting.row
        let cells = [
            "`\(setting.rawValue)`", row.help, "`\(setting.option)`", "`\(setting.variable)`", row.form, row.standard,
        ]
        #expect(text.components(separatedBy: "\n").contains("| \(cells.joined(separator: " | ")) |"))
    }
}
