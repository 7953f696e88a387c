// SPDX-License-Identifier: Apache-2.0

import Dialtone
import LibC
import SystemSupport

/// The round times under the drawing, in local time.
struct TimelineAxis {
    let start: Date
    let end: Date
    /// The seconds between two times.
    let step: Int

    /// The maximum number of times.
    private static let most = 8
    /// The lengths of steps: divisors of a day, or whole days.
    private static let steps = [15, 60, 300, 900, 3600, 10_800, 21_600, 86_400, 7 * 86_400]

    init(from start: Date, to end: Date) {
        self.start = start
        self.end = end
        let least = end.timeIntervalSince(start) / (Double(Self.most) - 0.5)
        var step = Self.steps.first { Double($0) >= least } ?? 14 * 86_400
        while Double(step) < least { step *= 2 }
        self.step = step
    }

    /// The round times within the period, oldest first.
    ///
    /// It steps with the C library's calendar, so that it finds the midnights of a day of 23 or 25 hours.
    var times: [Date] {
        var seconds = time_t(end.timeIntervalSince1970.rounded(.down))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        let isWholeDays = step >= 86_400
        var time = unsafe Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec)
        time = isWholeDays ? 0 : time - time % step
        var times: [Date] = []
        for _ in 0..<4 * Self.most {
            unsafe parts.tm_hour = Int32(clamping: time / 3600)
            unsafe parts.tm_min = Int32(clamping: time / 60 % 60)
            unsafe parts.tm_sec = Int32(clamping: time % 60)
            var asked = unsafe parts
            unsafe asked.tm_isdst = -1
            let date = unsafe Date(timeIntervalSince1970: Double(mktime(&asked)))
            guard date > start else { break }
            // A time that a clock skips is a later one.
            if date <= end, date < times.last ?? .distantFuture { times.append(date) }
            if isWholeDays { unsafe parts.tm_mday -= Int32(clamping: step / 86_400) } else { time -= step }
        }
        return times.reversed()
    }

    var style: LocalTime.Style { step < 60 ? .clock : step < 86_400 ? .minute : .date }
}
