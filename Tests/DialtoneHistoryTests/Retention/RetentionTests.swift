// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import GRDB
import Testing

@testable import DialtoneHistory

struct RetentionTests {
    @Test func `cutoffs by age are whole minutes and hours`() {
        var policy = RetentionPolicy()
        (policy.transitions, policy.checks, policy.hours) = (100, 90, 10_000)
        let now = Date(milliseconds: 1_800_000_030_500)
        let plan = RetentionPlan(policy, now: now)
        #expect(plan.transitionsBefore == Date(milliseconds: 1_799_999_930_500))
        #expect(plan.checksBefore == Date(milliseconds: 1_799_999_940_000))
        #expect(plan.hopMinutesBefore.milliseconds % RetentionPlan.hour == 0)
        #expect(plan.hoursBefore.milliseconds % RetentionPlan.hour == 0)
        #expect(plan.hoursBefore <= now - 10_000 && plan.hoursBefore > now - 10_000 - 3600)
    }

    @Test(
        arguments: [
            ([.checks: 1000, .hops: 10, .hosts: 10, .transitions: 50], RemovalStep(kind: .checks, count: 100)),
            ([.checks: 3, .hops: 10, .transitions: 50], RemovalStep(kind: .checks, count: 1)),
            ([.hops: 20, .transitions: 50], RemovalStep(kind: .hops, count: 2)),
            ([.hops: 1, .transitions: 50], RemovalStep(kind: .hops, count: 1)),
            ([.hops: 3, .hosts: 9, .transitions: 50], RemovalStep(kind: .hops, count: 1)),
            ([.silences: 40, .hosts: 10, .transitions: 50], RemovalStep(kind: .silences, count: 4)),
            ([.silences: 1, .transitions: 50], RemovalStep(kind: .silences, count: 1)),
            ([.hosts: 40, .transitions: 50], RemovalStep(kind: .hosts, count: 4)),
            ([.hosts: 1, .transitions: 50], RemovalStep(kind: .transitions, count: 5)),
            ([.transitions: 50], RemovalStep(kind: .transitions, count: 5)),
            ([.transitions: 2], RemovalStep(kind: .transitions, count: 1)), ([.transitions: 1], nil), ([:], nil),
        ] as [([RecordKind: Int], RemovalStep?)])
    func `records are removed by size in a fixed order`(counts: [RecordKind: Int], step: RemovalStep?) {
        #expect(RemovalStep.next { counts[$0, default: 0] } == step)
    }

    @Test func `silences and runs leave their place to transitions`() throws {
        let database = try HistoryDatabase(DatabaseQueue())
        try database.writer.write { db in
            for id in 1...3 { try Sample.transition(Double(id), .online).insert(into: db, id: Int64(id)) }
            for number in 0..<3000 {
                let start = Sample.time(10 + 30 * Double(number))
                try Silence(
                    earliestStart: nil, start: start, earliestEnd: start + 5, end: start + 8, isDrop: true,
                    counts: [HopCount(.router, sent: 2, answered: 2), HopCount(.beyond, sent: 7, answered: 0)]
                ).insert(into: db)
                try db.execute(
                    sql: """
                        INSERT INTO run (boot, started, wall, boottime, monotonic, interval, isEnd)
                        VALUES ('00000000-0000-4000-8000-000000000000', ?, ?, 1, 1, 10, 1)
                        """, arguments: [start.milliseconds, start.milliseconds])
            }
        }
        var policy = RetentionPolicy()
        policy.bytes = 200_000
        try database.retain(policy, now: Sample.time(90_000))
        try database.writer.read { db in
            #expect(try HistoryDatabase.usedBytes(db) <= policy.bytes)
            for (table, count) in [("transition", 3), ("run", 1)] {
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\"") == count)
            }
            let newest = try Int64.fetchOne(db, sql: "SELECT max(start) FROM silence")
            #expect(newest == Sample.time(10 + 30 * 2999).milliseconds)
        }
    }

    @Test func `records in memory are bounded, and discarded records are reported`() {
        var pending = PendingRecords(maximumTransitions: 10, maximumChecks: 4)
        for second in 0..<11 {
            pending.append([Sample.transition(Double(second), second % 2 == 0 ? .online : .offline)])
            pending.append(CheckRecord(time: Sample.time(Double(second)), verdict: .verified))
        }
        pending.trim()
        #expect(pending.transitions.text == "0 unknown discarded, 6 online, 7 offline, 8 online, 9 offline, 10 online")
        #expect(pending.checks.map { Timeline.number($0.time) } == ["9", "10"])
        #expect(pending.discarded == 6 + 9)
        let before = pending
        pending.trim()
        #expect(pending == before)
    }

    @Test func `if old records cannot be removed, new ones are written, and the next attempt follows soon`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let clocks = Clocks(Sample.clocks(0))
        let store = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
        store.record(CheckRecord(time: Sample.time(0), verdict: .verified))
        await store.flush()
        let database = try DatabaseQueue(path: directory.database.path)
        try await database.write { db in
            try db.execute(
                sql: "CREATE TRIGGER keep BEFORE DELETE ON \"check\" BEGIN SELECT RAISE(FAIL, 'kept by a test'); END")
        }
        // The clock is trusted within 30 days; single checks are kept for 2.
        for second in [5.0, 6, 70] {
            clocks.set(Sample.clocks(5 * 86_400 + second))
            store.record(CheckRecord(time: Sample.time(5 * 86_400 + second), verdict: .verified))
            await store.flush()
        }
        #expect(store.status.isHealthy && store.status.waiting == 0)
        #expect(store.status.notices.map(\.description).filter { $0.contains("(kept by a test)") }.count == 1)
        #expect(store.status.notices.count == 1)
        try await database.write { try $0.execute(sql: "DROP TRIGGER keep") }
        clocks.set(Sample.clocks(5 * 86_400 + 140))
        await store.flush()
        let times = try await database.read { try Int64.fetchAll($0, sql: "SELECT time FROM \"check\" ORDER BY time") }
        #expect(times.count == 3 && times.first == Sample.time(5 * 86_400 + 5).milliseconds)
        #expect(store.status.notices.count == 1)
        try database.close()
        await store.close()
    }
}
