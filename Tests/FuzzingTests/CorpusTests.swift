// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Every run of the tests reads the inputs that fuzzing has found: `Fuzzing/Corpus`, a folder for each reader.
struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzzing/Corpus")

    private static func inputs(_ reader: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: reader), includingPropertiesForKeys: nil)
    }

    @Test(arguments: Reader.all.map(\.name)) func `no input of the corpus makes a reader trap`(name: String) throws {
        let reader = try #require(Reader.all.first { $0.name == name })
        let inputs = try Self.inputs(name)
        #expect(!inputs.isEmpty)
        for input in inputs { reader.read([UInt8](try Data(contentsOf: input))) }
    }

    @Test func `every folder of the corpus belongs to a reader`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(Set(Reader.all.map(\.name)).isSubset(of: folders))
        #if os(Linux)
        #expect(folders.count == Reader.all.count)
        #endif
    }
}
