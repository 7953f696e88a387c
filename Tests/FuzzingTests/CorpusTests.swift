// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
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

    @Test(arguments: Reader.all.map(\.name)) func `no mutated input of the corpus makes a reader trap`(name: String)
        throws
    {
        let reader = try #require(Reader.all.first { $0.name == name })
        let inputs = try Self.inputs(name).sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
        let interesting: [UInt8] = [0, 1, 2, 3, 4, 5, 7, 8, 10, 13, 15, 16, 32, 58, 127, 128, 254, 255]
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            var bytes = inputs.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[place] = .random(in: 0...255, using: &generator)
                case 1: bytes[place] = interesting.randomElement(using: &generator) ?? 0
                case 2: bytes.remove(at: place)
                case 3: bytes.removeSubrange(place...)
                default: bytes.insert(.random(in: 0...255, using: &generator), at: place)
                }
            }
            reader.read(bytes)
        }
    }

    @Test func `every folder of the corpus belongs to a reader`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(Set(Reader.all.map(\.name)).isSubset(of: folders))
        #if os(Linux)
        #expect(folders.count == Reader.all.count)
        #endif
    }
}
