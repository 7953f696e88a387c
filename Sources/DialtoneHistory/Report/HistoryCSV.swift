// SPDX-License-Identifier: Apache-2.0

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
