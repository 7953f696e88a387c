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
#elseif canImport(Darwin)
import Darwin
#endif

/// Formats times in the local time zone.
enum LocalTime {
    /// Such as `2026-11-20 14:03:09`.
    static func day(_ date: Date) -> String {
        let parts = parts(date)
        let day = [(parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2)].map(padded)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0, 2) }
        return day.joined(separator: "-") + " " + clock.joined(separator: ":")
    }

    /// Such as `14:03:09.250`.
    static func text(_ date: Date) -> String {
        let total = date.timeIntervalSince1970
        let parts = parts(date)
        let milliseconds = Int32((total - total.rounded(.down)) * 1000)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0, 2) }.joined(separator: ":")
        return "\(clock).\(padded(milliseconds, 3))"
    }

    private static func parts(_ date: Date) -> tm {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func padded(_ value: Int32, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
