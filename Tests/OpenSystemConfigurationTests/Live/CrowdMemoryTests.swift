// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Foundation
import TestSupport
import Testing

/// The resources that ten thousand targets, a thousand at a time, leave behind in a process that does nothing else.
@Suite(.requires(.networkNamespaces), .requires(.allocatorFigures), .timeLimit(.minutes(5)))
struct `Ten rounds of a thousand targets` {
    @Test func `many targets leave no memory, descriptor or context behind, and lose no callback`() async throws {
        let found = try await crowd()
        #expect(found["lost"] == 0)
        #expect(found["descriptors"].map { $0 <= 0 } == true, "\(found)")
        #expect(found["contexts"] == 0)
        // A leak of a hundred bytes in each target would exceed this, and a target has thousands: see below.
        #expect(found["bytes"].map { $0 < Self.bound } == true, "\(found)")
    }

    @Test func `a round that is not released is detected`() async throws {
        let found = try await crowd("leak")
        #expect(found["bytes"].map { $0 > 2 * Self.bound } == true, "\(found)")
        #expect(found["contexts"] == 1000)
    }

    private static let bound = 1 << 20

    private func crowd(_ arguments: String...) async throws -> [String: Int] {
        let lab = try await Lab()
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = own.deletingLastPathComponent().appendingPathComponent("TargetCrowd").path
        let run = try await CommandRun.start(.init(path: program), arguments, in: lab.namespace)
        #expect(try await run.exitStatus(timeout: .seconds(300)) == 0)
        let line = try #require(run.output.values.first)
        return try line.split(separator: " ").reduce(into: [:]) { found, part in
            let pair = part.split(separator: "=")
            found[String(try #require(pair.first))] = Int(try #require(pair.last))
        }
    }
}
#endif
