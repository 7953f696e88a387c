// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// The time window of the history to show.
enum TimelineWindow: String, CaseIterable, Sendable {
    case hour, day, week, month, quarter

    var seconds: Double { row.seconds }

    /// The text of its link.
    var title: String { row.title }

    private var row: (seconds: Double, title: String) {
        switch self {
        case .hour: (3600, "Hour")
        case .day: (86_400, "Day")
        case .week: (7 * 86_400, "Week")
        case .month: (30 * 86_400, "30 days")
        case .quarter: (90 * 86_400, "90 days")
        }
    }
}

/// The period of the history that the page shows: a whole window, which ends now, or a part that a visitor chose.
struct HistoryPeriod: Hashable, Sendable {
    let window: TimelineWindow
    /// The chosen part, in seconds since 1970; nil for the whole window.
    let part: Range<Int64>?
    /// Whether a visitor chose it: else it is a day or, until ``fullDay`` is recorded, an hour.
    let isChosen: Bool

    /// The number of seconds that must be recorded for a day to be shown by default.
    static let fullDay = 6 * 3600.0

    /// The length of the shortest part, in seconds.
    static let shortest: Int64 = 60

    init(_ window: TimelineWindow = .day, part: Range<Int64>? = nil, isChosen: Bool = true) {
        self.window = window
        self.part = part
        self.isChosen = isChosen
    }

    /// Parses a query: `window`, and for a part of it `from` and `to`, as ``HistoryWindow`` reads them.
    ///
    /// A part that is too short is extended into the past.
    ///
    /// - Throws: a description of the invalid parameter.
    init(_ query: [String: String], now: Date) throws(Refusal) {
        let set = query["window"].flatMap(TimelineWindow.init(rawValue:))
        window = set ?? .day
        let bounds = query.filter { ["from", "to"].contains($0.key) && !$0.value.isEmpty }
        guard !bounds.isEmpty else {
            part = nil
            isChosen = set != nil
            return
        }
        let chosen = try HistoryWindow(bounds, now: now)
        let end = Int64((Double(chosen.end.milliseconds) / 1000).rounded(.up))
        isChosen = true
        part = min(Int64((Double(chosen.start.milliseconds) / 1000).rounded(.down)), end - Self.shortest)..<end
    }

    func bounds(now: Date) -> (start: Date, end: Date) {
        guard let part else { return (now - window.seconds, now) }
        return (
            Date(timeIntervalSince1970: Double(part.lowerBound)), Date(timeIntervalSince1970: Double(part.upperBound))
        )
    }

    /// The query that selects this period.
    var query: String {
        "window=\(isChosen ? window.rawValue : "auto")"
            + (part.map { "&from=\($0.lowerBound)&to=\($0.upperBound)" } ?? "")
    }

    /// The period in words, to follow "the".
    var words: String { part == nil ? "last \(window.title.lowercased())" : "selected time" }
}

/// The periods that a visitor can reach from the one shown: parts of it, and those before and after it.
struct HistoryZoom: Hashable, Sendable {
    let period: HistoryPeriod
    private let start: Int64
    private let end: Int64
    private let now: Int64

    /// The number of equal slices of the drawing that can be clicked.
    static let slices = 12

    init(_ period: HistoryPeriod, from start: Date, to end: Date, now: Date) {
        self.period = period
        self.start = start.milliseconds / 1000
        self.end = end.milliseconds / 1000
        self.now = now.milliseconds / 1000
    }

    /// A quarter of the period around the middle of each slice, within the period; empty if it is too short to divide.
    var parts: [HistoryPeriod] {
        guard end - start > HistoryPeriod.shortest else { return [] }
        let slice = (end - start) / Int64(Self.slices)
        return (0..<Int64(Self.slices)).map { quarter(around: start + $0 * slice + slice / 2) }
    }

    /// A quarter of the period around its middle; nil if it is too short to divide.
    var closer: HistoryPeriod? {
        end - start > HistoryPeriod.shortest ? quarter(around: start + (end - start) / 2) : nil
    }

    /// The period that begins half a length earlier.
    var earlier: HistoryPeriod { HistoryPeriod(period.window, part: start - half..<end - half) }

    /// The period that ends half a length later, but not after now; nil if this one ends now.
    var later: HistoryPeriod? {
        guard period.part != nil, end < now else { return nil }
        let step = min(half, now - end)
        return HistoryPeriod(period.window, part: start + step..<end + step)
    }

    /// The whole window, which ends now; nil if it is shown.
    var whole: HistoryPeriod? { period.part == nil ? nil : HistoryPeriod(period.window) }

    private var half: Int64 { max(1, (end - start) / 2) }

    private func quarter(around middle: Int64) -> HistoryPeriod {
        let length = max(HistoryPeriod.shortest, (end - start) / 4)
        let first = min(max(start, middle - length / 2), end - length)
        return HistoryPeriod(period.window, part: first..<first + length)
    }
}
