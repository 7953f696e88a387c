// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemSupport
import TestSupport
import Testing

struct PointInTimeTests {
    private let now = Date.wall

    @Test func `a day can be named, and begins at midnight`() throws {
        let today = Calendar.current.startOfDay(for: now)
        #expect(PointInTime("today")?.date(now: now) == today)
        #expect(
            PointInTime("yesterday")?.date(now: now) == Calendar.current.date(byAdding: .day, value: -1, to: today))
    }

    @Test(arguments: [
        ("2026-11-20T12:00Z", 0), ("2026-11-20T12:00:00.25Z", 0.25), ("2026-11-20T13:30:00+01:30", 0),
        ("2026-11-20T10:00:00.5-02:00", 0.5),
    ])
    func `a time with a zone is a moment`(text: String, fraction: Double) {
        #expect(PointInTime(text)?.date(now: now) == Date(timeIntervalSince1970: 1_795_176_000 + fraction))
    }

    @Test func `an age counts back from now`() {
        #expect(PointInTime("1.5h")?.date(now: now) == now - 5400)
    }
}
