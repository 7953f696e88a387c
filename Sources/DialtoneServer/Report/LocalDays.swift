// SPDX-License-Identifier: Apache-2.0

import LibC
package import SystemSupport

/// A day of the local calendar, or its part in a period.
package struct LocalDay: Hashable, Sendable {
    /// The midnight before it, even where the period begins later.
    package let start: Date
    /// The midnight after.
    package let end: Date
    /// From 18 to 23 h.
    package let evening: Range<Date>

    /// The days that a period touches; at most the latest ones.
    ///
    /// The C library's calendar knows the days of 23 and 25 hours.
    package static func days(from start: Date, to end: Date, most: Int = 400) -> [LocalDay] {
        var seconds = time_t(end.timeIntervalSince1970.rounded(.up) - 1)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        func time(_ hour: Int32, day: Int32) -> Date {
            var copy = unsafe parts
            unsafe copy.tm_mday = day
            unsafe copy.tm_hour = hour
            unsafe copy.tm_min = 0
            unsafe copy.tm_sec = 0
            unsafe copy.tm_isdst = -1
            return unsafe Date(timeIntervalSince1970: Double(mktime(&copy)))
        }
        var days: [LocalDay] = []
        var next = unsafe time(0, day: parts.tm_mday + 1)
        for age in 0..<Int32(most) where start < end && start < next {
            let day = unsafe parts.tm_mday - age
            let midnight = time(0, day: day)
            // A zone that crossed the date line skipped a day: its midnight is the next one.
            guard midnight < next else { continue }
            let six = time(18, day: day)
            days.append(LocalDay(start: midnight, end: next, evening: six..<max(six, time(23, day: day))))
            next = midnight
        }
        return days.reversed()
    }
}
