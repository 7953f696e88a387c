//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestSupport
import Testing

/// What the command says there is to set, and what the documentation says.
struct DocumentedSettingsTests {
    @Test func `every setting is in the documentation, by its name and its variable`() async throws {
        let folder = try SettingsFolder()
        try folder.write(#"{"no such": 1}"#, to: folder.usualFile)
        let run = try CommandRun(.dialtone, ["check"], environment: folder.environment)
        #expect(try await run.exitStatus() == 64)
        let error = try #require(run.errors.values.first)
        let names = try #require(error.components(separatedBy: "; there are ").last).components(separatedBy: ", ")
        #expect(names.count >= 15, "\(names)")
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/configuration.md"), encoding: .utf8)
        for name in names {
            let variable = "DIALTONE_" + name.uppercased().replacingOccurrences(of: "-", with: "_")
            let row = text.components(separatedBy: "\n").first { $0.contains("| `\(variable)` |") }
            #expect(row?.contains("| `\(name)`:") == true, "\(name)")
        }
    }
}
