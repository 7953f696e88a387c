// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Testing

@testable import DialtoneDemo
@testable import DialtoneHistory
@testable import DialtoneServer

struct HistorySectionTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// The last `length` seconds, with transitions this number of seconds ago.
    private static func overview(
        _ transitions: [(ago: Double, state: HistoryState)], length: Double = 86_400
    ) -> TimelineOverview {
        TimelineOverview(
            from: now - length, to: now,
            transitions: transitions.map { ago, state in
                HistoryTransition(
                    time: now - ago, earliest: now - ago, state: state,
                    cause: state == .offline ? HistoryCause(rawValue: "noCarrier") : nil,
                    interfaceName: "wlan0", interfaceType: "wifi")
            }, columns: TimelineMarks.columns, maximumSpans: HistorySection.maximumSpans,
            maximumOutages: HistorySection.maximumOutages)
    }

    private static func html(_ overview: TimelineOverview, _ period: HistoryPeriod = HistoryPeriod()) -> String {
        HistorySection(
            overview: overview, period: period, status: HistoryStatus(), now: now
        ).html.description
    }

    @Test(
        arguments: [
            // Watched for too short a time, or for too small a part of the window.
            (86_400, [(863, .online)], nil), (86_400, [(865, .online)], "100 %"),
            (3600, [(299, .online)], nil), (3600, [(301, .online)], "100 %"),
            (90 * 86_400, [(70_000, .online)], nil), (90 * 86_400, [(80_000, .online)], "100 %"),
            // A part of a minute can be watched from its start to its end.
            (60, [(60, .online)], "100 %"), (60, [(30, .online)], nil),
            // Never rounded up.
            (86_400, [(86_400, .online), (1000, .offline), (999, .online)], "99.99 %"),
            (90 * 86_400, [(90 * 86_400, .online), (1000, .offline), (999.999, .online)], "99.99 %"),
            (86_400, [(86_400, .unverified)], "not known"), (86_400, [], nil),
        ] as [(Double, [(Double, HistoryState)], String?)])
    func `the availability is shown after enough time, and never rounded up`(
        length: Double, transitions: [(Double, HistoryState)], text: String?
    ) {
        let overview = Self.overview(transitions.map { (ago: $0.0, state: $0.1) }, length: length)
        let figure =
            text.map { "\($0)<span>of the watched time" } ?? "–<span>not enough time yet"
        #expect(Self.html(overview).contains("<dt>Available</dt><dd>\(figure)</span></dd>"))
        #expect(Self.html(overview).contains(": available \(text ?? "") of") == (text?.hasSuffix("%") ?? false))
    }

    @Test func `the ongoing outage is the first in the list, with its cause and its beginning`() throws {
        let overview = Self.overview([(90_000, .online), (7200, .captivePortal), (3575, .online), (605, .offline)])
        let html = Self.html(overview)
        let list = try #require(html.components(separatedBy: "<h3>Last outages</h3>").last)
        let rows = list.components(separatedBy: "<li").dropFirst()
        #expect(rows.count == 2)
        #expect(rows.first?.hasPrefix(" class=\"ongoing\"><strong>Offline: ") == true)
        #expect(
            rows.first?.contains(
                "<span>since <time datetime=\"2027-01-15T07:49:55.000Z\" data-style=\"clock\" "
                    + "data-day=\"2027-01-15T07:49:55.000Z\">")
                == true)
        // The script counts its duration up.
        #expect(
            rows.first?.contains(
                "<span class=\"age\" data-since=\"2027-01-15T07:49:55.000Z\">10 min 5 s</span></span></li>") == true)
        #expect(rows.last?.contains("<strong>Login required</strong>") == true)
        #expect(rows.last?.contains("</time> to <time") == true && rows.last?.contains("<span>1 h 25 s</span>") == true)
        #expect(!html.contains("Show more"))
        // At the end of an earlier part, the outage is not ongoing.
        let part = Self.html(overview, HistoryPeriod(.day, part: 1_799_913_600..<1_800_000_000))
        #expect(part.contains("10 min 5 s, continues after this time") && !part.contains("since <time"))
    }

    @Test func `each outage says the side of its fault, below the date of its day`() throws {
        let faults: [ConnectivityFault?] = [.provider, .nameServers, nil]
        let before = HistoryTransition(time: Self.now - 4 * 86_400, state: .online)
        let overview = TimelineOverview(
            from: Self.now - 3 * 86_400, to: Self.now,
            transitions: [before]
                + faults.enumerated().flatMap { index, fault in
                    let start = Self.now - 3 * 86_400 + Double(index) * 90_000 + 3600
                    return [
                        HistoryTransition(time: start, earliest: start, state: .limited, fault: fault),
                        HistoryTransition(time: start + 60, earliest: start + 60, state: .online),
                    ]
                }, columns: TimelineMarks.columns)
        let list = try #require(Self.html(overview).components(separatedBy: "<h3>Last outages</h3>").last)
        #expect(list.components(separatedBy: "<h4>").count - 1 == 3)
        let rows = list.components(separatedBy: "<li>").dropFirst()
        #expect(rows.count == 3)
        for (row, words) in zip(rows, [nil, "Name servers", "Beyond the router"] as [String?]) {
            #expect(row.contains("<span>1 min</span>") && row.contains("data-style=\"clock\""))
            #expect(
                words.map { row.contains("<span>1 min</span> <span>\($0)</span></li>") }
                    ?? row.contains("<span>1 min</span></li>"), "\(row)")
        }
    }

    @Test func `more than five outages are shown on request, and the number of the others`() {
        func html(_ outages: Int) -> String {
            let transitions = (0..<outages).flatMap { number -> [(ago: Double, state: HistoryState)] in
                let ago = Double(outages - number) * 100
                return [(ago, .offline), (ago - 40, .online)]
            }
            return Self.html(Self.overview(transitions))
        }
        for (outages, shown, rest) in [(5, 5, false), (6, 6, false), (20, 20, false), (21, 20, true)] {
            let html = html(outages)
            #expect(html.components(separatedBy: "<li><strong>").count - 1 == shown)
            #expect(html.contains("<summary>Show more</summary>") == (outages > 5))
            #expect(html.contains("The latest 20 of 21 outages.") == rest)
            // Watching began with the first one.
            #expect(html.contains("40 s, may have started earlier") == (outages <= 20))
        }
    }

    @Test func `a typical page is small`() {
        let demo = DemoHistory(now: Self.now)
        for window in TimelineWindow.allCases {
            let (start, end) = (Self.now - window.seconds, Self.now)
            let overview = TimelineOverview(
                from: start, to: end, transitions: demo.transitions, columns: TimelineMarks.columns,
                maximumSpans: HistorySection.maximumSpans, maximumOutages: HistorySection.maximumOutages,
                days: DaysDrawing.bounds(from: start, to: end))
            let html = HistorySection(
                overview: overview, period: HistoryPeriod(window), status: HistoryStatus(), now: end,
                hops: demo.minutes.filter { $0.start >= start }.flatMap(\.periods)
            ).html.description
            #expect(html.utf8.count < (window == .day ? 30_000 : 60_000), "\(window)")
        }
    }
}
