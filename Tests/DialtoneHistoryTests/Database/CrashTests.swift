// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import GRDB
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The history that remains after its process is killed in the middle of a write.
@Suite(.real, .timeLimit(.minutes(10)))
struct CrashTests {
    @Test func `after 200 kills during writes, no written record is lost and none is invented`()
        async throws
    {
        let directory = try TemporaryDirectory()
        var random = SeededGenerator(seed: 3)
        var first = 1
        var kept = 0
        for round in 0..<200 {
            let start = Date.wall
            let run = try CommandRun(.historyWriter, ["flap", directory.url.path, "\(first)"])
            #expect(try await run.output.next() == "open true 0", "round \(round)")
            var last = 0
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                last = try #require(Int(try await run.output.next()))
            }
            // At a random point of the next write.
            for _ in 0..<Int.random(in: 0...20_000, using: &random) { kept &+= 1 }
            kill(run.identifier, SIGKILL)
            #expect(try await run.exitStatus() == 128 + SIGKILL)
            last = run.output.values.compactMap { Int($0) }.last ?? last
            let known = try await transitions(directory, from: start).compactMap(Self.number)
            #expect(known.last.map { $0 >= last } == true, "round \(round): \(last) was written")
            first = (known.last ?? last) + 1
        }
        let database = try DatabaseQueue(path: directory.database.path)
        let words = try await database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        #expect(words == ["ok"])
        try database.close()
        #expect(try directory.aside().isEmpty)
        try await checkTruth(directory, runs: 200)
    }

    private func transitions(
        _ directory: TemporaryDirectory, from start: Date = .distantPast
    ) async throws -> [HistoryTransition] {
        try await HistoryReader(directory.url).transitions(from: start)
    }

    private static func number(_ transition: HistoryTransition) -> Int? {
        guard let cause = transition.cause?.rawValue, cause.hasPrefix("n") else { return nil }
        return Int(cause.dropFirst())
    }

    /// Every number is present once, in order; each run begins with the end of the previous one, which was a crash.
    private func checkTruth(_ directory: TemporaryDirectory, runs: Int) async throws {
        let transitions = try await transitions(directory)
        let numbers = transitions.compactMap(Self.number)
        #expect(numbers == Array(1...numbers.count))
        let begun = transitions.indices.filter { transitions[$0].cause == .started }
        #expect(begun.count == runs)
        for index in begun.dropFirst() {
            let gap = transitions[index - 1]
            #expect(gap.state == .notWatching && gap.cause == .crashed)
            #expect(gap.time >= transitions[index - 2].time.addingTimeInterval(-0.002))
            #expect(gap.time <= transitions[index].time)
        }
    }
}
