// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import GRDB
import TestSupport
import Testing

@testable import DialtoneHistory

/// The loss and the round trips of the hops, and the steps of checks, in the history.
@Suite(.real, .timeLimit(.minutes(5)))
struct HopRecordTests {
    private let directory: TemporaryDirectory
    private let clocks = Clocks(Sample.clocks(0))

    init() throws { directory = try TemporaryDirectory() }

    private func open() async -> HistoryStore {
        await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
    }

    /// A minute in which the name servers were not asked.
    private func minute(_ seconds: Double, _ roundTrips: [Int?], late: Int = 0) -> HopMinute {
        HopMinute(
            start: Sample.time(seconds),
            hops: [
                .router: HopStatistics([.milliseconds(1)]),
                .beyond: HopStatistics(roundTrips.map { $0.map { .milliseconds($0) } }, late: late),
            ])
    }

    private func lines() async throws -> [String] {
        HistoryCSV.lines(hops: try await HistoryReader(directory.url).hops(from: .distantPast, to: .distantFuture))
    }

    @Test func `each minute is stored once, also when the clock is set back`() async throws {
        let store = await open()
        store.record(minute(0, [20, 40, nil], late: 1))
        store.record(minute(60, [nil]))
        await store.flush()
        store.record(minute(0, [10]))
        await store.flush()
        #expect(
            try await lines() == [
                "from,seconds,hop,sent,lost,minimum,median,maximum,late",
                "2027-01-15T08:00:00.000Z,60.0,beyond,4,1,0.01,0.02,0.04,1",
                "2027-01-15T08:00:00.000Z,60.0,router,2,0,0.001,0.001,0.001,0",
                "2027-01-15T08:01:00.000Z,60.0,beyond,1,1,,,,0",
                "2027-01-15T08:01:00.000Z,60.0,router,1,0,0.001,0.001,0.001,0",
            ])
        #expect(try await store.hops(from: Sample.time(60), to: Sample.time(120), limit: 1).map(\.hop) == [.beyond])
        await store.close()
    }

    @Test func `after two days minutes become hours, and after 400 days they are removed`() async throws {
        var store = await open()
        store.record(minute(0, [20, 40, nil], late: 1))
        store.record(minute(60, [30]))
        store.record(minute(3600, [50]))
        await store.close()
        // The clock is trusted, because the last run was within 30 days.
        for day in stride(from: 3.0, through: 399, by: 29) {
            clocks.set(Sample.clocks(day * 86_400))
            store = await open()
            await store.close()
            #expect(
                try await lines().filter { $0.contains("beyond") } == [
                    "2027-01-15T08:00:00.000Z,3600.0,beyond,4,1,0.02,0.02,0.04,1",
                    "2027-01-15T09:00:00.000Z,3600.0,beyond,1,0,0.05,0.05,0.05,0",
                ], "day \(day)")
        }
        clocks.set(Sample.clocks(401 * 86_400))
        store = await open()
        await store.close()
        #expect(try await lines().count == 1)
    }

    @Test func `minutes that cannot be written stay in memory, within a bound, and are written later`() {
        var pending = PendingRecords()
        for number in 0..<3000 { pending.findings.minutes.append(minute(Double(number) * 60, [1])) }
        pending.trim()
        #expect(
            pending.findings.minutes.count == 2880 && pending.findings.minutes.first?.start == Sample.time(120 * 60))
        #expect(pending.startWriting(1).findings.minutes.count == 2880 && pending.findings == PendingFindings())
        pending.findings.minutes.append(minute(3000 * 60, [1]))
        pending.stopWriting()
        #expect(
            pending.findings.minutes.count == 2880 && pending.findings.minutes.last?.start == Sample.time(3000 * 60))
        _ = pending.startWriting(1)
        pending.didWrite()
        pending.stopWriting()
        #expect(pending.findings == PendingFindings())
    }

    private func silence(_ start: Double, _ end: Double, isDrop: Bool = true) -> Silence {
        Silence(
            earliestStart: Sample.time(start - 6), start: Sample.time(start), earliestEnd: Sample.time(end - 2.5),
            end: Sample.time(end), isDrop: isDrop,
            counts: [HopCount(.router, sent: 2, answered: 2), HopCount(.beyond, sent: 7, answered: 0)])
    }

    @Test func `a drop is listed and summed apart from outages, and one that a check has met is that outage`()
        async throws
    {
        let store = await open()
        store.record(Sample.transition(0, .online))
        let (short, met, router) = (silence(100, 104), silence(203, 230), silence(300, 310, isDrop: false))
        for silence in [short, met, router] { store.record(silence) }
        store.record(
            HistoryTransition(time: Sample.time(205), earliest: Sample.time(199), state: .noInternet, fault: .provider))
        store.record(Sample.transition(230, .online))
        await store.flush()
        clocks.set(Sample.clocks(400))
        let reader = try HistoryReader(directory.url) { Sample.clocks(400) }
        for timeline in [
            try await store.timeline(from: Sample.time(0), to: Sample.time(400)),
            try await reader.timeline(from: Sample.time(0), to: Sample.time(400)),
        ] {
            #expect(timeline.drops == [short] && timeline.silences == [short, met, router])
            #expect(timeline.summary.drops == 1 && timeline.summary.dropSeconds == 4)
            #expect(timeline.summary.outages == 1 && timeline.summary.outageSeconds == 25)
            let outage = try #require(timeline.outages.first)
            #expect(timeline.counts(during: outage) == met.counts)
            let json = try HistoryReport(timeline).json()
            #expect(json.contains(#""kind":"drop""#) && json.contains(#""dropCount":1"#))
        }
        // A window without it.
        #expect(try await reader.timeline(from: Sample.time(0), to: Sample.time(99)).drops.isEmpty)
        let overview = try await store.overview(
            from: Sample.time(0), to: Sample.time(400), columns: 10, maximumSpans: 5, maximumOutages: 5)
        #expect(overview.drops == [short] && overview.summary.drops == 1)
        await store.close()
    }

    @Test func `counts of a damaged file can be added up`() throws {
        let database = try HistoryDatabase(DatabaseQueue())
        let start = Sample.time(0)
        try database.writer.write { db in
            for (number, count) in [Int.max, .max, -1].enumerated() {
                let start = start + Double(number)
                try Silence(
                    earliestStart: nil, start: start, earliestEnd: start, end: start + 1, isDrop: true,
                    counts: [HopCount(.beyond, sent: count, answered: count)]
                ).insert(into: db)
            }
        }
        let silences = try database.writer.read { try Silence.fetch($0, from: start, to: start + 9) }
        let largest = Int(Int32.max)
        #expect(silences.flatMap(\.counts).map(\.sent) == [largest, largest, 0])
        #expect(silences.flatMap(\.counts).map(\.answered) == [largest, largest, 0])
    }

    @Test func `the steps of a check are stored with it`() async throws {
        let store = await open()
        var check = CheckRecord(time: Sample.time(1), verdict: .verified, latency: 0.06, passed: 2, asked: 3)
        (check.resolve, check.connect, check.tls, check.headers) = (0.01, 0.02, 0.0201234, nil)
        store.record(check)
        store.record(CheckRecord(time: Sample.time(2), verdict: .noInternet, cause: HistoryCause(rawValue: "timedOut")))
        await store.flush()
        let stored = try await HistoryReader(directory.url).singleChecks(from: Sample.time(0), to: Sample.time(9))
        #expect(stored.first == check)
        #expect(
            HistoryCSV.lines(checks: stored) == [
                "time,verdict,cause,latency,resolve,connect,tls,headers,passed,asked",
                "2027-01-15T08:00:01.000Z,verified,,0.06,0.01,0.02,0.020123,,2,3",
                "2027-01-15T08:00:02.000Z,noInternet,timedOut,,,,,,0,0",
            ])
        #expect(try await store.singleChecks(from: Sample.time(0), to: Sample.time(9), limit: 1) == [check])
        await store.close()
    }

    @Test func `a record has the verdict of its check`() {
        let verdicts: [InternetCheck.Verdict] = [
            .verified, .partial, .captivePortal(URL(filePath: "/")), .noInternet(.timedOut), .inconclusive,
        ]
        let reports = verdicts.map { InternetCheck.Report(verdict: $0, checkedAt: Sample.time(0), endpoints: []) }
        #expect(reports.map { CheckRecord($0).verdict } == CheckRecord.Verdict.allCases)
    }

    @Test func `the steps are those of the fastest endpoint that passed`() {
        func evidence(_ milliseconds: Int, passed: Bool = true) -> InternetCheck.Evidence {
            var evidence = InternetCheck.Evidence(
                url: "https://a.test/", passed ? .passed : .failed(.init(.timedOut, during: .headers)))
            evidence.durations = .init(
                resolve: .milliseconds(milliseconds), connect: .milliseconds(2), headers: .milliseconds(3),
                total: .milliseconds(milliseconds + 5))
            return evidence
        }
        let report = InternetCheck.Report(
            verdict: .verified, checkedAt: Sample.time(0),
            endpoints: [evidence(30), evidence(10), evidence(1, passed: false)])
        let record = CheckRecord(report)
        #expect(
            [record.latency, record.resolve, record.connect, record.tls, record.headers] == [
                0.015, 0.01, 0.002, nil, 0.003,
            ])
    }

    @Test func `the remarks of a check are stored with it, and their end is found`() async throws {
        var evidence = InternetCheck.Evidence(url: "https://a.test/", .passed)
        evidence.durations = .init(resolve: .seconds(3), total: .seconds(4))
        let report = InternetCheck.Report(verdict: .verified, checkedAt: Sample.time(20), endpoints: [evidence])
        let slow = CheckRecord(report)
        #expect(slow.remarks == ["slowNames": "Names take 3 s."])
        let store = await open()
        let checks = [0.0, 10, 30, 40].map { CheckRecord(time: Sample.time($0), verdict: .verified) }
        for check in checks + [slow] { store.record(check) }
        await store.flush()
        func remarked(_ seconds: Double, limit: Int = 9) async throws -> [CheckRecord] {
            try await store.remarkedChecks(from: Sample.time(0), to: Sample.time(seconds), limit: limit)
        }
        #expect(try await remarked(50) == [slow, checks[2]])
        #expect(try await remarked(50, limit: 1) == [checks[2]])
        #expect(try await remarked(30) == [slow])
        #expect(try await remarked(20).isEmpty)
        await store.close()
    }

    @Test func `a history of the version before has its records after the migration, and before it`() async throws {
        let database = try DatabaseQueue(path: directory.database.path)
        try Schema.migrator.migrate(database, upTo: "4")
        try await database.write { db in
            for (id, state) in [(1, "online"), (2, "limited"), (3, "online")] {
                try db.execute(
                    sql: "INSERT INTO transition VALUES (?, ?, ?, ?, 'eth0', 'wiredEthernet')",
                    arguments: [id, Sample.time(Double(id) * 10).milliseconds, state, id == 2 ? "timedOut" : nil])
            }
            try db.execute(
                sql: "INSERT INTO \"check\" VALUES (1, ?, 'verified', NULL, 0.02, 2, 3)",
                arguments: [Sample.time(12).milliseconds])
        }
        try database.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: directory.database.path)
        func inspect() async throws {
            let reader = try HistoryReader(directory.url) { Sample.clocks(50) }
            let outage = try #require(
                try await reader.timeline(from: Sample.time(10), to: Sample.time(40)).outages.first)
            #expect(outage.start == Sample.time(20) && outage.end == Sample.time(30))
            #expect(outage.state == .limited && outage.interfaceName == "eth0")
            #expect(outage.startMargin == nil && outage.endMargin == nil && outage.mayHaveBegunEarlier)
            #expect(
                try await reader.singleChecks(from: Sample.time(0), to: Sample.time(40))
                    == [CheckRecord(time: Sample.time(12), verdict: .verified, latency: 0.02, passed: 2, asked: 3)])
        }
        try await inspect()
        #expect(try await lines().count == 1)
        clocks.set(Sample.clocks(50))
        let store = await open()
        #expect(store.status.isHealthy, "\(store.status)")
        store.record(minute(0, [1]))
        await store.flush()
        try await inspect()
        #expect(try await lines().count == 3)
        await store.close()
    }

    @Test func `a day of checks and beats takes less than 500 kB`() async throws {
        let store = await open()
        func size() async throws -> Int {
            await store.flush()
            let database = try DatabaseQueue(path: directory.database.path)
            defer { try? database.close() }
            return try await database.read(HistoryDatabase.usedBytes)
        }
        for number in 0..<1440 {
            let roundTrips: [Int?] = (0..<12).map { 10 + (number + $0) % 40 }
            var minute = minute(Double(number) * 60, roundTrips)
            minute.hops[.nameServers] = HopStatistics([.milliseconds(7), nil, .milliseconds(9)])
            store.record(minute)
        }
        let hops = try await size()
        for number in 0..<1440 {
            var check = CheckRecord(
                time: Sample.time(Double(number) * 60), verdict: .verified, latency: 0.0612345, passed: 2, asked: 3)
            (check.resolve, check.connect, check.tls, check.headers) = (0.0112345, 0.0212345, 0.0201234, 0.0101234)
            store.record(check)
        }
        let all = try await size()
        #expect(all < 500_000, "\(hops) bytes with the hops, \(all) with the checks")
        print("a day: \(hops) bytes with the hops of 1440 minutes, \(all) with 1440 checks")
        await store.close()
    }
}
