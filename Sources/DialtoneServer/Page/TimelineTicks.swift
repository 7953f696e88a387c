// SPDX-License-Identifier: Apache-2.0

import DialtoneSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The round times under the drawing: quarter hours, quarter days or days, in local time.
enum TimelineTicks {
    /// The round times between two moments, oldest first.
    ///
    /// It steps with the C library's calendar, so that it finds the midnights of a day of 23 or 25 hours.
    static func times(_ window: TimelineWindow, from start: Date, to end: Date) -> [Date] {
        var seconds = time_t(end.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        localtime_r(&seconds, &parts)
        parts.tm_sec = 0
        switch window {
        case .hour: parts.tm_min -= parts.tm_min % 15
        case .day: (parts.tm_hour, parts.tm_min) = (parts.tm_hour - parts.tm_hour % 6, 0)
        case .week: (parts.tm_hour, parts.tm_min) = (0, 0)
        }
        var times: [Date] = []
        while times.count < 32 {
            var asked = parts
            asked.tm_isdst = -1
            let date = Date(timeIntervalSince1970: Double(mktime(&asked)))
            guard date > start else { break }
            if date <= end { times.append(date) }
            switch window {
            case .hour: parts.tm_min -= 15
            case .day: parts.tm_hour -= 6
            case .week: parts.tm_mday -= 1
            }
        }
        return times.reversed()
    }
}
