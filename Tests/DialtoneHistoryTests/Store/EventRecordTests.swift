// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import GRDB
import TestSupport
import Testing

@testable import DialtoneHistory

/// The events of the history, and the cursor of the collector.
@Suite(.real, .timeLimit(.minutes(5)))
struct EventRecordTests {
    private let directory: TemporaryDirectory
    private let clocks = Clocks(Sample.clocks(0))

    init() throws { directory = try TemporaryDirectory() }

    private func open(delivers: Bool = true) async -> HistoryStore {
        let store = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
        if delivers { store.beginDelivery {} }
        return store
    }

    private func text(_ batch: EventBatch?) -> [String] {
        (batch?.events ?? []).map { event in
            switch event.content {
            case .transition(let transition):
                "t\(event.number) \(transition.previous?.rawValue ?? "-")/\(transition.state.rawValue)"
            case .host(let change): "h\(event.number) \(change.host) \(change.isReachable)"
            }
        }
    }

    private func change(_ seconds: Double, _ host: String, _ isReachable: Bool) -> HostChange {
        HostChange(time: Sample.time(seconds), host: host, isReachable: isReachable, reason: nil)
    }

    /// Records the transitions of values that are seen some seconds after the start; between two of them, the machine may sleep.
    private func record(
        _ values: [(Double, ConnectivityState, ConnectivityFault?)], slept: (after: Double, Double) = (.infinity, 0),
        in store: HistoryStore
    ) {
        var sequence = TransitionSequence()
        for (seconds, state, fault) in values {
            clocks.set(Sample.clocks(seconds, slept: seconds > slept.after ? slept.1 : 0))
            let seen = Transition(state: state, fault: fault, time: Sample.time(seconds), uptime: seconds)
            if let transition = sequence.next(seen) { store.record(HistoryTransition(transition)) }
        }
    }

    @Test func `another phase of an outage is no event, and holds none back`() async throws {
        let store = await open()
        record(
            [(1, .noInternet, nil), (1, .noInternet, .router), (5, .noInternet, .provider), (9, .online, nil)],
            in: store)
        await store.flush()
        let first = try #require(try await store.events(limit: 3))
        #expect(text(first) == ["t2 unknown/noInternet", "t3 noInternet/noInternet"])
        store.acknowledge(first)
        // A batch of a phase alone is acknowledged without a collector.
        let rest = try #require(try await store.events(limit: 1))
        #expect(text(rest) == ["t5 noInternet/online"] && rest.lost == 0)
        store.acknowledge(rest)
        #expect(store.pendingEvents == 0)
        await store.close()
    }

    @Test(arguments: [0.0, 20, -3]) func `a phase after a sleep, or after the clock was set, is no event`(
        step: Double
    ) async throws {
        let store = await open()
        record([(1, .noInternet, .router)], in: store)
        clocks.set(Sample.clocks(26, slept: step == 0 ? 20 : 0, wallIsAheadBy: step))
        store.tick()
        var phase = Sample.transition(28 + step, .noInternet)
        (phase.record.fault, phase.number, phase.isSilent) = (.provider, 1, true)
        store.record(phase)
        await store.flush()
        let batch = try #require(try await store.events(limit: 10))
        let numbers = batch.events.map(\.number)
        #expect(numbers.count == 3 && numbers.last == (step == 0 ? 4 : 5), "\(text(batch))")
        store.acknowledge(batch)
        #expect(try await store.events(limit: 10) == nil && store.pendingEvents == 0)
        await store.close()
    }

    @Test func `what was removed before a phase is counted with the next event`() async throws {
        let store = await open()
        record(
            [(1, .online, nil), (2, .noInternet, .router), (5, .noInternet, .provider), (6, .noInternet, .router)],
            in: store)
        await store.flush()
        let database = try DatabaseQueue(path: directory.database.path)
        try await database.write { try $0.execute(sql: "DELETE FROM transition WHERE id < 4") }
        try database.close()
        #expect(try await store.events(limit: 1) == nil && store.pendingEvents == 0)
        store.record(Sample.transition(9, .online))
        await store.flush()
        let batch = try #require(try await store.events(limit: 1))
        #expect(batch.events.map(\.number) == [6] && batch.lost == 2)
        store.acknowledge(batch)
        store.record(Sample.transition(10, .offline))
        await store.flush()
        #expect(try await store.events(limit: 1)?.lost == 0)
        await store.close()
    }

    @Test func `the event at the end of an outage has its final side, its phases and its margins`() async throws {
        let store = await open()
        record(
            [(1, .online, nil), (10, .noInternet, .router), (40, .noInternet, .provider), (60, .online, nil)],
            in: store)
        await store.close()
        clocks.set(Sample.clocks(70))
        let next = await open(delivers: false)
        next.beginDelivery {}
        await next.flush()
        let events = try #require(try await next.events(limit: 10)).events
        let outages = events.flatMap { event -> [Outage] in
            if case .transition(let transition) = event.content { transition.outages } else { [] }
        }
        let outage = try #require(outages.first)
        #expect(outages.count == 1 && outage.length == 50 && outage.fault == .router)
        #expect(outage.cause == .routerRestarted && outage.phases.map(\.fault) == [.router, .provider])
        #expect(outage.start == Sample.time(10) && outage.end == Sample.time(60))
        await next.close()
    }

