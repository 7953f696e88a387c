// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import GRDB
import SystemSupport
import TestSupport
import Testing

@testable import DialtoneHistory

/// A store on a real disk, with clocks that the test sets.
@Suite(.real, .timeLimit(.minutes(5)))
struct StoreTests {
    private let directory: TemporaryDirectory
    private let clocks = Clocks(Sample.clocks(0))

    init() throws { directory = try TemporaryDirectory() }

    private func open() async -> HistoryStore {
        await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
    }

    private func text(_ end: Double) async throws -> String {
        try await HistoryReader(directory.url) { [clocks] in clocks.reading.withLock(\.self) }
            .timeline(from: Sample.time(0), to: Sample.time(end)).text
    }

    @Test func `the next run and a reader see the records of a run`() async throws {
        var store = await open()
        store.record(Sample.transition(1, .online, nil, "eth0"))
        store.record(Sample.transition(5, .offline, HistoryCause(rawValue: "noCarrier"), "eth0"))
        clocks.set(Sample.clocks(20))
        #expect(store.status.isHealthy)
        #expect(
            try await store.timeline(from: Sample.time(0), to: Sample.time(30)).text
                == "0 unknown, 1 online, 5 offline, 20 notWatching")
        await store.close()
        #expect(try await text(60) == "0 unknown, 1 online, 5 offline, 20 notWatching")
        clocks.set(Sample.clocks(50))
        store = await open()
        store.record(Sample.transition(51, .online))
        await store.flush()
        clocks.set(Sample.clocks(55))
        let expected = "0 unknown, 1 online, 5 offline, 20 notWatching, 50 unknown, 51 online, 55 notWatching"
        #expect(try await text(60) == expected)
        #expect(try await store.timeline(from: Sample.time(0), to: Sample.time(60)).text == expected)
        let transitions = try await HistoryReader(directory.url).transitions(from: Sample.time(4), to: Sample.time(21))
        #expect(transitions.text == "5 offline noCarrier, 20 notWatching stopped")
        #expect(transitions.map(\.previous) == [.online, .offline])
        #expect(transitions.first?.interfaceName == "eth0")
    }

    @Test func `a crash during an outage ends it with the last tick`() async throws {
        let crashing = await open()
        crashing.record(Sample.transition(1, .online))
        crashing.record(Sample.transition(5, .offline))
        await crashing.flush()
        clocks.set(Sample.clocks(15))
        crashing.tick()
        await crashing.flush()
        // The current files are the same as after a crash.
        let left = directory.url.appending(path: "left")
        try FileManager.default.createDirectory(
            at: left, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: directory.database.path + ending,
                toPath: left.appending(path: HistoryLocation.fileName).path + ending)
        }
        await crashing.close()
        clocks.set(Sample.clocks(100))
        let reader = try HistoryReader(left) { [clocks] in clocks.reading.withLock(\.self) }
        #expect(
            try await reader.timeline(from: Sample.time(0), to: Sample.time(100)).text
                == "0 unknown, 1 online, 5 offline, 15 notWatching")
        let store = await HistoryStore.open(at: left, configuration: clocks.configuration())
        let outages = try await store.timeline(from: Sample.time(0), to: Sample.time(100)).outages
        #expect(outages.map(\.ending) == [.unwatched])
        #expect(outages.map(\.length) == [10])
        #expect(
            try await HistoryReader(left).transitions(from: Sample.time(10), to: Sample.time(200)).text
                == "15 notWatching crashed, 100 unknown started")
    }

    @Test func `a reader treats a run as alive until its tick is overdue`() async throws {
        let store = await open()
        store.record(Sample.transition(1, .online))
        clocks.set(Sample.clocks(2))
        store.tick()
        await store.flush()
        clocks.set(Sample.clocks(30))
        #expect(try await text(100) == "0 unknown, 1 online, 30 notWatching")
        clocks.set(Sample.clocks(99))
        #expect(try await text(99) == "0 unknown, 1 online, 2 notWatching")
        await store.close()
    }

    @Test func `sleep, a reboot and unwatched time are distinguished`() async throws {
        var store = await open()
        store.record(Sample.transition(0, .online))
        clocks.set(Sample.clocks(30))
        store.tick()
        clocks.set(Sample.clocks(100, slept: 60))
        store.tick()
        await store.close()
        clocks.set(Sample.clocks(150, slept: 60))
        store = await open()
        store.record(Sample.transition(150, .online))
        await store.close()
        clocks.set(ClockReading(wall: Sample.time(300), boottime: 20, monotonic: 20, boot: "b"))
        store = await open()
        store.record(Sample.transition(300, .online))
        clocks.set(ClockReading(wall: Sample.time(310), boottime: 30, monotonic: 30, boot: "b"))
        let timeline = try await store.timeline(from: Sample.time(0), to: Sample.time(310))
        #expect(
            timeline.text
                == "0 online, 40 asleep, 100 notWatching, 150 asleep, 280 notWatching, 300 online")
        #expect(timeline.outages.isEmpty)
        #expect(timeline.summary.seconds[.asleep] == 190.0)
        #expect(timeline.summary.seconds[.notWatching] == 70.0)
        #expect(timeline.summary.availability == 1)
    }

    @Test func `a second process does not write a history in use, reports it, and continues in memory`() async throws {
        let first = await open()
        first.record(Sample.transition(1, .online))
        await first.flush()
        let second = await open()
        #expect(second.status.problem == .inUse)
        second.record(Sample.transition(2, .offline))
        clocks.set(Sample.clocks(10))
        #expect(try await second.timeline(from: Sample.time(0), to: Sample.time(10)).text == "0 unknown, 2 offline")
        #expect(try await first.timeline(from: Sample.time(0), to: Sample.time(10)).text == "0 unknown, 1 online")
        await first.close()
        await second.flush()
        #expect(second.status.isHealthy && second.status.waiting == 0)
    }

    #if os(Linux)
    @Test func `a program that starts while the history is closed does not keep it locked`() async throws {
        let first = await open()
        // A new process has such duplicates until it executes its program.
        let lock = directory.url.appending(path: "history.lock").resolvingSymlinksInPath().path
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let duplicates = descriptors.filter { descriptor in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) == lock
        }.map { Descriptor(dup($0)) }
        try #require(duplicates.count == 1)
        await first.close()
        let second = await open()
        #expect(second.status.isHealthy)
        await second.close()
        withExtendedLifetime(duplicates) {}
    }
    #endif

    @Test func `only the owner can read the files`() async throws {
        let place = directory.url.appending(path: "new/state")
        let store = await HistoryStore.open(at: place, configuration: clocks.configuration())
        store.record(Sample.transition(1, .online))
        await store.flush()
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
        #expect(names.contains("history.sqlite-wal"))
        for name in names {
            let facts = try FileManager.default.attributesOfItem(atPath: place.appending(path: name).path)
            #expect(facts[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let facts = try FileManager.default.attributesOfItem(atPath: place.path)
        #expect(facts[.posixPermissions] as? Int == 0o700)
        await store.close()
    }

    @Test func `checks are removed by age, and so are the summaries of an older version`() async throws {
        var configuration = clocks.configuration()
        configuration.retention.checks = 3600
        let day = 24 * 3600
        clocks.set(Sample.clocks(0))
        do {
            let store = await HistoryStore.open(at: directory.url, configuration: configuration)
            for second in stride(from: 0, to: day, by: 30) {
                store.record(CheckRecord(time: Sample.time(Double(second)), verdict: .verified))
            }
            await store.close()
        }
        let database = try DatabaseQueue(path: directory.database.path)
        try await database.write { db in
            try db.execute(sql: "INSERT INTO checkSummary VALUES (60000, 1, 1, 0, 0, 0, 0, NULL, 0, NULL, 0)")
        }
        clocks.set(Sample.clocks(Double(day)))
        let store = await HistoryStore.open(at: directory.url, configuration: configuration)
        let checks = try await store.singleChecks(from: Sample.time(0), to: Sample.time(Double(day)), limit: .max)
        #expect((120...122).contains(checks.count), "\(checks.count)")
        #expect(checks.first.map { $0.time >= Sample.time(Double(day) - 3660) } == true, "the oldest are gone")
        #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM checkSummary") } == 0)
        try database.close()
        await store.close()
    }

    @Test func `transitions are removed by age, but the state in effect stays known`() async throws {
        var configuration = clocks.configuration(tickInterval: 100)
        configuration.retention.transitions = 100
        do {
            let store = await HistoryStore.open(at: directory.url, configuration: configuration)
            store.record(Sample.transition(1, .online))
            store.record(Sample.transition(5, .offline))
            store.record(Sample.transition(150, .online))
            clocks.set(Sample.clocks(190))
            await store.close()
        }
        clocks.set(Sample.clocks(200))
        let store = await HistoryStore.open(at: directory.url, configuration: configuration)
        let timeline = try await store.timeline(from: Sample.time(0), to: Sample.time(200))
        #expect(timeline.text == "0 notWatching, 5 offline, 150 online, 190 notWatching")
        await store.close()
    }

    @Test func `the history stays within its size limit and keeps the latest records`() async throws {
        var configuration = clocks.configuration(tickInterval: 20_000)
        configuration.retention.bytes = 400_000
        do {
            let store = await HistoryStore.open(at: directory.url, configuration: configuration)
            for second in 0..<20_000 {
                store.record(Sample.transition(Double(second), second % 2 == 0 ? .online : .offline))
            }
            clocks.set(Sample.clocks(20_000))
            await store.close()
        }
        clocks.set(Sample.clocks(20_001))
        let store = await HistoryStore.open(at: directory.url, configuration: configuration)
        let transitions = try await HistoryReader(directory.url).transitions(to: Sample.time(30_000))
        #expect(transitions.count > 1000 && transitions.count < 19_000)
        #expect(transitions.suffix(3).map(\.state) == [.offline, .notWatching, .unknown])
        await store.close()
        let facts = try FileManager.default.attributesOfItem(atPath: directory.database.path)
        #expect((facts[.size] as? Int).map { $0 < 500_000 } == true, "\(facts[.size] ?? "")")
    }

    @Test func `a hundred thousand transitions are read and thinned`() async throws {
        let store = await open()
        for index in 0..<100_000 {
            store.record(Sample.transition(Double(index) * 0.864, index % 2 == 0 ? .online : .offline))
        }
        clocks.set(Sample.clocks(86_400))
        let before = try await store.timeline(from: Sample.time(0), to: Sample.time(86_400))
        await store.flush()
        let timeline = try await store.timeline(from: Sample.time(0), to: Sample.time(86_400))
        #expect(before == timeline, "written or not, the history is the same")
        #expect(timeline.outages.count == 50_000)
        #expect(timeline.thinned(to: 1000).spans.count <= 1000)
    }
}
