//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials

/// The JSON of a window of the history: a contract, to which fields are only ever added.
///
/// Times are ISO 8601 in UTC, to the millisecond; lengths are seconds. Every field is always there, null when it has no
/// value, except `spans`, `checks` and `note`, which are there when they were asked for.
public struct HistoryReport: Encodable, Sendable {
    /// What was the case.
    public var timeline: Timeline
    /// Whether the spans are told, not only the figures and the outages.
    public var hasSpans: Bool
    /// How many outages are told: the latest of them; `outageCount` is that of all.
    public var maximumOutages: Int
    /// What the checks came to; nil when they are not asked for.
    public var checks: [CheckSummary]?
    /// What a reader should know about it, such as that the disk is full.
    public var note: String?

    /// Makes a report.
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

    /// Writes the object of the contract.
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

    /// The object on one line, keys in the order of the alphabet.
    public func json() throws -> String { try oneLineJSON() }
}

/// How the history spells a time.
enum HistoryTime {
    /// ISO 8601 in UTC, to the millisecond.
    static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// What a span and an outage tell alike.
private struct StretchReport: Encodable {
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
        try StretchReport(
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
        try StretchReport(
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
