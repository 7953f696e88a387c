// SPDX-License-Identifier: Apache-2.0

import DialtoneAgent

/// A metric with all its samples.
struct MetricFamily: Sendable {
    /// The metric's type, by its OpenMetrics name.
    enum Kind: String, Sendable { case gauge, counter, histogram, info }

    /// A value with its labels.
    struct Sample: Sendable {
        /// The suffix after the family's name: `_total`, `_bucket`.
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        var value: Double
    }

    /// The name without `dialtone_` and without the suffix of a counter.
    var name: String
    var kind: Kind
    /// The help text: one sentence.
    var help: String
    var samples: [Sample]

    /// The unit, with which the name ends; nil without one.
    private var unit: String? { ["seconds", "ratio"].first { name.hasSuffix("_\($0)") } }

    /// Appends the lines of the family.
    func write(to text: inout String, _ format: MetricsFormat) {
        guard !samples.isEmpty else { return }
        let family = "dialtone_" + name
        // The older format includes the sample's suffix in a family's name, has no units, and has no info type.
        let isOld = format == .prometheusText
        let named = isOld ? family + (kind == .counter ? "_total" : kind == .info ? "_info" : "") : family
        text += "# HELP \(named) \(help)\n"
        text += "# TYPE \(named) \(isOld && kind == .info ? "gauge" : kind.rawValue)\n"
        if let unit, !isOld { text += "# UNIT \(named) \(unit)\n" }
        for sample in samples {
            let suffix = kind == .counter ? "_total" : kind == .info ? "_info" : sample.suffix
            text += family + suffix + MetricText.labels(sample.labels) + " " + MetricText.number(sample.value) + "\n"
        }
    }
}

/// The syntax of labels and numbers in both formats.
enum MetricText {
    /// The labels in braces; empty without labels.
    static func labels(_ labels: [(name: String, value: String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    /// Escapes a label's value, so that an interface name can end neither the label nor the line.
    static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars.prefix(256) {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
            }
        }
        return text
    }

    /// Formats a number; whole numbers without a fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}

/// The text format of the metrics page.
enum MetricsFormat: String, Hashable, Sendable, CaseIterable {
    case openMetrics
    /// Prometheus's older text format, version 0.0.4.
    case prometheusText

    /// The `Content-Type` of a page in this format.
    var contentType: String {
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
    init(accepting accept: String?) {
        let types = Request.accepted(accept)
        self =
            types.contains("text/plain") && !types.contains("application/openmetrics-text")
            ? .prometheusText : .openMetrics
    }
}

extension MetricsHistogram {
    var samples: [MetricFamily.Sample] {
        var below = 0
        let buckets = zip(bounds + [.infinity], counts).map { bound, count in
            below += count
            return MetricFamily.Sample(
                suffix: "_bucket", labels: [("le", MetricText.bound(bound))], value: Double(below))
        }
        return buckets + [
            MetricFamily.Sample(suffix: "_count", value: Double(count)),
            MetricFamily.Sample(suffix: "_sum", value: sum),
        ]
    }
}

extension MetricText {
    /// Formats a bucket's bound with a fraction, as OpenMetrics requires, so that each bound has a single spelling.
    static func bound(_ value: Double) -> String { value.isInfinite ? "+Inf" : "\(value)" }
}
