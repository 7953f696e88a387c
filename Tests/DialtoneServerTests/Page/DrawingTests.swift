// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import Testing

@testable import DialtoneServer

struct DrawingTests {
    private static let now = Date(timeIntervalSince1970: 1_795_291_265)

    @Test(
        arguments: [
            (.hour, 4, [":00", ":15", ":30", ":45"]), (.day, 4, ["00:00", "06:00", "12:00", "18:00"]),
            (.week, 7, ["00:00"]),
        ] as [(TimelineWindow, Int, [String])])
    func `the times under the drawing are round, complete, and within it`(
        window: TimelineWindow, count: Int, endings: [String]
    ) {
        let start = Self.now - window.seconds
        let times = TimelineTicks.times(window, from: start, to: Self.now)
        #expect(abs(times.count - count) <= 1)
        #expect(times == times.sorted() && Set(times).count == times.count)
        for time in times {
            #expect(time > start && time <= Self.now)
            let text = LocalTime.text(time, .day)
            #expect(endings.contains { text.hasSuffix($0) }, "\(text)")
        }
    }

    private static func checks(_ minutes: [Int]) -> [CheckSummary] {
        minutes.map { CheckSummary(start: now - 3600 + Double($0) * 60, meanLatency: 0.02, latencies: 1) }
    }

    @Test func `the latency line breaks at gaps without measurements, and not between two checks`() throws {
        func strokes(_ minutes: [Int]) -> Int? {
            LatencyDrawing(checks: Self.checks(minutes), start: Self.now - 3600, end: Self.now).html
                .map { $0.description.components(separatedBy: "<polyline").count - 1 }
        }
        #expect(strokes(Array(0..<60)) == 1)
        #expect(strokes([0, 1, 2, 3, 5, 7, 8]) == 1)
        #expect(strokes(Array(0..<20) + Array(30..<60)) == 2)
        #expect(strokes([0, 30]) == 1)
        #expect(strokes([]) == nil && strokes([5]) == nil)
    }

    @Test func `the legend has only the states drawn, and each span has a description`() {
        func transition(_ minutes: Double, _ state: HistoryState, _ cause: HistoryCause? = nil) -> HistoryTransition {
            HistoryTransition(time: Self.now - minutes * 60, state: state, cause: cause)
        }
        let timeline = Timeline(
            from: Self.now - 3600, to: Self.now,
            transitions: [
                transition(90, .online), transition(30, .offline, .init(rawValue: "noCarrier")),
                transition(20, .asleep, .init(rawValue: "suspended")), transition(10, .online),
            ])
        let html = HistorySection(
            timeline: timeline, checks: [], window: .hour, status: HistoryStatus(health: .degraded(.diskFull))
        ).html.description
        #expect(html.contains("data-said=\"Offline: Nothing is connected to any interface\" data-length=\"10 min\""))
        #expect(html.contains("Asleep or off</li>") && !html.contains("Login required</li>"))
        #expect(html.contains("role=\"alert\">The disk is full"))
        #expect(!html.contains("NaN") && !html.contains("inf"))
    }
}
