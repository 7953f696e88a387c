// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Dialtone
import DialtoneHistory
import Foundation
import Testing

@testable import CommandSupport
@testable import DialtoneAgent

/// Days of random faults: each is recorded as it was, and nothing else is.
struct RandomDayTests {
    /// `DIALTONE_DAYS` is the number of days, of four parts each, half a one by default; `DIALTONE_DAY=7` selects a part, and prints
    /// what was recorded.
    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let day = environment["DIALTONE_DAY"].flatMap(UInt64.init) { return [day] }
        return Array(0..<(environment["DIALTONE_DAYS"].flatMap(UInt64.init).map { 4 * $0 } ?? 2))
    }()

    /// A recorded outage or drop.
    private struct Record {
        let name: String
        let bounds: (earliest: Date?, start: Date, earliestEnd: Date?, end: Date)
        /// The side; nil for a drop.
        let side: ConnectivityFault?

        init(_ outage: Outage) {
            (name, side) = ("outage (\(outage.fault?.rawValue ?? "-"))", outage.fault)
            bounds = (outage.earliestStart, outage.start, outage.earliestEnd, outage.end)
        }

        init(_ drop: Silence) {
            (name, side) = ("drop", nil)
            bounds = (drop.earliestStart, drop.start, drop.earliestEnd, drop.end)
        }
    }

    @Test(arguments: Self.seeds) func `each fault of six hours is recorded as it was, and nothing else`(
        seed: UInt64
    ) async throws {
        let day = RandomDay(seed: seed)
        let played = try await day.play()
        let start = RandomDay.start
        func seconds(_ date: Date?) -> Double { date.map { $0.timeIntervalSince(start) } ?? -.infinity }
        var records = (played.timeline.outages.map(Record.init) + played.timeline.drops.map(Record.init))
            .sorted { $0.bounds.start < $1.bounds.start }
        var (noticed, drops) = (0, 0)
        for fault in day.faults {
            let (begin, end) = (fault.start / .seconds(1), fault.end / .seconds(1))
            let words = "day \(seed): \(fault.kind) from \(begin) s for \(end - begin) s"
            let own = records.filter { seconds($0.bounds.start) < end + 120 && seconds($0.bounds.end) > begin }
            records.removeAll { record in own.contains { $0.bounds.start == record.bounds.start } }
            let texts = own.map { record in
                let bounds = record.bounds
                let times = [bounds.earliest, bounds.start, bounds.earliestEnd, bounds.end].map { "\(seconds($0))" }
                return "\(record.name) \(times.joined(separator: " "))"
            }
            if Self.seeds.count == 1 { print(words, texts) }
            guard let first = own.first, let last = own.last else {
                #expect(fault.length < fault.noticed, "\(words) was not noticed")
                continue
            }
            noticed += 1
            drops += own.contains { $0.name == "drop" } ? 1 : 0
            for record in own {
                #expect(fault.sides.contains(record.side), "\(words) was blamed on \(texts)")
            }
            let margin = 0.002
            #expect(
                seconds(first.bounds.earliest) <= begin + margin && begin <= seconds(first.bounds.start) + margin,
                "\(words): \(texts)")
            #expect(
                seconds(last.bounds.earliestEnd) <= end + margin && end <= seconds(last.bounds.end) + margin,
                "\(words): \(texts)")
        }
        #expect(records.isEmpty, "day \(seed): \(records) were invented")
        #expect(played.miscounted.isEmpty, "\(played.miscounted.prefix(3))")
        expectOneAccount(played, "day \(seed)")
        // A fault that begins while the operators are asked for the first time leaves one of them for a while.
        #expect(played.coverages.first == HeartbeatCoverage(shortest: 8, limit: nil))
        #expect(played.coverages.allSatisfy { [nil, .oneOperator, .slowAnswers].contains($0.limit) })
        print("day \(seed): \(day.faults.count) faults, \(noticed) noticed, \(drops) as drops; \(played.checks) checks")
    }

    /// Checks that history, hooks, metrics and hops report the same outages, drops and packets.
    private func expectOneAccount(_ played: PlayedDay, _ day: String) {
        func words(_ outage: Outage) -> String {
            "\(outage.start.milliseconds) \(outage.end.milliseconds) \(outage.fault?.rawValue ?? "-") "
                + "\(outage.cause?.rawValue ?? "-")"
        }
        let outages = played.timeline.outages.map(words)
        #expect(played.transitions.flatMap(\.outages).map(words) == outages, "\(day)")
        #expect(played.hooks.flatMap(\.event.outages).map(words) == outages, "\(day)")
        #expect(Set(played.hooks.compactMap(\.event.outageBegan)).count == outages.count, "\(day)")
        let (summary, counters) = (played.timeline.summary, played.counters)
        #expect(counters.outages == summary.outages && counters.drops == summary.drops, "\(day)")
        let seconds = counters.outageSeconds.values.reduce(0, +)
        #expect(abs(seconds - summary.outageSeconds) < 0.01 * Double(1 + outages.count), "\(day)")
        #expect(abs(counters.dropSeconds - summary.dropSeconds) < 0.01, "\(day)")
        for hop in HeartbeatHop.allCases {
            let counted = HopStatistics(merging: played.minutes.compactMap { $0.hops[hop] })
            let stored = HopStatistics(merging: played.hops.filter { $0.hop == hop }.map(\.statistics))
            #expect(counted.sent == stored.sent && counted.lost == stored.lost, "\(day) \(hop)")
            #expect(counted.late == stored.late, "\(day) \(hop)")
        }
    }
}
#endif
