// SPDX-License-Identifier: Apache-2.0

/// Counts durations in buckets with upper bounds.
package struct MetricsHistogram: Hashable, Sendable {
    /// The upper bounds in seconds, in order; the last bucket, for longer durations, has none.
    package let bounds: [Double]
    /// The number of durations per bucket, not cumulative.
    package private(set) var counts: [Int]
    /// The sum of all durations, in seconds.
    package private(set) var sum = 0.0

    /// The bounds for Internet checks: from a fast response to the longest timeout.
    package static let checkBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// Creates an empty histogram.
    package init(bounds: [Double] = Self.checkBounds) {
        self.bounds = bounds.sorted()
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// The number of durations.
    package var count: Int { counts.reduce(0, +) }

    /// Adds a duration in seconds; invalid durations are ignored.
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
    /// Formats a bucket's bound with a fraction, as OpenMetrics requires, so that each bound has a single spelling.
    static func bound(_ value: Double) -> String { value.isInfinite ? "+Inf" : "\(value)" }
}
