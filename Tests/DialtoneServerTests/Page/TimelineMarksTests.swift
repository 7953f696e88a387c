// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import TestSupport
import Testing

@testable import DialtoneHistory
@testable import DialtoneServer

struct TimelineMarksTests {
    private static let end = Date(timeIntervalSince1970: 1_800_000_000)

    /// A day (or another length) online, except for these interruptions: start and length in seconds, and state.
    private static func overview(
        _ interruptions: [(start: Double, seconds: Double, state: HistoryState)], length: Double = 86_400
    ) -> TimelineOverview {
        let start = end - length
        let transitions = interruptions.flatMap { interruption in
            [
                HistoryTransition(time: start + interruption.start, state: interruption.state),
                HistoryTransition(time: start + interruption.start + interruption.seconds, state: .online),
            ]
        }
        return TimelineOverview(
            from: start, to: end, transitions: [HistoryTransition(time: start, state: .online)] + transitions,
            columns: TimelineMarks.columns)
    }

    /// The area of a state, as the number of seconds that it represents; without the marks of minimum height.
    private static func seconds(
        _ overview: TimelineOverview, _ state: HistoryState, includingMinimum: Bool = false
    ) -> Double {
        let marks = TimelineMarks(overview).marks.filter { mark in
            mark.state == state && (includingMinimum || mark.bottom - mark.top > TimelineMarks.minimum)
        }
        let area = marks.reduce(0.0) { $0 + ($1.right - $1.left) * ($1.bottom - $1.top) }
        return area / TimelineMarks.height(state) / TimelineMarks.width * overview.end.timeIntervalSince(overview.start)
    }

    @Test(
        arguments: [
            // One outage of ten columns; nine of 40 s within 49 minutes; a long and a short one; two in one column.
            ([(3600, 2400)], 2400), ((0..<9).map { (40_000 + Double($0) * 360, 40) }, 360),
            ([(1000, 100), (50_000, 7200)], 7300), ([(2410, 60), (2500, 60)], 120), ([(0, 86_400)], 86_400),
            ([(100, 239)], 239), ([(100, 241)], 241), ([(230, 20), (260, 400)], 420),
        ] as [([(Double, Double)], Double)])
    func `the area drawn for outages is proportional to their time`(outages: [(Double, Double)], down: Double) {
        for state in [HistoryState.offline, .captivePortal, .limited] {
            let overview = Self.overview(outages.map { ($0.0, $0.1, state) })
            let exact = overview.parts.flatMap(\.shares).filter { $0.state == state }.reduce(0) { $0 + $1.seconds }
            #expect(abs(exact - down) < 0.01)
            let drawn = Self.seconds(overview, state, includingMinimum: true)
            #expect(drawn > down * 0.99)
            // A mark of minimum height adds at most a sixth of a column for each outage.
            let most = 240 * TimelineMarks.minimum / TimelineMarks.height(state)
            #expect(drawn < down * 1.01 + Double(outages.count) * 2 * most)
        }
    }

    @Test func `nine outages of 40 s within 49 minutes are drawn at their share, not as one bar`() {
        let overview = Self.overview((0..<9).map { (40_000 + Double($0) * 360, 40, .offline) })
        let drawn = TimelineMarks(overview).marks.filter { $0.state == .offline }
        #expect(drawn.count >= 9)
        #expect(drawn.allSatisfy { $0.isShare && $0.bottom - $0.top < TimelineMarks.height(.offline) / 5 })
        #expect(abs(Self.seconds(overview, .offline, includingMinimum: true) / 360 - 1) < 0.1)
        // In the window of an hour, they are long enough to be drawn as they are.
        let hour = Self.overview((0..<9).map { (100 + Double($0) * 360, 40, .offline) }, length: 3600)
        let marks = TimelineMarks(hour).marks.filter { $0.state == .offline }
        #expect(marks.count == 9)
        #expect(marks.allSatisfy { !$0.isShare && $0.bottom - $0.top == TimelineMarks.height(.offline) })
    }

