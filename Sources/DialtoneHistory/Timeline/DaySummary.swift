// SPDX-License-Identifier: Apache-2.0

package import Dialtone

/// The outages of a day, or of another part of a window.
package struct DaySummary: Hashable, Sendable {
    package let start: Date
    /// The end of the day, or of the window.
    package let end: Date
    /// The number of seconds in which the host was watched.
    package private(set) var watchedSeconds = 0.0
    package private(set) var outageSeconds = 0.0
    /// The number of outages; one that lasts past midnight counts on each of its days.
    package private(set) var outages = 0
    /// The seconds of the outages with a known fault, by its place.
    private(set) var outageSecondsByFault: [ConnectivityFault: Double] = [:]

    /// The place of the fault for the longest time; nil if none is known.
    package var fault: ConnectivityFault? { outageSecondsByFault.longestFirst.first?.key }

    fileprivate init(start: Date, end: Date) {
        self.start = start
        self.end = end
    }

    /// Sums up the local day of a time.
    package init(of timeline: Timeline, on time: Date) {
        let calendar = Calendar.current
        let start = calendar.startOfDay(for: time)
        let next = calendar.date(byAdding: .day, value: 1, to: start) ?? start + 86_400
        self = Self.summaries([start, next], of: timeline)[0]
    }

    /// Sums up parts of equal length.
    package func parts(_ count: Int, of timeline: Timeline) -> [DaySummary] {
        let length = end.timeIntervalSince(start) / Double(count)
        return Self.summaries((0...count).map { start + Double($0) * length }, of: timeline)
    }

    private static func summaries(_ bounds: [Date], of timeline: Timeline) -> [DaySummary] {
        var days = DayAccumulator(bounds)
        for span in timeline.spans { days.add(span) }
        for outage in timeline.outages { days.add(outage) }
        return days.days
    }

    fileprivate mutating func add(_ span: Timeline.Span) {
        if span.record.state.isWatched { watchedSeconds += seconds(span.start, span.end) }
    }

    fileprivate mutating func add(_ outage: Outage) {
        let seconds = seconds(outage.start, outage.end)
        outages += 1
        outageSeconds += seconds
        if let fault = outage.record.fault { outageSecondsByFault[fault, default: 0] += seconds }
    }

    private func seconds(_ first: Date, _ last: Date) -> Double {
        max(0, min(last, end).timeIntervalSince(max(first, start)))
    }
}

extension [ConnectivityFault: Double] {
    /// The places of the faults with their durations, the longest first.
    var longestFirst: [Element] { sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) } }
}

/// Sums up days, from spans and outages that come in order.
struct DayAccumulator {
    private(set) var days: [DaySummary]
    private var place = (span: 0, outage: 0)

    /// - Parameter bounds: the start of each day in order, and the end of the last one.
    init(_ bounds: [Date]) { days = zip(bounds, bounds.dropFirst()).map { DaySummary(start: $0, end: $1) } }

    mutating func add(_ span: Timeline.Span) {
        for place in Self.places(in: days, &place.span, span.start, span.end) { days[place].add(span) }
    }

    mutating func add(_ outage: Outage) {
        for place in Self.places(in: days, &place.outage, outage.start, outage.end) { days[place].add(outage) }
    }

    /// The days that a period touches.
    private static func places(in days: [DaySummary], _ first: inout Int, _ start: Date, _ end: Date) -> Range<Int> {
        while first < days.count, days[first].end <= start { first += 1 }
        var last = first
        while last < days.count, days[last].start < end { last += 1 }
        return first..<last
    }
}
