// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import SystemSupport

/// The JSON of a window of the history: a stable format, to which fields are only added.
///
/// Times are ISO 8601 in UTC with milliseconds; lengths are in seconds. Every field is always present, and null without
/// a value, except `spans` and `note`, which are present only on request.
package struct HistoryReport: Encodable, Sendable {
    package var timeline: Timeline
    /// Whether to include the spans in addition to the figures and the outages.
    package var hasSpans: Bool
    /// A note for the reader, such as that the disk is full.
    package var note: String?

    /// Creates a report of a timeline; by default one with all spans and outages.
    package init(_ timeline: Timeline, hasSpans: Bool = true, note: String? = nil) {
        self.timeline = timeline
        self.hasSpans = hasSpans
        self.note = note
    }

    /// Encodes the report in its stable format.
    package func encode(to encoder: any Encoder) throws {
        let summary = timeline.summary
        try encoder.encode([
            "from": timeline.start.iso8601, "to": timeline.end.iso8601, "seconds": summary.seconds,
            "watchedSeconds": summary.watchedSeconds, "availability": summary.availability,
            "availabilityMargin": summary.availabilityMargin, "pathAvailability": summary.pathAvailability,
            "outageCount": summary.outages, "outageSeconds": summary.outageSeconds,
            "outageMargin": summary.outageMargin, "outageSecondsByFault": summary.outageSecondsByFault,
            "longestOutage": summary.longestOutage.map(OutageReport.init),
            "outages": timeline.outages.map(OutageReport.init),
            "dropCount": summary.drops, "dropSeconds": summary.dropSeconds,
            "drops": timeline.drops.map(encoded),
        ])
        if hasSpans { try encoder.encode(["spans": timeline.spans]) }
        if let note { try encoder.encode(["note": note]) }
    }

    /// The report on one line, with its keys in alphabetical order.
    package func json() throws -> String { try OneLineJSON.text(self) }
}

extension Encoder {
    /// Encodes the fields that spans and outages have in common.
    fileprivate func encode(
        _ record: some StateRecordProtocol, from start: Date, earliest: Date?, to end: Date, milliseconds: Int64
    ) throws {
        try encode([
            "from": start.iso8601, "earliestFrom": earliest?.iso8601, "to": end.iso8601,
            "seconds": Double(milliseconds) / 1000,
        ])
        try encode(record)
    }

    /// Encodes the fields of a state record.
    fileprivate func encode(_ record: some StateRecordProtocol) throws {
        try encode([
            "state": record.state, "cause": record.cause?.rawValue, "interface": record.interfaceName,
            "interfaceType": record.interfaceType, "reason": record.reason, "fault": record.fault,
        ])
    }
}

extension Timeline.Span: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode(self, from: start, earliest: earliestStart, to: end, milliseconds: milliseconds)
        try encoder.encode(["merged": merged])
    }
}

/// An outage in JSON, as a window of the history and events have it.
package struct OutageReport: Encodable {
    private let outage: Outage

    package init(_ outage: Outage) { self.outage = outage }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode(
            outage, from: outage.start, earliest: outage.earliestStart, to: outage.end,
            milliseconds: outage.milliseconds)
        try encoder.encode([
            "earliestTo": outage.earliestEnd?.iso8601, "mayHaveBegunEarlier": outage.mayHaveBegunEarlier,
            "ending": outage.ending, "nextInterface": outage.nextInterface,
            "phases": outage.phases.map(PhaseReport.init),
        ])
    }
}

/// A drop: no state, and no time without the Internet.
private func encoded(_ drop: Silence) -> EncodedObject {
    EncodedObject([
        "kind": "drop", "from": drop.start.iso8601, "earliestFrom": drop.earliestStart?.iso8601,
        "to": drop.end.iso8601, "earliestTo": drop.earliestEnd.iso8601, "seconds": drop.length, "hops": drop.counts,
    ])
}

/// The phase of an outage, without times: a clock that is set does not change it.
private struct PhaseReport: Encodable {
    let phase: Outage.Phase

