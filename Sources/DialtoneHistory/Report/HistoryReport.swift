// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneSupport

/// The JSON of a window of the history: a stable format, to which fields are only added.
///
/// Times are ISO 8601 in UTC with milliseconds; lengths are in seconds. Every field is always present, and null without
/// a value, except `spans`, `checks` and `note`, which are present only on request.
public struct HistoryReport: Encodable, Sendable {
    /// The timeline to report.
    public var timeline: Timeline
    /// Whether to include the spans in addition to the figures and the outages.
    public var hasSpans: Bool
    /// The maximum number of outages to include, keeping the latest ones; `outageCount` is the total.
    public var maximumOutages: Int
    /// The check summaries; nil to omit them.
    public var checks: [CheckSummary]?
    /// A note for the reader, such as that the disk is full.
    public var note: String?

    /// Creates a report of a timeline; by default one with all spans and outages, and without checks.
    public init(
        _ timeline: Timeline, hasSpans: Bool = true, maximumOutages: Int = .max, checks: [CheckSummary]? = nil,
        note: String? = nil
    ) {
        self.timeline = timeline
        self.hasSpans = hasSpans
        self.maximumOutages = maximumOutages
        self.checks = checks
        self.note = note
    }

    private enum Key: String, CodingKey {
        case from, to, seconds, watchedSeconds, availability, pathAvailability, outageCount, outageSeconds
        case longestOutage, outages, spans, checks, note
    }

    /// Encodes the report in its stable format.
    public func encode(to encoder: any Encoder) throws {
        let summary = timeline.summary
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(HistoryTime.text(timeline.start), forKey: .from)
        try object.encode(HistoryTime.text(timeline.end), forKey: .to)
        try object.encode(summary.seconds, forKey: .seconds)
        try object.encode(summary.watchedSeconds, forKey: .watchedSeconds)
        try object.encode(summary.availability, forKey: .availability)
        try object.encode(summary.pathAvailability, forKey: .pathAvailability)
        try object.encode(summary.outages, forKey: .outageCount)
        try object.encode(summary.outageSeconds, forKey: .outageSeconds)
        try object.encode(summary.longestOutage.map(OutageReport.init), forKey: .longestOutage)
        try object.encode(timeline.outages.suffix(max(0, maximumOutages)).map(OutageReport.init), forKey: .outages)
        if hasSpans { try object.encode(timeline.spans.map(SpanReport.init), forKey: .spans) }
        try object.encodeIfPresent(checks?.map(CheckReport.init), forKey: .checks)
        try object.encodeIfPresent(note, forKey: .note)
    }

    /// The report on one line, with its keys in alphabetical order.
    public func json() throws -> String { try oneLineJSON() }
}

/// The history's time format.
enum HistoryTime {
    /// Formats a time as ISO 8601 in UTC with milliseconds.
    static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// The fields that spans and outages have in common.
private struct PeriodReport: Encodable {
    let start: Date
    let end: Date
    let state: HistoryState
    let cause: HistoryCause?
    let interfaceName: String?
    let interfaceType: String?

    private enum Key: String, CodingKey { case from, to, seconds, state, cause, interface, interfaceType }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(HistoryTime.text(start), forKey: .from)
        try object.encode(HistoryTime.text(end), forKey: .to)
        try object.encode(Double(end.milliseconds - start.milliseconds) / 1000, forKey: .seconds)
        try object.encode(state, forKey: .state)
        try object.encode(cause?.rawValue, forKey: .cause)
        try object.encode(interfaceName, forKey: .interface)
        try object.encode(interfaceType, forKey: .interfaceType)
    }
}

private struct SpanReport: Encodable {
    let span: Timeline.Span

    private enum Key: String, CodingKey { case merged }

    func encode(to encoder: any Encoder) throws {
        try PeriodReport(
            start: span.start, end: span.end, state: span.state, cause: span.cause, interfaceName: span.interfaceName,
            interfaceType: span.interfaceType
        ).encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(span.merged, forKey: .merged)
    }
}

private struct OutageReport: Encodable {
    let outage: Outage

    private enum Key: String, CodingKey { case mayHaveBegunEarlier, ending }

    func encode(to encoder: any Encoder) throws {
        try PeriodReport(
            start: outage.start, end: outage.end, state: outage.state, cause: outage.cause,
            interfaceName: outage.interfaceName, interfaceType: outage.interfaceType
        ).encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(outage.mayHaveBegunEarlier, forKey: .mayHaveBegunEarlier)
        try object.encode(outage.ending, forKey: .ending)
    }
}

private struct CheckReport: Encodable {
    let check: CheckSummary

    private enum Key: String, CodingKey {
        case from, seconds, count, verdicts, shortestLatency, meanLatency, longestLatency
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(HistoryTime.text(check.start), forKey: .from)
        try object.encode(check.length, forKey: .seconds)
        try object.encode(check.count, forKey: .count)
        try object.encode(check.verdicts, forKey: .verdicts)
        try object.encode(check.shortestLatency, forKey: .shortestLatency)
        try object.encode(check.meanLatency, forKey: .meanLatency)
        try object.encode(check.longestLatency, forKey: .longestLatency)
    }
}

/// A window of the history as comma-separated values (RFC 4180, with line feeds only).
public enum HistoryCSV {
    /// Returns a header line with the column names, then one line per span.
    public static func lines(spans: [Timeline.Span]) -> [String] {
        ["from,to,seconds,state,cause,interface,interfaceType"]
            + spans.map { span in
                line([
                    HistoryTime.text(span.start), HistoryTime.text(span.end), "\(span.length)", span.state.rawValue,
                    span.cause?.rawValue, span.interfaceName, span.interfaceType,
                ])
            }
    }

    /// Returns a header line with the column names, then one line per outage.
    public static func lines(outages: [Outage]) -> [String] {
        ["from,to,seconds,state,cause,interface,interfaceType,mayHaveBegunEarlier,ending"]
            + outages.map { outage in
                line([
                    HistoryTime.text(outage.start), HistoryTime.text(outage.end), "\(outage.length)",
                    outage.state.rawValue, outage.cause?.rawValue, outage.interfaceName, outage.interfaceType,
                    "\(outage.mayHaveBegunEarlier)", outage.ending.rawValue,
                ])
            }
    }

    private static func line(_ fields: [String?]) -> String {
        fields.map { field($0 ?? "") }.joined(separator: ",")
    }

    /// Quotes a field, so that an interface name can neither break out of its column nor act as a spreadsheet formula.
    static func field(_ text: String) -> String {
        let guarded = text.first.map { "=+-@\t\r".contains($0) } ?? false ? "'" + text : text
        guard guarded.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return guarded }
        return "\"" + guarded.replacing("\"", with: "\"\"") + "\""
    }
}

extension Encodable {
    /// The value on one line, with its keys in alphabetical order.
    package func oneLineJSON() throws -> String { try OneLineJSON.text(self) }
}
