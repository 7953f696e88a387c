// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The samples in the documentation are files in `Snippets/`, which `make docs` compiles; these tests compare the two.
struct SampleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let documents =
        ["README.md", "docs/waiting.md", "docs/migrating.md", "docs/five-ways.md", "docs/apps.md"]
        + [
            "Dialtone", "DialtoneAsyncHTTPClient", "DialtoneNotifications", "DialtoneTesting", "DialtoneURLSession",
            "OpenNetwork",
        ].map { "Sources/\($0)/\($0).docc/\($0).md" }

    @Test(arguments: documents)
    func `every sample with an import is a compiled snippet`(document: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
        // SwiftUI exists on Apple's platforms only: `make check-apple` compiles that sample.
        let snippets = try ["Snippets", "Examples/StatusView/Sources/StatusView"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                at: Self.root.appending(path: folder), includingPropertiesForKeys: nil)
        }.map { Self.withoutTrait(try String(contentsOf: $0, encoding: .utf8)) }
        let samples = Self.samples(in: text).filter { $0.hasPrefix("import ") }
        #expect(!samples.isEmpty)
        for sample in samples {
            #expect(snippets.contains(sample), "not in Snippets/: \(sample.prefix(80))…")
        }
    }

    /// A snippet as shown to users: without the `#if` and `#endif` for a trait.
    private static func withoutTrait(_ snippet: String) -> String {
        var lines = snippet.trimmingCharacters(in: .whitespacesAndNewlines).components(separatedBy: "\n")
        if lines.first?.hasPrefix("#if ") == true, lines.last == "#endif" {
            lines = Array(lines.dropFirst().dropLast())
        }
        return lines.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func samples(in text: String) -> [String] {
        text.components(separatedBy: "```swift\n").dropFirst().compactMap { part in
            part.components(separatedBy: "\n```").first?.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
