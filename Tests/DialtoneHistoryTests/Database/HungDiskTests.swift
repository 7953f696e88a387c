// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import GRDB
import SystemSupport
import TestSupport
import Testing

@testable import DialtoneHistory

/// A disk that does not respond: another connection holds the database's lock, and writes wait for it.
@Suite(.real, .timeLimit(.minutes(5)))
struct HungDiskTests {
    private let directory: TemporaryDirectory
    private let clocks = Clocks(Sample.clocks(0))

    init() throws { directory = try TemporaryDirectory() }

    @Test func `records waiting for a hung disk are bounded, counted, reported, and written afterwards`() async throws {
        let notices = Recorder<HistoryNotice>()
        var configuration = clocks.configuration()
        configuration.onNotice = { notices.record($0) }
        // The lock is held until all records are waiting, which takes longer on a busy machine.
        configuration.busyTimeout = 600
        let store = await HistoryStore.open(at: directory.url, configuration: configuration)
        var unsafe = Configuration()
        unsafe.allowsUnsafeTransactions = true
        let blocker = try DatabaseQueue(path: directory.database.path, configuration: unsafe)
        try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        store.record(Sample.transition(1, .online))
        // From here on, the queue waits for the lock.
        try await eventually { store.state.withLock { $0.writingSince != nil } }
        clocks.set(Sample.clocks(30))
        store.tick()
        #expect(store.status.problem == .notResponding)
        #expect(try await notices.next() == .degraded(.notResponding))
        for index in 0..<30_000 {
            store.record(CheckRecord(time: Sample.time(Double(index)), verdict: .verified))
        }
        #expect(store.isResponding, "a restart would wait for the same disk")
        let (waiting, discarded) = (store.status.waiting, store.status.discarded)
        #expect(waiting < 21_000 && discarded > 9_000)
        try await blocker.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        store.tick()
        await store.flush()
        #expect(store.status.isHealthy && store.status.waiting == 0)
        #expect(try await notices.next() == .recovered(written: waiting))
        let checks = try await store.singleChecks(from: Sample.time(0), to: Sample.time(30_001), limit: .max)
        #expect(checks.count == 30_000 - discarded)
        #expect(
            try await HistoryReader(directory.url).transitions(from: Sample.time(0), to: Sample.time(20)).text
                == "0 unknown started, 1 online")
        await store.close()
    }

    @Test func `trimming keeps records that are being written`() {
        var pending = PendingRecords(maximumTransitions: 4, maximumChecks: 4)
        for second in 0..<3 { pending.append([Sample.transition(Double(second), .online)]) }
        _ = pending.startWriting(2)
        for second in 3..<12 {
            pending.append([Sample.transition(Double(second), .online)])
            pending.trim()
        }
        pending.didWrite()
        pending.trim()
        #expect(pending.transitions.first?.time == Sample.time(2))
        #expect(pending.transitions.first?.cause == .discarded)
        #expect(pending.transitions.last?.time == Sample.time(11))
        #expect(pending.transitions.count <= 5)
    }

    @Test func `an unusable file is not reopened at each tick`() async throws {
        let store = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
        await store.close()
        // A directory in place of the file: it is not a history, and cannot be renamed.
        try FileManager.default.removeItem(at: directory.database)
        try FileManager.default.createDirectory(at: directory.database, withIntermediateDirectories: false)
        let second = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
        guard case .failed = second.status.problem else {
            Issue.record("\(String(describing: second.status.problem))")
            return
        }
        var attempts: [Double] = []
        for second_ in stride(from: 10.0, through: 2000, by: 10) {
            clocks.set(Sample.clocks(second_))
            let before = second.state.withLock { $0.reopening.after }
            second.tick()
            await withCheckedContinuation { continuation in second.queue.async { continuation.resume() } }
            if second.state.withLock({ $0.reopening.after }) != before { attempts.append(second_) }
        }
        #expect(attempts.count < 12, "\(attempts)")
        await second.close()
    }

    @Test func `closing twice leaves the files closed`() async throws {
        let store = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
        await store.close()
        await store.close()
        let next = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
        #expect(next.status.isHealthy)
        await next.close()
    }

    @Test func `absurd numbers in the database are not used as latencies and never trap`() async throws {
        do {
            let store = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
            store.record(Sample.transition(1, .online))
            store.record(CheckRecord(time: Sample.time(1), verdict: .verified, latency: 0.5))
            await store.close()
        }
        let queue = try DatabaseQueue(path: directory.database.path)
        try await queue.write { db in
            for (index, value) in ["-9e999", "9e999", "1e308", "-1.0"].enumerated() {
                try db.execute(
                    sql: """
                        INSERT INTO "check" (id, time, verdict, latency, passed, asked) SELECT \(100 + index), time, verdict, \
                        \(value), 9223372036854775807, -9223372036854775808 FROM "check" WHERE id = 1
                        """)
            }
            for (index, time) in ["9223372036854775807", "-9223372036854775808"].enumerated() {
                try db.execute(
                    sql: "INSERT INTO transition (id, time, state) VALUES (\(100 + index), \(time), 'offline')")
            }
        }
        try queue.close()
        let reader = try HistoryReader(directory.url) { Sample.clocks(100) }
        let store = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
        let checks = try await store.singleChecks(from: Sample.time(-10), to: Sample.time(100), limit: 10)
        await store.close()
        #expect(checks.count == 5 && checks.compactMap(\.latency) == [0.5])
        let timeline = try await reader.timeline(from: .distantPast, to: .distantFuture)
        #expect(timeline.summary.seconds.values.allSatisfy { $0.isFinite && $0 >= 0 })
        _ = try HistoryReport(timeline).json()
    }

    @Test func `a timeline thinned while it is built is the same`() async throws {
        let store = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
        for index in 0..<5000 {
            store.record(Sample.transition(Double(index * 7 % 9001), index % 3 == 0 ? .offline : .online))
        }
        await store.flush()
        clocks.set(Sample.clocks(9001))
        let whole = try await store.timeline(from: Sample.time(0), to: Sample.time(9001))
        let thin = try await store.timeline(
            from: Sample.time(0), to: Sample.time(9001), maximumSpans: 50, maximumOutages: 7)
        #expect(thin.spans == whole.thinned(to: 50).spans)
        #expect(thin.summary == whole.summary)
        #expect(thin.outages == whole.outages.suffix(7))
        await store.close()
    }
}
