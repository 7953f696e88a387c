// SPDX-License-Identifier: Apache-2.0

import LibC

/// A point in time, as a user or a query writes it.
///
/// It is an age (`90s`, `15m`, `2h`, `7d`, `2w`), a day (`2026-11-20`, `today`, `yesterday`), or an ISO 8601 time
/// (`2026-11-20T14:30`, `2026-11-20T14:30:00Z`, `2026-11-20T14:30:00+01:00`). A time without a zone is local.
package enum PointInTime: Hashable {
    case ago(Double)
    case at(Date)

    /// The forms, as text for the help.
    package static let forms =
        "a duration ago (90s, 15m, 2h, 7d, 2w), a day (2026-11-20, today, yesterday) or an ISO 8601 time"

    /// Parses a text; nil if it has none of the forms.
    package init?(_ text: String) {
        if let seconds = Self.age(text) {
            self = .ago(seconds)
        } else if let date = Self.midnight(text) ?? Self.date(text) {
            self = .at(date)
        } else {
            return nil
        }
    }

    /// The moment, relative to now.
    package func date(now: Date) -> Date {
        switch self {
        case .ago(let seconds): now - seconds
        case .at(let date): date
        }
    }

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    /// A thousand years.
    private static let longest = 3.2e10

    private static func age(_ text: String) -> Double? {
        guard let unit = text.last.flatMap({ units[$0] }) else { return nil }
        let digits = text.dropLast()
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let number = Double(digits), number * unit <= longest
        else { return nil }
        return number * unit
    }

    /// The beginning of the day with this name.
    private static func midnight(_ name: String) -> Date? {
        guard let age = ["today", "yesterday"].firstIndex(of: name) else { return nil }
        var now = time_t(Date.now.timeIntervalSince1970)
        var parts = unsafe tm()
        unsafe localtime_r(&now, &parts)
        // Days before the first of a month belong to the month before.
        unsafe parts.tm_mday -= Int32(age)
        unsafe parts.tm_hour = 0
        unsafe parts.tm_min = 0
        unsafe parts.tm_sec = 0
        unsafe parts.tm_isdst = -1
        return unsafe Date(timeIntervalSince1970: Double(mktime(&parts)))
    }

    private static func date(_ text: String) -> Date? {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard let day = parts.first, let days = numbers(day, separator: "-", widths: [4, 2, 2]) else { return nil }
        guard parts.count == 2 else { return date(days, [0, 0, 0], zone: nil) }
        var clock = parts[1]
        var zone: Int?
        if clock.hasSuffix("Z") {
            zone = 0
            clock = clock.dropLast()
        } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            guard let offset = numbers(clock[clock.index(after: sign)...], separator: ":", widths: [2, 2]),
                offset[0] < 24, offset[1] < 60
            else { return nil }
            zone = (offset[0] * 3600 + offset[1] * 60) * (clock[sign] == "-" ? -1 : 1)
            clock = clock[..<sign]
        }
        var fraction = 0.0
        if let point = clock.firstIndex(of: ".") {
            let digits = clock[clock.index(after: point)...]
            guard digits.isDecimal, let number = Double("0.\(digits)") else { return nil }
            fraction = number
            clock = clock[..<point]
        }
        guard
            let times = numbers(clock, separator: ":", widths: [2, 2, 2])
                ?? numbers(clock, separator: ":", widths: [2, 2]).map({ $0 + [0] })
        else { return nil }
        return date(days, times, zone: zone).map { $0 + fraction }
    }

    private static func numbers(_ text: Substring, separator: Character, widths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.count) == widths, parts.allSatisfy(\.isDecimal) else { return nil }
        return parts.compactMap { Int($0) }
    }

    private static func date(_ days: [Int], _ times: [Int], zone: Int?) -> Date? {
        var parts = unsafe tm()
        unsafe parts.tm_year = Int32(days[0] - 1900)
        unsafe parts.tm_mon = Int32(days[1] - 1)
        unsafe parts.tm_mday = Int32(days[2])
        unsafe parts.tm_hour = Int32(times[0])
        unsafe parts.tm_min = Int32(times[1])
        unsafe parts.tm_sec = Int32(times[2])
        unsafe parts.tm_isdst = -1
        guard times[0] < 24, times[1] < 60, times[2] < 60, days[1] <= 12 else { return nil }
        let seconds = unsafe zone == nil ? mktime(&parts) : timegm(&parts)
        // The conversion has turned the 31st of February into a day of March.
        guard unsafe parts.tm_mon == Int32(days[1] - 1), unsafe parts.tm_mday == Int32(days[2]) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds) - Double(zone ?? 0))
    }
}
