// SPDX-License-Identifier: Apache-2.0

/// Pauses between attempts, which double after every failure.
package struct ExponentialBackoff: Hashable, Sendable {
    /// The first pause, in seconds.
    package var first: Double
    /// The longest pause, in seconds.
    var longest: Double
    /// The number of failures since the last success.
    package private(set) var failures = 0

    package init(first: Double, longest: Double) {
        self.first = first
        self.longest = longest
    }

    /// Counts a failure.
    ///
    /// - Returns: the seconds to wait before the next attempt.
    package mutating func fail() -> Double {
        defer { failures += 1 }
        return min(first * Double(1 << min(failures, 16)), longest)
    }

    /// Resets the number of failures.
    package mutating func succeed() { failures = 0 }
}
