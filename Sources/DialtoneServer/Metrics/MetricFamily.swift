// SPDX-License-Identifier: Apache-2.0

/// A metric with all its samples.
struct MetricFamily: Hashable, Sendable {
    /// The metric's type, by its OpenMetrics name.
    enum Kind: String, Sendable { case gauge, counter, histogram, info }

    /// A value with its labels.
    struct Sample: Hashable, Sendable {
        /// The suffix after the family's name: `_total`, `_bucket`.
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        var value: Double

        static func == (left: Sample, right: Sample) -> Bool {
            left.suffix == right.suffix && left.value == right.value
                && left.labels.elementsEqual(right.labels, by: ==)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(suffix)
            hasher.combine(value)
        }
    }

    /// The name without `dialtone_` and without the suffix of a counter.
    var name: String
    var kind: Kind
    /// The unit, such as `seconds`; the name ends with it.
    var unit: String?
    /// The help text: one sentence.
    var help: String
    var samples: [Sample]

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
