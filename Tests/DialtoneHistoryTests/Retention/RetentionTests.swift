// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import GRDB
import Testing

@testable import DialtoneHistory

struct RetentionTests {
    @Test func `cutoffs by age are whole minutes and hours`() {
        var policy = RetentionPolicy()
        (policy.transitions, policy.checks, policy.minutes, policy.hours) = (100, 90, 7200, 10_000)
        let now = Date(milliseconds: 1_800_000_030_500)
        let plan = RetentionPlan(policy, now: now)
        #expect(plan.transitionsBefore == Date(milliseconds: 1_799_999_930_500))
        #expect(plan.checksBefore == Date(milliseconds: 1_799_999_940_000))
        #expect(plan.minutesBefore.milliseconds % RetentionPlan.hour == 0)
        #expect(plan.minutesBefore <= now - 7200 && plan.minutesBefore > now - 7200 - 3600)
        #expect(plan.hoursBefore.milliseconds % RetentionPlan.hour == 0)
    }

    @Test(arguments: [
        (RecordCounts(transitions: 50, checks: 1000, minutes: 10, hours: 10), RemovalStep.checks(100)),
        (RecordCounts(transitions: 50, checks: 3, minutes: 10, hours: 10), .checks(1)),
        (RecordCounts(transitions: 50, checks: 0, minutes: 30, hours: 10), .minutes(3)),
        (RecordCounts(transitions: 50, checks: 0, minutes: 0, hours: 10, hops: 20), .hops(2)),
        (RecordCounts(transitions: 50, checks: 0, minutes: 0, hours: 10, hops: 1), .hops(1)),
        (RecordCounts(transitions: 50, checks: 0, minutes: 0, hours: 10), .hours(1)),
        (RecordCounts(transitions: 50, checks: 0, minutes: 0, hours: 0), .transitions(5)),
        (RecordCounts(transitions: 2, checks: 0, minutes: 0, hours: 0), .transitions(1)),
        (RecordCounts(transitions: 1, checks: 0, minutes: 0, hours: 0), nil),
        (RecordCounts(transitions: 0, checks: 0, minutes: 0, hours: 0), nil),
    ]) func `records are removed by size in a fixed order`(counts: RecordCounts, step: RemovalStep?) {
        #expect(RemovalStep.step(counts) == step)
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

    @Test func `summaries add up`() {
        let checks = [
            CheckRecord(time: Sample.time(0), verdict: .verified, latency: 0.1),
            CheckRecord(time: Sample.time(1), verdict: .verified, latency: 0.3),
            CheckRecord(time: Sample.time(2), verdict: .noInternet),
        ].map(CheckSummary.init)
        let all = CheckSummary.thinned(checks, from: Sample.time(0), to: Sample.time(10), maximum: 1)
        #expect(all.count == 1)
        #expect(all.first?.verdicts == [.verified: 2, .noInternet: 1])
        #expect(all.first?.shortestLatency == 0.1)
        #expect(all.first?.longestLatency == 0.3)
        #expect(all.first.flatMap(\.meanLatency).map { abs($0 - 0.2) < 1e-9 } == true)
        #expect(CheckSummary.thinned(checks, from: Sample.time(0), to: Sample.time(10), maximum: 3) == checks)
        let two = CheckSummary.thinned(checks, from: Sample.time(0), to: Sample.time(3), maximum: 2)
        #expect(two.map(\.count) == [2, 1])
        #expect(two.map(\.length) == [1.5, 1.5])
    }
}
