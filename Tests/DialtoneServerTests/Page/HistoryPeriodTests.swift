// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import DialtoneServer

struct HistoryPeriodTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func zoom(_ period: HistoryPeriod) -> HistoryZoom {
        let (start, end) = period.bounds(now: now)
        return HistoryZoom(period, from: start, to: end, now: now)
    }

    @Test(
        arguments: [
            ([:], HistoryPeriod(isChosen: false)), (["window": "quarter"], HistoryPeriod(.quarter)),
            (["window": "century"], HistoryPeriod(isChosen: false)),
            (["window": "day", "from": "", "to": ""], HistoryPeriod(.day)),
            (
                ["window": "week", "from": "1799990000", "to": "1799995000"],
                HistoryPeriod(.week, part: 1_799_990_000..<1_799_995_000)
            ),
            (["from": "1799990000.9", "to": "1799995000.1"], HistoryPeriod(part: 1_799_990_000..<1_799_995_001)),
            (["from": "1799990000", "to": "1799990000"], HistoryPeriod(part: 1_799_989_940..<1_799_990_000)),
            (["to": "1799990000"], HistoryPeriod(part: 1_799_903_600..<1_799_990_000)),
            (["from": "1799990000"], HistoryPeriod(part: 1_799_990_000..<1_800_000_000)),
            (
                ["from": "2027-01-15T07:00:00Z", "to": "2027-01-15T08:00:00Z"],
                HistoryPeriod(part: 1_799_996_400..<1_800_000_000)
            ),
        ] as [([String: String], HistoryPeriod)])
    func `a period is parsed from a query`(query: [String: String], period: HistoryPeriod) throws {
        #expect(try HistoryPeriod(query, now: Self.now) == period)
        // The query that the page's links have leads back to the same period.
        let pairs = period.query.split(separator: "&").map { $0.split(separator: "=").map(String.init) }
        let parsed = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        #expect(try HistoryPeriod(parsed, now: Self.now) == period)
    }

    @Test(arguments: [
        ["from": "soon"], ["to": "nan"], ["from": "1e99"], ["from": "5", "to": "4"], ["from": "1800000001"],
        ["from": "<script>"],
    ])
    func `an invalid part is refused with its reason`(query: [String: String]) {
        #expect(throws: Refusal.self) { try HistoryPeriod(query, now: Self.now) }
    }

    @Test(arguments: TimelineWindow.allCases)
    func `each slice zooms in on a quarter around it, within the window`(window: TimelineWindow) throws {
        let period = HistoryPeriod(window)
        let (start, end) = period.bounds(now: Self.now)
        let parts = Self.zoom(period).parts
        #expect(parts.count == HistoryZoom.slices)
        for (index, part) in parts.enumerated() {
            let (from, to) = part.bounds(now: Self.now)
            #expect(part.window == window && to.timeIntervalSince(from) == window.seconds / 4)
            #expect(from >= start && to <= end)
            let middle = start + (Double(index) + 0.5) * window.seconds / 12
            #expect(from <= middle && middle <= to)
        }
        let first = Int64(start.timeIntervalSince1970 + window.seconds * 3 / 8)
        #expect(Self.zoom(period).closer?.part == first..<first + Int64(window.seconds) / 4)
    }

    @Test func `zooming in ends at a minute, and moving ends now`() throws {
        var period = HistoryPeriod(.quarter)
        var steps = 0
        while let closer = Self.zoom(period).closer {
            period = closer
            steps += 1
            #expect(steps < 20)
        }
        #expect(period.part.map { $0.upperBound - $0.lowerBound } == HistoryPeriod.shortest)
        #expect(Self.zoom(period).parts.isEmpty)

        let day = HistoryPeriod(.day)
        #expect(Self.zoom(day).later == nil && Self.zoom(day).whole == nil)
        let earlier = Self.zoom(day).earlier
        #expect(earlier.part == 1_799_870_400..<1_799_956_800)
        #expect(Self.zoom(earlier).whole == day)
        let later = try #require(Self.zoom(earlier).later)
        #expect(later.part == 1_799_913_600..<1_800_000_000)
        #expect(Self.zoom(later).later == nil)
        // The last step is as short as needed.
        let almost = HistoryPeriod(.day, part: 1_799_990_000..<1_799_999_990)
        #expect(Self.zoom(almost).later?.part == 1_799_990_010..<1_800_000_000)
    }
}