    @Test(arguments: HistoryState.allCases)
    func `an outage of a millisecond in 90 days has a visible mark`(state: HistoryState) {
        let overview = Self.overview([(4_000_000, 0.001, state)], length: 90 * 86_400)
        let marks = TimelineMarks(overview).marks.filter { $0.state == state && $0.isShare }
        guard state != .online else { return #expect(marks.isEmpty) }
        #expect(marks.count == 1)
        if let mark = marks.first, state.availability == .down {
            #expect(mark.bottom - mark.top == TimelineMarks.minimum && mark.right - mark.left > 2.5)
        }
    }

    @Test func `the parts of a random history cover the window and keep the time of each state`() {
        var random = SeededGenerator(seed: 7)
        let lengths: [Double] = [60, 3600, 86_400, 90 * 86_400]
        for (length, count) in lengths.flatMap({ length in [1, 10, 1000, 20_000].map { (length, $0) } }) {
            let start = Self.end - length
            let times = (0..<count).map { _ in Double.random(in: 0..<length, using: &random) }.sorted()
            let transitions = times.map { time in
                HistoryTransition(
                    time: start + time, state: HistoryState.allCases.randomElement(using: &random) ?? .online)
            }
            let overview = TimelineOverview(
                from: start, to: Self.end, transitions: transitions, columns: TimelineMarks.columns, maximumSpans: 25,
                maximumOutages: 30)
            let parts = overview.parts
            #expect(parts.count <= 2 * TimelineMarks.columns + 2)
            #expect(parts.first?.start == overview.start && parts.last?.end == overview.end)
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.end == $1.start })
            #expect(overview.spans.count <= 25 && overview.outages.count <= 30)
            var sums: [HistoryState: Double] = [:]
            for share in parts.flatMap(\.shares) { sums[share.state, default: 0] += share.seconds }
            for (state, seconds) in overview.summary.seconds {
                #expect(abs(sums[state, default: 0] - seconds) < 0.01, "\(state) of \(length) s")
            }
            // The page's section has a bounded size.
            let html = HistorySection(
                overview: overview, period: HistoryPeriod(.quarter),
                status: HistoryStatus(),
                now: overview.end
            ).html.description
            let size = html.utf8.count
            #expect(size < 150_000 && !html.contains("nan") && !html.contains("inf"), "\(size)")
        }
    }

    @Test func `columns stay where they are while time passes`() {
        /// The columns of short spans: their start, their end, and the seconds of each state.
        func columns(_ now: Double) -> [[Double]] {
            let transitions = [
                HistoryTransition(time: Self.end - 90_000, state: .online),
                HistoryTransition(time: Self.end - 4000, state: .offline),
                HistoryTransition(time: Self.end - 3950, state: .online),
            ]
            let overview = TimelineOverview(
                from: Self.end - 86_400 + now, to: Self.end + now, transitions: transitions,
                columns: TimelineMarks.columns)
            return overview.parts.filter { $0.shares.count > 1 }.map { part in
                [part.start.timeIntervalSince(Self.end), part.end.timeIntervalSince(Self.end)]
                    + part.shares.map(\.seconds)
            }
        }
        #expect(columns(0) == columns(31) && columns(0) == [[-4080, -3840, 50, 190]])
    }

    @Test func `a timeline before 1970 or of no length is drawn`() {
        for (start, end) in [(-1e9, -9e8), (0, 0), (-5, 5)] as [(Double, Double)] {
            let overview = TimelineOverview(
                from: Date(timeIntervalSince1970: start), to: Date(timeIntervalSince1970: end),
                transitions: [HistoryTransition(time: Date(timeIntervalSince1970: start - 10), state: .offline)],
                columns: TimelineMarks.columns)
            #expect(overview.parts.count == (start == end ? 0 : 1))
            let html = HistorySection(
                overview: overview, period: HistoryPeriod(.day, part: Int64(start)..<Int64(end)),
                status: HistoryStatus(), now: overview.end
            ).html.description
            #expect(!html.contains("nan"))
        }
    }
}
