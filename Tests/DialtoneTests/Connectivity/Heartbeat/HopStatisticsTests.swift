// SPDX-License-Identifier: Apache-2.0

import SystemSupport
import Testing

@testable import Dialtone

/// Loss and round trips.
struct HopStatisticsTests {
    private static func milliseconds(_ times: [Int?]) -> [Duration?] { times.map { $0.map { .milliseconds($0) } } }

    static let rows: [(times: [Int?], sent: Int, lost: Int, minimum: Int?, median: Int?, maximum: Int?)] = [
        ([], 0, 0, nil, nil, nil),
        ([nil, nil], 2, 2, nil, nil, nil),
        ([7], 1, 0, 7, 7, 7),
        ([30, nil, 10, 20], 4, 1, 10, 20, 30),
        ([4, 3, 2, 1], 4, 0, 1, 2, 4),
    ]

    @Test(arguments: rows) func `a minute is summed up`(
        times: [Int?], sent: Int, lost: Int, minimum: Int?, median: Int?, maximum: Int?
    ) {
        let statistics = HopStatistics(Self.milliseconds(times))
        #expect([statistics.sent, statistics.lost] == [sent, lost])
        let found = [statistics.minimum, statistics.median, statistics.maximum]
        #expect(found == Self.milliseconds([minimum, median, maximum]))
    }

    @Test func `minutes are merged to an hour, each counted as often as it has answers`() {
        let minutes = [[10, 10, 10, 10], [50], [nil, nil], [20, nil, 30]].map { HopStatistics(Self.milliseconds($0)) }
        let hour = HopStatistics(merging: minutes)
        #expect([hour.sent, hour.lost] == [10, 3])
        #expect(hour.loss == 0.3)
        #expect([hour.minimum, hour.median, hour.maximum] == Self.milliseconds([10, 10, 50]))
        #expect(HopStatistics(merging: [HopStatistics([.seconds(3)], late: 1), minutes[0]]).late == 1)
        #expect(HopStatistics(merging: []) == HopStatistics([]))
        #expect(HopStatistics(merging: [minutes[0]]) == minutes[0])
    }

    @Test func `a question counts in its minute, which ends when no answer to it counts any more`() throws {
        var collector = HopMinute.Collector()
        func observation(_ hop: HeartbeatHop, after trip: Duration? = .milliseconds(20)) -> HopObservation {
            let latest = HeartbeatMachine.latest
            return .init(
                hop: hop, isAnswered: trip != nil, isLate: trip.map { $0 > .seconds(2) } ?? false, sent: .zero,
                ended: trip ?? latest)
        }
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(collector.add(observation(.beyond), at: start + 1).isEmpty)
        #expect(collector.add(observation(.beyond, after: nil), at: start + 30).isEmpty)
        #expect(collector.add(observation(.router), at: start + 59.9).isEmpty)
        #expect(collector.add(observation(.beyond), at: start + 61).isEmpty)
        // Sent in the first minute.
        #expect(collector.add(observation(.beyond, after: .seconds(4)), at: start + 62).isEmpty)
        #expect(collector.add(observation(.beyond, after: nil), at: start + 69).isEmpty)
        let first = try #require(collector.add(observation(.beyond), at: start + 70).first)
        #expect(first.start == start)
        #expect(first.hops[.beyond] == HopStatistics([.milliseconds(20), nil, .seconds(4), nil], late: 1))
        #expect(first.hops[.router]?.sent == 1)
        #expect(first.hops[.nameServers] == nil)
        // The clock was set back.
        let second = try #require(collector.add(observation(.beyond), at: start - 600).first)
        #expect(second.start == start + 60)
        #expect(second.hops[.beyond]?.sent == 2)
    }
}
