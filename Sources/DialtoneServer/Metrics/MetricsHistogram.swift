//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How often a duration fell below each of some bounds.
package struct MetricsHistogram: Hashable, Sendable {
    /// The upper bounds, in seconds, in order; what is longer falls into the last bucket, which has none.
    package let bounds: [Double]
    /// How many fell into each bucket, and into no earlier one.
    package private(set) var counts: [Int]
    /// The sum of all, in seconds.
    package private(set) var sum = 0.0

    /// The bounds for checks of the Internet: from a quick answer to the longest wait.
    package static let checkBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// Makes an empty histogram.
    package init(bounds: [Double] = Self.checkBounds) {
        self.bounds = bounds.sorted()
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// How many there were.
    package var count: Int { counts.reduce(0, +) }

    /// Takes a duration in, in seconds; what is no duration is ignored.
    package mutating func observe(_ seconds: Double) {
        guard seconds.isFinite, seconds >= 0 else { return }
        counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
        sum += seconds
    }

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
    /// A bucket's bound: OpenMetrics wants a fraction in it, so that one bound has one spelling.
    static func bound(_ value: Double) -> String { value.isInfinite ? "+Inf" : "\(value)" }
}
