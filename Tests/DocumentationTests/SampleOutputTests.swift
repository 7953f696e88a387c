// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TestSupport
import Testing

/// The samples that need no network print what the comments beside their `print` say.
struct SampleOutputTests {
    @Test(arguments: ["SimulatedNetwork", "SimulatedTime", "ScriptedNetwork"])
    func `a sample prints what its comments say, every time`(name: String) async throws {
        let snippets = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Snippets")
        let source = try String(contentsOf: snippets.appending(path: "\(name).swift"), encoding: .utf8)
        let comments = source.matches(of: /\bprint\(.*\)  \/\/ (.*)/).map { String($0.output.1) }
        #expect(!comments.isEmpty)
        let program = URL(fileURLWithPath: CommandRun.Program.dialtone.path)
            .deletingLastPathComponent().appending(path: name)
        for _ in 0..<20 {
            let run = try CommandRun(.init(path: program.path), [])
            #expect(try await run.exitStatus() == 0)
            #expect(run.output.values == comments)
        }
    }
}
#endif
