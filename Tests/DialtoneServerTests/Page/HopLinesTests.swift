// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Testing

@testable import DialtoneHistory
@testable import DialtoneServer

struct HopLinesTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Minutes of the last hour: the round trips of each in milliseconds, nil for a lost one.
    private static func html(_ minutes: [(Int, HeartbeatHop, [Int?])]) -> String? {
        let hops = minutes.map { minute, hop, trips in
            HopPeriod(
                start: now - 3600 + Double(minute) * 60, length: 60, hop: hop,
                statistics: HopStatistics(trips.map { $0.map { .milliseconds($0) } }))
        }
        return HopLines(hops: hops, start: now - 3600, end: now).html?.description
    }

    private static func paths(_ html: String?, _ name: String) -> [String] {
        (html ?? "").components(separatedBy: "class=\"\(name)\" d=\"").dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
    }

    @Test func `each hop that was asked has a line, with its round trips and its loss`() {
        #expect(Self.html([]) == nil)
        let html = Self.html([
            (0, .router, [1, 1]), (1, .router, [2, 2]), (30, .router, [nil, nil]), (31, .router, [1, nil]),
            (0, .beyond, [40, 40]),
        ])
        #expect(html?.contains(">Router: median 1 ms (full height: 2 ms), 37.50 % lost<") == true, "\(html ?? "")")
        #expect(html?.contains(">Beyond the router: median 40 ms (full height: 40 ms), nothing lost<") == true)
        #expect(html?.contains("Name servers") == false)
        // The line breaks where there was no answer; what was lost hangs from the top, by its share.
        let trips = Self.paths(html, "trip")
        #expect(trips.count == 2 && trips[0].count { $0 == "M" } == 2 && trips[0].count { $0 == "L" } == 1)
        let lost = Self.paths(html, "lost")
        #expect(lost == ["M500 0H516.7v40H500zM516.7 0H533.3v20H516.7z", ""])
    }

    @Test func `a hop that never answered is lost, without a line`() {
        let html = Self.html([(5, .nameServers, [nil])])
        #expect(html?.contains(">Name servers: no answer, 100 % lost<") == true)
        #expect(Self.paths(html, "trip") == [""] && html?.contains("nan") == false)
    }

    @Test func `a remark is drawn where the checks made it`() {
        func check(_ minute: Double, _ remarks: [String: String]?) -> CheckRecord {
            var check = CheckRecord(time: Self.now - 3600 + minute * 60, verdict: .verified)
            check.remarks = remarks
            return check
        }
        let dead = ["addressFamily": "IPv6 is not answered <beyond> the router."]
        let both = dead.merging(["slowNames": "Names take 3 s."]) { $1 }
        // The series ends with a check without the remark, and with a long pause.
        let lines = HopLines(
            hops: [],
            remarked: [
                check(0, dead), check(6, both), check(12, dead), check(13, nil), check(15, dead), check(21, dead),
                check(39, dead), check(60, both),
            ], start: Self.now - 3600, end: Self.now)
        let html = lines.html?.description ?? ""
        let paths = html.components(separatedBy: "<path d=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
        #expect(
            paths == [
                "M0 0H200v10H0zM250 0H350v10H250zM650 0H656.9v10H650zM993.1 0H1000v10H993.1z",
                "M100 0H106.9v10H100zM993.1 0H1000v10H993.1z",
            ])
        #expect(
            html.contains(">IPv6 is not answered &lt;beyond&gt; the router: 7 checks, the last at <time"), "\(html)")
        #expect(html.contains(">Names take 3 s: 2 checks, the last at <time"))
    }

    @Test func `the longest period has room for the minutes that are kept while the clock is not trusted`() {
        // Minutes are merged once their hour is old enough, in one round an hour.
        let minutes = (RetentionPolicy().checks + ClockTrust.shortestUnchanged + 2 * 3600) / 60
        let rows = Double(HeartbeatHop.allCases.count) * (minutes + HopLines.longest / 3600)
        #expect(Double(HopLines.maximumRows) >= rows)
    }

    @Test func `a day of minutes has a point for each ten of them`() {
        let hops = (0..<1440).map { minute in
            HopPeriod(
                start: Self.now - 86_400 + Double(minute) * 60, length: 60, hop: .router,
                statistics: HopStatistics([.milliseconds(minute % 10)]))
        }
        let html = HopLines(hops: hops, start: Self.now - 86_400, end: Self.now).html?.description
        let trips = Self.paths(html, "trip")
        #expect(trips.first?.count { $0 == "H" } == HopLines.columns && trips.first?.count { $0 == "M" } == 1)
        #expect(html?.contains("median 4 ms") == true)
    }
}
