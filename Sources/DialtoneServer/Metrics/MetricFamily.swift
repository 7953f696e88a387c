// SPDX-License-Identifier: Apache-2.0

import DialtoneAgent

/// A metric with all its samples, in Prometheus's text format 0.0.4.
struct MetricFamily: Sendable {
    /// The metric's type, by its name in the format.
    enum Kind: String, Sendable { case gauge, counter, histogram }

    /// A value with its labels.
    struct Sample: Sendable {
        /// The suffix after the family's name: `_bucket`.
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        var value: Double
    }

    let kind: Kind
    /// The name without `dialtone_`.
    let name: String
    /// The help text: one sentence.
    let help: String
    let samples: [Sample]

    init(_ kind: Kind, _ name: String, _ help: String, _ samples: [Sample]) {
        self.kind = kind
        self.name = name
        self.help = help
        self.samples = samples
    }

    /// The lines of the family; empty without a sample.
    var text: String {
        guard !samples.isEmpty else { return "" }
        let lines = samples.map { sample in
            "dialtone_\(name)\(sample.suffix)\(MetricText.labels(sample.labels)) \(MetricText.number(sample.value))\n"
        }
        return "# HELP dialtone_\(name) \(help)\n# TYPE dialtone_\(name) \(kind.rawValue)\n" + lines.joined()
    }
}

/// The syntax of labels and numbers.
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

extension MetricsHistogram {
    var samples: [MetricFamily.Sample] {
        var below = 0
        let buckets = zip(Self.bounds + [.infinity], counts).map { bound, count in
            below += count
            // The bounds have always had a fraction, and a label must not change.
            let label = bound.isInfinite ? "+Inf" : "\(bound)"
            return MetricFamily.Sample(suffix: "_bucket", labels: [("le", label)], value: Double(below))
        }
        return buckets + [
            MetricFamily.Sample(suffix: "_count", value: Double(count)),
            MetricFamily.Sample(suffix: "_sum", value: sum),
        ]
    }
}
