//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The time where the server is; a browser with JavaScript shows its own instead.
enum LocalTime {
    /// An element that a browser can read.
    ///
    /// - Parameter style: `clock` is the time of day, `day` the day with it.
    static func element(_ date: Date, _ style: Style = .clock) -> HTML {
        "<time datetime=\"\(Moment.iso(date))\" data-style=\"\(style.rawValue)\">\(text(date, style))</time>"
    }

    /// How much is told.
    enum Style: String {
        case clock, day
    }

    /// Such as `14:03:09` or `2026-11-20 14:03`.
    static func text(_ date: Date, _ style: Style = .clock) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        localtime_r(&seconds, &parts)
        let clock = "\(padded(parts.tm_hour)):\(padded(parts.tm_min))"
        switch style {
        case .clock: return "\(clock):\(padded(parts.tm_sec))"
        case .day: return "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday)) \(clock)"
        }
    }

    private static func padded(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
