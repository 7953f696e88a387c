//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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

/// Formats times in the server's time zone; a browser with JavaScript shows its own instead.
enum LocalTime {
    /// Returns an element that a browser can parse.
    ///
    /// - Parameter style: the parts of the time to show.
    static func element(_ date: Date, _ style: Style = .clock) -> HTML {
        "<time datetime=\"\(ISOTime.iso(date))\" data-style=\"\(style.rawValue)\">\(text(date, style))</time>"
    }

    /// The parts of a time to show.
    enum Style: String {
        /// The time of day, such as `14:03:09`.
        case clock
        /// The date and the time, such as `2026-11-20 14:03`.
        case day
        /// The time of day without seconds, such as `14:03`.
        case minute
        /// The month and the day, such as `11-20`.
        case date
    }

    /// The text in the server's time zone, which a browser replaces with its own local time.
    static func text(_ date: Date, _ style: Style = .clock) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        localtime_r(&seconds, &parts)
        let clock = "\(padded(parts.tm_hour)):\(padded(parts.tm_min))"
        let date = "\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
        switch style {
        case .clock: return "\(clock):\(padded(parts.tm_sec))"
        case .day: return "\(parts.tm_year + 1900)-\(date) \(clock)"
        case .minute: return clock
        case .date: return date
        }
    }

    private static func padded(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
