// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Testing

@testable import DialtoneHistory
@testable import DialtoneServer

struct DrawingTests {
    private static let now = Date(timeIntervalSince1970: 1_795_291_265)

    @Test(
        arguments: [
            (60, 15, 4, ":"), (900, 300, 3, ":"), (3600, 900, 4, ":"), (21_600, 3600, 6, ":00"),
            (86_400, 21_600, 4, ":00"), (7 * 86_400, 86_400, 7, "00:00"), (30 * 86_400, 7 * 86_400, 4, "00:00"),
            (90 * 86_400, 14 * 86_400, 6, "00:00"), (400 * 86_400, 56 * 86_400, 7, "00:00"),
            (4e9, 14 * 86_400 << 9, 6, "00:00"),
        ] as [(Double, Int, Int, String)])
    func `the times under the drawing are round, evenly spaced, and within it`(
        length: Double, step: Int, count: Int, ending: String
    ) {
        let axis = TimelineAxis(from: Self.now - length, to: Self.now)
        let times = axis.times
        #expect(axis.step == step)
        #expect(abs(times.count - count) <= 1, "\(times.count)")
        for (time, next) in zip(times, times.dropFirst()) {
            // A day may have 23 or 25 hours.
            #expect(abs(next.timeIntervalSince(time) - Double(step)) <= (step >= 21_600 ? 3600 : 0))
        }
        for time in times {
            #expect(time > Self.now - length && time <= Self.now)
            let text = LocalTime.text(time, .second)
            #expect(ending == ":" || text.hasSuffix("\(ending):00"), "\(text)")
            if step < 3600 { #expect(Int(time.timeIntervalSince1970) % step == 0) }
        }
    }

    @Test func `a share of a column without the Internet has no texture, in whose gaps it would not be seen`() {
        let style = String(decoding: PackageResources.style_css, as: UTF8.self)
        for state in HistoryState.allCases where state.availability == .down {
            let name = ".s-\(state.rawValue)"
            #expect(!style.contains("\(name) { fill: url(") || style.contains("\(name).share"), "\(state)")
        }
    }

    @Test func `the legend has only the states drawn, and each span has a description`() {
        func transition(_ minutes: Double, _ state: HistoryState, _ cause: HistoryCause? = nil) -> HistoryTransition {
            HistoryTransition(time: Self.now - minutes * 60, state: state, cause: cause)
        }
        let overview = TimelineOverview(
            from: Self.now - 3600, to: Self.now,
            transitions: [
                transition(90, .online), transition(30, .offline, .init(rawValue: "noCarrier")),
                transition(20, .asleep, .init(rawValue: "suspended")), transition(10, .online),
            ], columns: TimelineMarks.columns)
        let html = HistorySection(
            overview: overview, period: HistoryPeriod(.hour),
            status: HistoryStatus(problem: .diskFull), now: Self.now
        ).html.description
        #expect(
            html.contains("data-words=\"[&quot;Offline: Nothing is connected to any interface&quot;,"), "\(html)")
        #expect(html.contains("data-spans=\"1800 2;600 0;600 1;600 2\""))
        #expect(html.contains("Asleep or off</li>") && !html.contains("Login required</li>"))
        #expect(html.contains("role=\"alert\">The disk is full"))
        #expect(!html.contains("NaN") && !html.contains("inf"))
    }

    @Test(arguments: [(nil, 0), (7200, 7200), (86_400, 86_400), (90_000, 86_400)] as [(Double?, Double)])
    func `the recorded time begins with the first record`(age: Double?, seconds: Double) {
        let transitions = age.map { [HistoryTransition(time: Self.now - $0, state: .online)] } ?? []
        let overview = TimelineOverview(
            from: Self.now - 86_400, to: Self.now, transitions: transitions, columns: TimelineMarks.columns)
        #expect(overview.recordedSeconds == seconds)
    }

    @Test(
        arguments: [
            (0, "2 ms"), (0.002, "2 ms"), (0.0021, "4 ms"), (0.0042, "10 ms"), (0.037, "40 ms"), (0.098, "100 ms"),
            (0.35, "400 ms"), (0.41, "1 s"), (1.2, "2 s"), (9, "10 s"),
        ] as [(Double, String)])
    func `the latency axis ends at a round number`(most: Double, title: String) {
        let axis = LatencyAxis(most)
        #expect(axis.title == title)
        #expect(axis.top >= most && (most == 0 || axis.top <= 2.5 * max(most, 0.0008)))
    }

    @Test func `the latency axis accepts any number`() {
        for most in [1e9, .greatestFiniteMagnitude, .infinity] { #expect(!LatencyAxis(most).title.isEmpty) }
    }
}
