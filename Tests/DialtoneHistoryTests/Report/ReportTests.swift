// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import Testing

struct ReportTests {
    private let timeline = Sample.timeline(
        0, 100,
        [
            Sample.transition(0, .online), Sample.transition(10, .offline, HistoryCause(rawValue: "noCarrier"), "eth0"),
            Sample.transition(20, .online), Sample.transition(30, .limited), Sample.transition(35, .online),
        ])

    private func object(_ report: HistoryReport) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(report.json().utf8)) as? [String: Any])
    }

    @Test func `the JSON has every documented field`() throws {
        let object = try object(HistoryReport(timeline))
        #expect(
            Set(object.keys) == [
                "from", "to", "seconds", "watchedSeconds", "availability", "availabilityMargin", "pathAvailability",
                "outageCount", "outageSeconds", "outageMargin", "outageSecondsByFault", "longestOutage", "outages",
                "spans", "dropCount", "dropSeconds", "drops",
            ])
        #expect(object["from"] as? String == "2027-01-15T08:00:00.000Z")
        let outages = try #require(object["outages"] as? [[String: Any]])
        #expect(outages.first?["cause"] as? String == "noCarrier")
        #expect(outages.last?["interface"] is NSNull)
        #expect((object["spans"] as? [Any])?.count == 5)
    }

    @Test func `a report without spans has all outages, and a note`() throws {
        let object = try object(HistoryReport(timeline, hasSpans: false, note: "full"))
        #expect(object["outageCount"] as? Int == 2)
        #expect(object["note"] as? String == "full")
        #expect(object["spans"] == nil)
        let outages = try #require(object["outages"] as? [[String: Any]])
        #expect(outages.count == 2)
        #expect(outages.last?["state"] as? String == "limited")
    }

    @Test func `an empty history has no figures`() throws {
        let object = try object(HistoryReport(Sample.timeline(0, 100, [])))
        #expect(object["availability"] is NSNull)
        #expect(object["longestOutage"] is NSNull)
    }
}