    /// The server of release candidate 1 recorded the file: an uplink that was dead, a link that was switched off, a kill, and a cable
    /// that was out.
    @Test func `a history that release candidate 1 recorded is read, and continued`() async throws {
        let recorded = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Database/release-candidate-1.sqlite")
        try FileManager.default.copyItem(at: recorded, to: directory.database)
        // A collector has acknowledged what came before the last outage.
        try await DatabaseQueue(path: directory.database.path).write { db in
            try db.execute(sql: "UPDATE delivery SET transitionID = 10, hostID = 7")
        }
        func outages() async throws -> [String] {
            try await HistoryReader(directory.url).timeline(from: .distantPast, to: Sample.beginning).outages.map {
                "\($0.start.milliseconds - 1_795_961_270_000) \($0.milliseconds) \($0.state) \($0.fault?.rawValue ?? "-")"
            }
        }
        let asBefore = [
            "34780 29062 limited endpoints", "75358 15013 offline machine", "123375 20397 offline machine",
        ]
        let before = try await outages()
        #expect(before == asBefore)
        clocks.set(Sample.clocks(20))
        let store = await open()
        #expect(store.status == HistoryStatus())
        store.record(Sample.transition(21, .online))
        await store.flush()
        let after = try await outages()
        #expect(after == asBefore)
        let events = text(try await store.events(limit: 20))
        #expect(
            events == [
                "t11 online/offline", "t12 offline/online", "t13 online/asleep", "t14 asleep/notWatching",
                "t15 notWatching/unknown", "t16 unknown/online",
            ])
        await store.close()
    }

    @Test func `both kinds are read in order, and after a restart from the last acknowledged one`() async throws {
        var store = await open()
        #expect(store.pendingEvents == 0)
        store.record(Sample.transition(1, .online))
        store.record(change(2, "a", true))
        store.record(Sample.transition(3, .offline))
        store.record(change(4, "a", false))
        await store.flush()
        #expect(store.pendingEvents == 4)
        let first = try #require(try await store.events(limit: 3))
        #expect(text(first) == ["t2 unknown/online", "h1 a true", "t3 online/offline"])
        // Reading again gives the same events, with the same identifiers.
        #expect(try await store.events(limit: 3) == first)
        store.acknowledge(first)
        #expect(store.pendingEvents == 1)
        await store.close()

        clocks.set(Sample.clocks(10))
        store = await open()
        await store.flush()
        let rest = try #require(try await store.events(limit: 10))
        #expect(text(rest) == ["t4 offline/notWatching", "h2 a false", "t5 notWatching/unknown"])
        #expect(rest.source == first.source && rest.lost == 0)
        store.acknowledge(rest)
        await store.flush()
        #expect(try await store.events(limit: 10) == nil)
        #expect(store.pendingEvents == 0 && !store.hasEvents)
        await store.close()
    }

    @Test func `new events of either kind are announced, checks are not`() async throws {
        let announcements = Recorder<Bool>()
        let store = await open(delivers: false)
        await store.flush()
        store.beginDelivery { announcements.record(true) }
        store.record(Sample.transition(1, .online))
        await store.flush()
        #expect(announcements.values.count == 1)
        store.record(CheckRecord(time: Sample.time(2), verdict: .verified, latency: 0.02))
        await store.flush()
        #expect(announcements.values.count == 1)
        store.record(change(3, "a", true))
        await store.flush()
        #expect(announcements.values.count == 2)
        await store.close()
    }

    @Test func `the first time, only later records are events`() async throws {
        var store = await open(delivers: false)
        store.record(Sample.transition(1, .online))
        await store.flush()
        #expect(store.pendingEvents == nil)
        #expect(try await store.events(limit: 10) == nil)
        store.beginDelivery {}
        store.record(Sample.transition(2, .offline))
        await store.flush()
        #expect(text(try await store.events(limit: 10)) == ["t3 online/offline"])
        await store.close()
        // Without a collector the cursor stays where it is.
        clocks.set(Sample.clocks(10))
        store = await open(delivers: false)
        await store.close()
        clocks.set(Sample.clocks(20))
        store = await open()
        await store.flush()
        #expect(try await store.events(limit: 10)?.events.first?.number == 3)
        await store.close()
    }

    @Test func `at rest neither the cursor nor an event is written`() async throws {
        let store = await open()
        await store.flush()
        let before = try await changes()
        for second in 1...20 {
            clocks.set(Sample.clocks(Double(second)))
            store.tick()
            await store.flush()
        }
        #expect(try await changes() == before)
        store.record(Sample.transition(21, .online))
        await store.flush()
        store.acknowledge(try #require(try await store.events(limit: 10)))
        await store.flush()
        #expect(try await changes() != before)
        await store.close()
    }

    /// The content of the tables that events need.
    private func changes() async throws -> [String] {
        let database = try DatabaseQueue(path: directory.database.path)
        return try await database.read { db in
            try ["delivery", "hostChange", "transition"].map {
                try Row.fetchAll(db, sql: "SELECT * FROM \"\($0)\"").description
            }
        }
    }

    @Test func `what retention removes before it is acknowledged is counted as lost`() async throws {
        let store = await open()
        await store.flush()
        for second in 1...30 { store.record(Sample.transition(Double(second), second % 2 == 0 ? .online : .offline)) }
        for second in 1...20 { store.record(change(Double(second), "a", second % 2 == 0)) }
        await store.flush()
        let database = try DatabaseQueue(path: directory.database.path)
        try await database.write { db in
            try db.execute(sql: "DELETE FROM transition WHERE id <= 11; DELETE FROM hostChange WHERE id < 16")
        }
        try database.close()
        let first = try #require(try await store.events(limit: 5))
        store.acknowledge(first)
        let rest = try #require(try await store.events(limit: 100))
        #expect(first.lost + rest.lost == 10 + 15)
        #expect(first.events.count + rest.events.count == 20 + 5)
        store.acknowledge(rest)
        await store.flush()
        #expect(store.pendingEvents == 0)
        await store.close()
    }

    @Test func `retention keeps the last change of a host, so that no number is used twice`() async throws {
        var store = await open()
        store.record(change(1, "a", true))
        store.record(change(2, "a", false))
        await store.close()
        // Every run is within 30 days of the previous one, so the clock is trusted.
        for day in stride(from: 20.0, through: 420, by: 20) {
            clocks.set(Sample.clocks(day * 86_400))
            store = await open()
            await store.close()
        }
        store = await open()
        store.record(change(421 * 86_400, "a", true))
        await store.flush()
        let numbers = try await store.events(limit: 1000)?.events.compactMap { event -> Int64? in
            if case .host = event.content { event.number } else { nil }
        }
        #expect(numbers == [2, 3])
        #expect(try await store.storedHosts().reachable == ["a": true])
        await store.close()
    }

    @Test func `a history of an older version keeps its records, and its events begin now`() async throws {
        var store = await open(delivers: false)
        store.record(Sample.transition(1, .online))
        await store.close()
        let database = try DatabaseQueue(path: directory.database.path)
        try await database.write { db in
            try db.execute(
                sql: "DROP TABLE hostChange; DROP TABLE delivery; DELETE FROM grdb_migrations WHERE identifier = '3'")
        }
        try database.close()
        #expect(try await HistoryReader(directory.url).transitions().count == 2)
        clocks.set(Sample.clocks(10))
        store = await open()
        await store.flush()
        #expect(try await store.events(limit: 10) == nil)
        // After the end of the last run, and the start of this one.
        store.record(Sample.transition(11, .online))
        await store.flush()
        #expect(text(try await store.events(limit: 10)) == ["t5 unknown/online"])
        await store.close()
    }

    @Test func `a new database in the same directory is another source`() async throws {
        let store = await open()
        store.record(Sample.transition(1, .offline))
        await store.flush()
        let old = try #require(try await store.events(limit: 10))
        for file in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: directory.database.path + file) }
        store.record(Sample.transition(5, .online))
        await store.flush()
        let new = try #require(try await store.events(limit: 10))
        #expect(new.source != old.source && new.events.first?.number == 1)
        // The collector's late answer for the old database moves nothing.
        store.acknowledge(old)
        #expect(try await store.events(limit: 10) == new)
        await store.close()
    }

    @Test
    func `changes of hosts that cannot be written are bounded in memory, and the count of those dropped never falls`() {
        var pending = PendingRecords()
        for number in 0..<100_000 {
            pending.hosts.add(change(Double(number), "a", number % 2 == 0))
            pending.trim()
        }
        #expect(pending.hosts.reachability.count <= 10_000)
        #expect(pending.hosts.reachability.count + pending.discarded == 100_000)
        #expect(pending.hosts.reachability.last == change(99_999, "a", false))
        let discarded = pending.discarded
        // A write that fails, with changes meanwhile.
        let written = pending.startWriting(1).hosts.reachability.count
        #expect(pending.discarded == discarded)
        for number in 0..<10_000 { pending.hosts.add(change(Double(number), "b", number % 2 == 0)) }
        pending.stopWriting()
        #expect(pending.hosts.reachability.count <= 10_000)
        #expect(pending.hosts.reachability.count + pending.discarded == discarded + written + 10_000)
        let more = pending.discarded
        _ = pending.startWriting(1)
        pending.didWrite()
        #expect(pending.discarded == more && pending.hosts == PendingHosts())
    }
}
