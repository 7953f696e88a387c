// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import DialtoneHistory
import Foundation
import TestSupport
import Testing

@testable import DialtoneServer

/// The calendars of other time zones, each in another process, because a process has one zone.
@Suite(.real)
struct TimeZoneTests {
    @Test(.requires(.timeZones))
    func `a day that a zone skipped is no day of the report`() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "Pacific/Apia", 1)
            tzset()
            let month = try ReportMonth("2011-12", now: .wall)
            let days = LocalDay.days(from: month.start, to: month.end)
            #expect(days.count == 30 && days.first?.start == month.start && days.last?.end == month.end)
            #expect(days.allSatisfy { $0.start < $0.end && $0.start < $0.evening.lowerBound && !$0.evening.isEmpty })
            #expect(zip(days, days.dropFirst()).allSatisfy { $0.end == $1.start })
            let timeline = Timeline(from: month.start, to: month.end, transitions: [])
            let picture = SheetDays(timeline, [], ReportWording.Language.english.wording).html?.description ?? ""
            #expect(picture.contains("2011-12-29") && !picture.contains("2011-12-30"))
            let axis = TimelineAxis(from: month.end - 5 * 86_400, to: month.end)
            #expect(axis.times.map { LocalTime.text($0, .date) } == ["12-27", "12-28", "12-29", "12-31", "01-01"])
        }
    }

    @Test func `the axis has each time once where a clock is set forward`() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
            tzset()
            // 3:30 in summer, half an hour after 2:00 in winter.
            let end = Date(timeIntervalSince1970: 1_774_747_800)
            let times = TimelineAxis(from: end - 3600, to: end).times.map { LocalTime.text($0, .minute) }
            #expect(times == ["01:45", "03:00", "03:15", "03:30"])
            let longer = TimelineAxis(from: end - 6 * 3600, to: end).times.map { LocalTime.text($0, .minute) }
            #expect(longer == ["21:00", "22:00", "23:00", "00:00", "01:00", "03:00"])
        }
    }
}

extension Capability {
    /// The time zones of the package tzdata.
    fileprivate static let timeZones = Capability("tzdata") {
        _ = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Pacific/Apia"))
    }
}
#endif
