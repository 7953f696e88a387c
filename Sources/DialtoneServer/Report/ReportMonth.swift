// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import LibC
import SystemSupport

/// A calendar month in local time.
struct ReportMonth: Hashable, Sendable {
    /// The months since the year 0, so that the next one is one more.
    private let number: Int
    let start: Date
    /// The end of the month; now in the current one.
    let end: Date
    let isOver: Bool

    /// Parses a month such as `2026-11`; without text, it is the current one.
    ///
    /// - Throws: a description of the problem.
    init(_ text: String?, now: Date) throws(Refusal) {
        guard let text, !text.isEmpty else {
            self = .current(now)
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2], parts.allSatisfy(\.isDecimal),
            let year = parts.first.flatMap({ Int($0) }), let month = parts.last.flatMap({ Int($0) }),
            year >= 1970, (1...12).contains(month)
        else { throw Refusal(400, "'month' must be a month such as 2026-11.") }
        self.init(year * 12 + month - 1, now: now)
        guard start < now else { throw Refusal(400, "'month' must not be in the future.") }
    }

    private init(_ number: Int, now: Date) {
        self.number = number
        let next = Self.start(of: number + 1)
        start = Self.start(of: number)
        end = min(next, now)
        isOver = next <= now
    }

    var previous: ReportMonth { ReportMonth(number - 1, now: end) }

    /// The month after; nil if it has not begun.
    func next(now: Date) -> ReportMonth? { isOver ? ReportMonth(number + 1, now: now) : nil }

    /// The month, such as `2026-11`.
    var name: String { String(LocalTime.text(start, .day).prefix(7)) }

    private static func current(_ now: Date) -> ReportMonth {
        var seconds = time_t(now.timeIntervalSince1970.rounded(.down))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        return unsafe ReportMonth((Int(parts.tm_year) + 1900) * 12 + Int(parts.tm_mon), now: now)
    }

    /// The first midnight of a month.
    private static func start(of number: Int) -> Date {
        var parts = unsafe tm()
        unsafe parts.tm_year = Int32(number / 12 - 1900)
        unsafe parts.tm_mon = Int32(number % 12)
        unsafe parts.tm_mday = 1
        unsafe parts.tm_isdst = -1
        return unsafe Date(timeIntervalSince1970: Double(mktime(&parts)))
    }
}

extension ReportWording.Language {
    /// Parses a language of a query; without text, it is English.
    ///
    /// - Throws: a description of the problem.
    init(query text: String?) throws(Refusal) {
        guard let text, !text.isEmpty else {
            self = .english
            return
        }
        guard let language = Self(rawValue: text) else {
            let all = Self.allCases.map(\.rawValue).joined(separator: " or ")
            throw Refusal(400, "'language' must be \(all).")
        }
        self = language
    }
}