    func encode(to encoder: any Encoder) throws {
        try encoder.encode(["after": Double(phase.offset) / 1000, "seconds": phase.length])
        try encoder.encode(phase)
    }
}

/// A window of the history as comma-separated values (RFC 4180, with line feeds only).
package enum HistoryCSV {
    /// Returns a header line with the column names, then one line per span.
    package static func lines(spans: [Timeline.Span]) -> [String] {
        ["from,to,seconds,state,cause,interface,interfaceType,fault,earliestFrom"]
            + spans.map { span in
                line([
                    span.start.iso8601, span.end.iso8601, "\(span.length)", span.state.rawValue,
                    span.cause?.rawValue, span.interfaceName, span.interfaceType, span.fault?.rawValue,
                    span.earliestStart?.iso8601,
                ])
            }
    }

    /// Returns a header line with the column names, then one line per outage.
    package static func lines(outages: [Outage]) -> [String] {
        [
            "from,to,seconds,state,cause,interface,interfaceType,mayHaveBegunEarlier,ending,fault,earliestFrom,earliestTo"
                + ",nextInterface,phases"
        ]
            + outages.map { outage in
                line([
                    outage.start.iso8601, outage.end.iso8601, "\(outage.length)",
                    outage.state.rawValue, outage.cause?.rawValue, outage.interfaceName, outage.interfaceType,
                    "\(outage.mayHaveBegunEarlier)", outage.ending.rawValue, outage.fault?.rawValue,
                    outage.earliestStart?.iso8601, outage.earliestEnd?.iso8601, outage.nextInterface,
                    outage.phases.map(words).joined(separator: "; "),
                ])
            }
    }

    /// The seconds of a phase, and its state, fault and cause, as far as they are known.
    private static func words(_ phase: Outage.Phase) -> String {
        ["\(phase.length)", phase.state.rawValue, phase.fault?.rawValue, phase.cause?.rawValue].compactMap(\.self)
            .joined(separator: " ")
    }

    /// Returns a header line with the column names, then one line per check; durations are in seconds.
    package static func lines(checks: [CheckRecord]) -> [String] {
        ["time,verdict,cause,latency,resolve,connect,tls,headers,passed,asked"]
            + checks.map { check in
                line(
                    [check.time.iso8601, check.verdict.rawValue, check.cause?.rawValue]
                        + [check.latency, check.resolve, check.connect, check.tls, check.headers].map(seconds)
                        + ["\(check.passed)", "\(check.asked)"])
            }
    }

    /// Returns a header line with the column names, then one line per hop and period; round trips are in seconds.
    package static func lines(hops: [HopPeriod]) -> [String] {
        ["from,seconds,hop,sent,lost,minimum,median,maximum,late"]
            + hops.map { period in
                let statistics = period.statistics
                let trips = period.statistics.seconds
                return line(
                    [period.start.iso8601, "\(period.length)", period.hop.rawValue]
                        + ["\(statistics.sent)", "\(statistics.lost)"]
                        + [trips.minimum, trips.median, trips.maximum].map(seconds) + ["\(statistics.late)"])
            }
    }

    /// The seconds, to the microsecond.
    private static func seconds(_ value: Double?) -> String? { value.map { "\(($0 * 1e6).rounded() / 1e6)" } }

    /// Joins fields, and replaces control characters, which could otherwise change how a terminal shows the line.
    private static func line(_ fields: [String?]) -> String {
        let line = fields.map { field($0 ?? "") }.joined(separator: ",")
        return String(String.UnicodeScalarView(line.unicodeScalars.map { $0.isUnseen ? "\u{FFFD}" : $0 }))
    }

    /// Quotes a field, so that an interface name can neither break out of its column nor act as a spreadsheet formula.
    static func field(_ text: String) -> String {
        let guarded = text.first.map { "=+-@\t\r".contains($0) } ?? false ? "'" + text : text
        guard guarded.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return guarded }
        return "\"" + guarded.replacing("\"", with: "\"\"") + "\""
    }
}
