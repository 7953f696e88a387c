// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Testing

@testable import DialtoneHistory
@testable import DialtoneServer

struct DaysDrawingTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [(90, 90), (30, 30), (15, 15), (14, 0), (101, 0), (20_000, 0)])
    func `a period of weeks has a bar for each day`(days: Int, bars: Int) {
        let bounds = DaysDrawing.bounds(from: Self.now - Double(days) * 86_400, to: Self.now)
        #expect(max(0, bounds.count - 1) == bars)
        #expect(bounds.last ?? Self.now == Self.now)
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            #expect((1...90_000).contains(end.timeIntervalSince(start)))
            #expect(LocalTime.text(start, .clock) == "00:00:00")
        }
    }

    @Test func `a bar has the outages of its day, and one past midnight is in two`() throws {
        let bounds = DaysDrawing.bounds(from: Self.now - 20 * 86_400, to: Self.now)
        let midnight = bounds[5]
        func transition(_ time: Date, _ state: HistoryState, _ fault: ConnectivityFault? = nil) -> HistoryTransition {
            HistoryTransition(time: time, earliest: time, state: state, fault: fault)
        }
        let overview = TimelineOverview(
            from: Self.now - 20 * 86_400, to: Self.now,
            transitions: [
                transition(bounds[2], .online), transition(bounds[3] + 100, .limited, .nameServers),
                transition(bounds[3] + 110, .online), transition(midnight - 60, .noInternet, .provider),
                transition(midnight + 3600, .online), transition(midnight + 7200, .offline, .machine),
                transition(midnight + 7260, .online), transition(bounds[8], .notWatching),
            ], columns: 10, maximumOutages: 1, days: bounds)
        #expect(overview.outages.count == 1 && overview.days.count == bounds.count - 1)
        let days = overview.days
        #expect(
            days.map(DaysDrawing.level) == ["none", "none", "0", "1", "1", "3", "0", "0"]
                + Array(repeating: "none", count: days.count - 8))
        #expect(DaysDrawing.words(days[0]) == "not watched" && DaysDrawing.words(days[2]) == "no outage")
        #expect(DaysDrawing.words(days[3]) == "1 outage, 10 s, name servers")
        #expect(DaysDrawing.words(days[4]) == "1 outage, 1 min, beyond the router")
        #expect(DaysDrawing.words(days[5]) == "2 outages, 1 h 1 min, beyond the router")
        #expect(days.map(\.outageSeconds).reduce(0, +) == overview.summary.outageSeconds)
        // The table has only the days with outages, the latest first.
        let html = HistorySection(
            overview: overview, period: HistoryPeriod(.quarter), status: HistoryStatus(),
            now: Self.now
        ).html.description
        let table = try #require(
            html.components(separatedBy: "<summary>The days as a table</summary>").dropFirst().first)
        #expect(
            table.matches(of: /<td>([^<]*)<\/td>/).map { String($0.output.1) } == [
                "2 outages, 1 h 1 min, beyond the router", "1 outage, 1 min, beyond the router",
                "1 outage, 10 s, name servers",
            ])
        #expect(!html.contains("The timeline as a table"))
        let period = DaysDrawing.period(days[5], .quarter)
        #expect(period.window == .quarter && period.bounds(now: Self.now) == (days[5].start, days[5].end))
    }
}
