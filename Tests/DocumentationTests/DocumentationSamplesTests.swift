// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The samples in the comments of every library are parts of files in `Snippets/`, which `make docs` compiles.
struct DocumentationSamplesTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func sources(_ folder: String) throws -> [String] {
        let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
        let urls = try #require(files?.allObjects as? [URL])
        return try urls.filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
    }

    @Test(arguments: [
        "Dialtone", "DialtoneCombine", "DialtoneNotifications", "DialtoneTesting", "DialtoneURLSession", "NetworkModel",
        "NetworkSimulation", "OpenNetwork", "OpenSystemConfiguration",
    ])
    func `every sample in a comment is part of a compiled snippet`(module: String) throws {
        let snippets = try Self.sources("Snippets").map { Self.withoutIndentation($0.split(separator: "\n")) }
        for source in try Self.sources("Sources/\(module)") {
            for sample in Self.samples(in: source) {
                #expect(snippets.contains { $0.contains(sample) }, "not in Snippets/: \(sample)")
            }
        }
    }

    @Test func `the comments contain samples`() throws {
        #expect(try Self.sources("Sources").flatMap(Self.samples).count > 10)
    }

    private static func samples(in source: String) -> [String] {
        var samples: [String] = []
        var sample: [Substring]?
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let comment = line.drop { $0 == " " }
            if comment == "/// ```swift" {
                sample = []
            } else if comment == "/// ```", let lines = sample {
                samples.append(withoutIndentation(lines))
                sample = nil
            } else {
                sample?.append(comment.dropFirst(4))
            }
        }
        return samples
    }

    /// Samples are inside functions, and declarations are apart from the code that uses them.
    private static func withoutIndentation(_ lines: [Substring]) -> String {
        lines.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
