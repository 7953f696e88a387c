// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import GRDB
import TestSupport
import Testing

@testable import DialtoneHistory

#if canImport(Glibc)
import Glibc
#endif

/// The history that remains after a power cut: files whose last writes are missing, partial or replaced by other bytes.
@Suite(.real, .timeLimit(.minutes(5)))
struct PowerCutTests {
    private static let count = 8

    /// The files of a store that is still open, with one transaction for each number from 1.
    private func files(_ count: Int = count, checkpointed: Bool = false) async throws -> (database: Data, log: Data) {
        let directory = try TemporaryDirectory()
        let store = await HistoryStore.open(at: directory.url)
        for number in 1...count {
            store.record(
                HistoryTransition(
                    time: .wall, state: number.isMultiple(of: 2) ? .online : .offline,
                    cause: HistoryCause(rawValue: "n\(number)")))
            await store.flush()
        }
        if checkpointed { await store.close() }
        let log = try? Data(contentsOf: URL(filePath: directory.database.path + "-wal"))
        let files = (try Data(contentsOf: directory.database), log ?? Data())
        await store.close()
        return files
    }

    /// Opens a store with these files, and returns the numbers that it has.
    ///
    /// The store must work afterwards, whatever it has found.
    private func numbers(_ database: Data, _ log: Data, in directory: TemporaryDirectory) async throws -> [Int] {
        try database.write(to: directory.database)
        try log.write(to: URL(filePath: directory.database.path + "-wal"))
        let store = await HistoryStore.open(at: directory.url)
        #expect(store.status.isHealthy)
        store.record(HistoryTransition(time: .wall, state: .captivePortal, cause: HistoryCause(rawValue: "after")))
        await store.flush()
        #expect(store.status.waiting == 0)
        await store.close()
        let transitions = try await HistoryReader(directory.url).transitions()
        #expect(transitions.contains { $0.cause?.rawValue == "after" })
        return transitions.compactMap { $0.cause.flatMap { Int($0.rawValue.dropFirst()) } }
    }

    /// The lengths to cut a write-ahead log to: in and after its header, before each frame, and in each part of the last ones, which
    /// are the records'.
    private func cuts(of log: Data) -> [Int] {
        let header = 32
        let pageSize = log[8..<12].reduce(0) { $0 << 8 | Int($1) }
        let frame = 24 + pageSize
        let starts = Array(stride(from: header, to: log.count, by: frame))
        let parts = [0, 8, 24, 24 + 512, frame - 1]
        let inFrames = starts.suffix(12).flatMap { start in parts.map { min(start + $0, log.count) } }
        return [0, 1, 16, 31] + starts.dropLast(12) + inFrames + [log.count]
    }

    @Test(arguments: ["missing", "zero", "random"])
    func `a log that ends anywhere loses its last records only, and nothing is set aside`(rest: String) async throws {
        // One of each state, and another one after them.
        let count = 3
        let (database, log) = try await files(count)
        var random = SeededGenerator(seed: 7)
        var last = 0
        for cut in cuts(of: log) {
            var torn = log.prefix(cut)
            switch rest {
            case "zero": torn += Data(count: log.count - cut)
            case "random": torn += Data((cut..<log.count).map { _ in UInt8.random(in: 0...255, using: &random) })
            default: break
            }
            let directory = try TemporaryDirectory()
            let numbers = try await numbers(database, Data(torn), in: directory)
            #expect(numbers == Array((1...count).prefix(numbers.count)), "cut at \(cut)")
            #expect(numbers.count >= last, "cut at \(cut)")
            #expect(try directory.aside().isEmpty, "cut at \(cut)")
            last = numbers.count
        }
        #expect(last == count)
    }

    @Test(arguments: 0..<40) func `pages torn while the log was copied into the database are repaired from the log`(
        seed: UInt64
    ) async throws {
        let (old, log) = try await files()
        let directory = try TemporaryDirectory()
        try old.write(to: directory.database)
        try log.write(to: URL(filePath: directory.database.path + "-wal"))
        let copy = try DatabaseQueue(path: directory.database.path)
        try await copy.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try copy.close()
        let new = try Data(contentsOf: directory.database)
        try #require(new != old)
        var random = SeededGenerator(seed: seed)
        let sector = 512
        // Every sector has its old content or the new one, and the file ends between its old end and its new one.
        var torn = Data()
        for start in stride(from: 0, to: new.count, by: sector) {
            let isOld = Bool.random(using: &random)
            let source = isOld && start + sector <= old.count ? old : new
            torn += source[start..<min(start + sector, source.count)]
        }
        let length = Int.random(in: min(old.count, new.count)...new.count, using: &random)
        let again = try TemporaryDirectory()
        #expect(try await numbers(torn.prefix(length), log, in: again) == Array(1...Self.count))
        #expect(try again.aside().isEmpty)
    }

    @Test func `a copy made while another process records is never torn`() async throws {
        let directory = try TemporaryDirectory()
        let run = try CommandRun(.historyWriter, ["pace", directory.url.path, "1"])
        #expect(try await run.output.next() == "open true 0")
        var (copies, last) = (0, 0)
        // A copy fails if there was a write between any two looks at the files, which is often so on a busy machine.
        for _ in 0..<200 where copies < 5 {
            let written = try #require(Int(try await run.output.next()))
            do {
                let copy = try ReadOnlyDatabase.openCopy(of: directory.database.path)
                let numbers = try await copy.read { db in
                    try String.fetchAll(db, sql: "SELECT cause FROM transition WHERE cause LIKE 'n%' ORDER BY id")
                        .compactMap { Int($0.dropFirst()) }
                }
                #expect(numbers == Array(1...max(numbers.count, 1)))
                #expect(numbers.count >= max(written, last))
                (copies, last) = (copies + 1, numbers.count)
                try copy.close()
            } catch let error as CocoaError {
                #expect(error.code == .fileReadUnknown, "\(error)")
            }
        }
        kill(run.identifier, SIGKILL)
        _ = try await run.exitStatus()
        #expect(copies > 0)
    }

    @Test func `a database that has lost its end is set aside byte for byte, or is still complete`() async throws {
        let (database, _) = try await files(checkpointed: true)
        let page = 4096
        let lengths = stride(from: 0, through: database.count, by: page).flatMap { [$0, $0 + 1, $0 + page / 2] }
        for length in lengths where length <= database.count {
            let torn = database.prefix(length)
            let directory = try TemporaryDirectory()
            let numbers = try await numbers(torn, Data(), in: directory)
            if length == database.count {
                #expect(numbers == Array(1...Self.count))
            } else if let aside = try directory.aside().first(where: { $0.hasSuffix(".sqlite") }) {
                #expect(numbers.isEmpty)
                #expect(try Data(contentsOf: directory.url.appending(path: aside)) == torn)
            } else {
                // SQLite takes a file of at most one byte for a new database; free pages at the end contain nothing.
                #expect(length <= 1 ? numbers.isEmpty : numbers == Array(1...Self.count), "cut at \(length)")
            }
        }
    }
}
