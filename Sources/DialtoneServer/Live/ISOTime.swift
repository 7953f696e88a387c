// SPDX-License-Identifier: Apache-2.0

import DialtoneSupport

/// Formats and parses dates.
enum ISOTime {
    /// Formats a date as ISO 8601 in UTC with milliseconds.
    static func iso(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Parses a date in a query: ISO 8601, with or without fractions of a second, or seconds since 1970.
    static func date(_ text: String) -> Date? {
        if let seconds = Double(text) {
            guard seconds.isFinite, abs(seconds) < 1e11 else { return nil }
            return Date(timeIntervalSince1970: seconds)
        }
        guard text.utf8.count <= 40 else { return nil }
        for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            if let date = try? style.parse(text) { return date }
        }
        return nil
    }
}
