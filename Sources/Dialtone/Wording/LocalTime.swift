// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// Formats times in the local time zone of this process.
package enum LocalTime {
    /// The parts of a time to show.
    package enum Style: String {
        /// The time of day, such as `14:03:09`.
        case clock
        /// The time of day with milliseconds, such as `14:03:09.250`.
        case milliseconds
        /// The time of day without seconds, such as `14:03`.
        case minute
        /// The month and the day, such as `11-20`.
        case date
        /// The date and the time, such as `2026-11-20 14:03`.
        case day
        /// The date and the time with seconds, such as `2026-11-20 14:03:09`.
        case second
        /// The date and the time with milliseconds, such as `2026-11-20 14:03:09.250`.
        case full
    }

    package static func text(_ time: Date, _ style: Style = .clock) -> String {
        let total = time.timeIntervalSince1970
        var seconds = time_t(total.rounded(.down))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        let minute = unsafe "\(parts.tm_hour.digits(2)):\(parts.tm_min.digits(2))"
        let clock = unsafe "\(minute):\(parts.tm_sec.digits(2))"
        let precise = "\(clock).\(Int32((total - total.rounded(.down)) * 1000).digits(3))"
        let date = unsafe "\((parts.tm_mon + 1).digits(2))-\(parts.tm_mday.digits(2))"
        return switch style {
        case .clock: clock
        case .milliseconds: precise
        case .minute: minute
        case .date: date
        case .day: unsafe "\(parts.tm_year + 1900)-\(date) \(minute)"
        case .second: unsafe "\(parts.tm_year + 1900)-\(date) \(clock)"
        case .full: unsafe "\(parts.tm_year + 1900)-\(date) \(precise)"
        }
    }

    /// The offset from UTC that applies at a time, such as `+01:00`.
    package static func offset(_ time: Date) -> String {
        var seconds = time_t(time.timeIntervalSince1970.rounded(.down))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        let minutes = unsafe Int32(clamping: abs(parts.tm_gmtoff) / 60)
        return unsafe "\(parts.tm_gmtoff < 0 ? "-" : "+")\((minutes / 60).digits(2)):\((minutes % 60).digits(2))"
    }
}
