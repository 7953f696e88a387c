// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import TestSupport
import Testing

struct TimelineTests {
    @Test(arguments: [
        ([], "0 notWatching"),
        ([Sample.transition(-50, .online)], "0 online"),
        ([Sample.transition(0, .online)], "0 online"),
        ([Sample.transition(10, .online)], "0 notWatching, 10 online"),
        ([Sample.transition(-50, .online), Sample.transition(10, .offline)], "0 online, 10 offline"),
        // A state that begins at the window's end is not in it.
        ([Sample.transition(-50, .online), Sample.transition(100, .offline)], "0 online"),
        // If two records have the same time, the later one wins.
        ([Sample.transition(5, .online), Sample.transition(5, .offline)], "0 notWatching, 5 offline"),
        // A record that repeats the previous one adds no span.
        ([Sample.transition(5, .online), Sample.transition(9, .online)], "0 notWatching, 5 online"),
        // The clock was set back from 60 to 20: new records replace those from 20 to 60.
        (
            [
                Sample.transition(0, .online), Sample.transition(30, .offline), Sample.transition(60, .limited),
                Sample.transition(20, .captivePortal),
            ], "0 online, 20 captivePortal"
        ),
        // The clock was set back to before the window.
        ([Sample.transition(30, .offline), Sample.transition(-20, .online)], "0 online"),
        // The clock was wrong from 60 on, and corrected at -5: the window's earlier records are shown again.
        (
            [
                Sample.transition(0, .online), Sample.transition(30, .offline), Sample.transition(40, .online),
                Sample.transition(60, .notWatching, .stopped), Sample.transition(-9, .unknown, .started),
                Sample.transition(-5, .notWatching, .clockSet), Sample.transition(70, .limited),
            ], "0 online, 30 offline, 40 online, 60 notWatching, 70 limited"
        ),
        // Corrected within the window: records made with the wrong clock keep their recorded times.
        (
            [
                Sample.transition(0, .online), Sample.transition(50, .notWatching, .clockSet),
                Sample.transition(20, .offline), Sample.transition(30, .notWatching, .clockSet),
                Sample.transition(80, .captivePortal),
            ], "0 online, 20 offline, 30 online, 50 notWatching, 80 captivePortal"
        ),
    ]) func `spans are derived from records`(transitions: [HistoryTransition], text: String) {
        #expect(Sample.timeline(0, 100, transitions).text == text)
    }

    @Test func `a window of zero or negative length has no spans`() {
        for end in [0.0, -10] {
            let timeline = Sample.timeline(0, end, [Sample.transition(-5, .online)])
            #expect(timeline.spans.isEmpty)
            #expect(timeline.start == timeline.end)
            #expect(timeline.summary.availability == nil)
        }
    }

    @Test func `spans cover any window, and the summary adds up to the window`() {
        var random = SeededGenerator(seed: 7)
        for round in 0..<2000 {
            let transitions = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Sample.transition(
                    Double(Int.random(in: -100_000...300_000, using: &random)) / 1000,
                    HistoryState.allCases.randomElement(using: &random) ?? .unknown,
                    Bool.random(using: &random) ? nil : HistoryCause(.partial))
            }
            let start = Double(Int.random(in: -50_000...150_000, using: &random)) / 1000
            let end = start + Double(Int.random(in: 1...150_000, using: &random)) / 1000
            let exact = Sample.timeline(start, end, transitions)
            for timeline in [exact, exact.thinned(to: Int.random(in: 1...20, using: &random))] {
                #expect(timeline.spans.first?.start == timeline.start, "round \(round)")
                #expect(timeline.spans.last?.end == timeline.end, "round \(round)")
                #expect(zip(timeline.spans, timeline.spans.dropFirst()).allSatisfy { $0.end == $1.start })
                #expect(timeline.spans.allSatisfy { $0.start < $0.end })
                #expect(abs(timeline.summary.seconds.values.reduce(0, +) - (end - start)) < 0.001)
            }
            let spans = exact.spans.reduce(into: [HistoryState: Double]()) { $0[$1.state, default: 0] += $1.length }
            for (state, seconds) in exact.summary.seconds { #expect(abs(spans[state, default: 0] - seconds) < 0.001) }
            for outage in exact.outages {
                #expect(outage.start < outage.end && outage.start >= exact.start && outage.end <= exact.end)
            }
            let down = exact.summary.seconds(.down)
            #expect(exact.summary.outageSeconds >= down - 0.001, "every failure is in an outage, round \(round)")
        }
    }

    @Test func `the summary computes availability from the decided time`() throws {
        let summary = Sample.timeline(
            0, 1000,
            [
                Sample.transition(0, .asleep), Sample.transition(100, .notWatching), Sample.transition(200, .unknown),
                Sample.transition(300, .online), Sample.transition(900, .offline),
            ]
        ).summary
        #expect(summary.seconds(.unwatched) == 200)
        #expect(summary.watchedSeconds == 800)
        #expect(summary.availability == 600.0 / 700)
        #expect(summary.pathAvailability == 600.0 / 700)
        #expect(summary.outages == 1)
        #expect(summary.longestOutage?.length == 100)
    }

    @Test(
        arguments: [
            // Without checks: a path says nothing about the Internet.
            ([Sample.transition(0, .unverified), Sample.transition(50, .offline)], nil, 0.5),
            ([Sample.transition(0, .notWatching)], nil, nil),
            ([Sample.transition(0, .unknown)], nil, nil),
            ([Sample.transition(0, .offline)], 0, 0),
            ([Sample.transition(0, .limited)], 0, 1),
            ([Sample.transition(0, .unverified), Sample.transition(1, .online)], 1, 1),
        ] as [([HistoryTransition], Double?, Double?)])
    func `no answer means no availability`(transitions: [HistoryTransition], availability: Double?, path: Double?) {
        let summary = Sample.timeline(0, 100, transitions).summary
        #expect(summary.availability == availability)
        #expect(summary.pathAvailability == path)
    }
}
