// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import DialtoneServer

struct ReportMonthTests {
    private static func date(_ year: Int, _ month: Int, _ day: Int, hour: Int = 0) throws -> Date {
        try #require(Calendar.current.date(from: DateComponents(year: year, month: month, day: day, hour: hour)))
    }

    @Test func `a month lasts from its first midnight to that of the next, or until now`() throws {
        let now = try Self.date(2027, 1, 15, hour: 12)
        for (text, name, start, end, next) in [
            ("2026-12", "2026-12", (2026, 12, 1), try Self.date(2027, 1, 1), "2027-01"),
            ("2024-02", "2024-02", (2024, 2, 1), try Self.date(2024, 3, 1), "2024-03"),
            ("2027-01", "2027-01", (2027, 1, 1), now, nil), (nil, "2027-01", (2027, 1, 1), now, nil),
            ("", "2027-01", (2027, 1, 1), now, nil),
        ] as [(String?, String, (Int, Int, Int), Date, String?)] {
            let month = try ReportMonth(text, now: now)
            #expect(month.name == name)
            #expect(try month.start == Self.date(start.0, start.1, start.2))
            #expect(month.end == end)
            #expect(month.next(now: now)?.name == next)
        }
        #expect(try ReportMonth("2027-01", now: now).previous.name == "2026-12")
        #expect(try ReportMonth("2026-12", now: now).next(now: now)?.end == now)
    }

    @Test(arguments: [
        "2027-02", "9999-12", "2026-13", "2026-00", "2026-1", "2026-011", "26-11", "2026", "2026-11-01", "-026-11",
        "november", "2026-1٣",
        "1969-12", "2026–11", " 2026-11",
    ]) func `another text, and a month in the future, are rejected`(text: String) throws {
        let now = try Self.date(2027, 1, 15)
        #expect(throws: Refusal.self) { try ReportMonth(text, now: now) }
    }
}
