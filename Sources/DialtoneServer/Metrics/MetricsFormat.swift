// SPDX-License-Identifier: Apache-2.0

/// The text format of the metrics page.
package enum MetricsFormat: String, Hashable, Sendable, CaseIterable {
    /// OpenMetrics 1.0.
    case openMetrics
    /// Prometheus's older text format, version 0.0.4.
    case prometheusText

    /// The `Content-Type` of a page in this format.
    package var contentType: String {
        switch self {
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        case .prometheusText: "text/plain; version=0.0.4; charset=utf-8"
        }
    }

    /// Chooses the format for the value of an `Accept` field (RFC 9110, section 12.5.1).
    ///
    /// OpenMetrics, unless the client accepts only plain text: by its name, not by `*/*`.
    ///
    /// - Parameter accept: the field's value; nil if the request has none.
    package init(accepting accept: String?) {
        let types = (accept ?? "").lowercased().split(separator: ",").map { range in
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            return (type: parts.first ?? "", isRefused: parts.dropFirst().contains { $0 == "q=0" || $0 == "q=0.0" })
        }
        func accepts(_ type: String) -> Bool { types.contains { $0.type == type && !$0.isRefused } }
        self =
            accepts("text/plain") && !accepts("application/openmetrics-text") ? .prometheusText : .openMetrics
    }
}
