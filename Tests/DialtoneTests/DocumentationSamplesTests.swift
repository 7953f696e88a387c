//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

/// The samples in the comments of the checks, the monitor and the testing kit are parts of files in `Snippets/`, which
/// every build compiles.
struct DocumentationSamplesTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func sources(_ folder: String) throws -> [String] {
        let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
        let urls = try #require(files?.allObjects as? [URL])
        return try urls.filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
    }

    @Test(arguments: [
        "Sources/Dialtone/InternetCheck", "Sources/Dialtone/CaptivePortal", "Sources/Dialtone/Connectivity",
        "Sources/Dialtone/Delivery", "Sources/DialtoneTesting",
    ])
    func `every sample in a comment is part of a compiled snippet`(folder: String) throws {
        let snippets = try Self.sources("Snippets")
        var count = 0
        for source in try Self.sources(folder) {
            var sample: [Substring]?
            for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
                let comment = line.drop { $0 == " " }
                if comment == "/// ```swift" {
                    sample = []
                } else if comment == "/// ```", let lines = sample {
                    let text = lines.joined(separator: "\n")
                    #expect(snippets.contains { $0.contains(text) }, "not in Snippets/: \(text)")
                    count += 1
                    sample = nil
                } else {
                    sample?.append(comment.dropFirst(4))
                }
            }
        }
        #expect(count > 0)
    }
}
