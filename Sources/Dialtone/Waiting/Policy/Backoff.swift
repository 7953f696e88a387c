// SPDX-License-Identifier: Apache-2.0

import LibC

extension WaitingPolicy {
    /// Waits whose limit grows after every failure; each wait is a random part of its limit.
    ///
    /// With the defaults, the limits are 0.5, 1, 2, 4, … 60 s. A random choice from the whole range ("full jitter") spreads
    /// many clients best over time.
    public struct Backoff: Hashable, Sendable {
        /// The limit of the first wait; 0.5 s by default.
        public var first: Duration
        /// The limit of every wait; 60 s by default.
        public var longest: Duration
        /// The factor by which the limit grows after each failure; 2 by default.
        public var factor: Double

        /// Creates a backoff; omitted arguments have the documented defaults.
        public init(first: Duration = .milliseconds(500), longest: Duration = .seconds(60), factor: Double = 2) {
            self.first = first
            self.longest = longest
            self.factor = factor
        }

        /// Checks every value.
        ///
        /// - Throws: the first invalid value, with the reason.
        package func validate() throws(InvalidConfiguration) {
            try InvalidConfiguration.check(first, "backoff.first")
            try InvalidConfiguration.check(longest, "backoff.longest")
            guard first <= longest else {
                throw InvalidConfiguration(
                    "backoff.first", "\(first) is longer than backoff.longest, which is \(longest)")
            }
            guard factor >= 1, factor <= 1000 else {
                throw InvalidConfiguration("backoff.factor", "must be from 1 to 1000, not \(factor)")
            }
        }

        /// The limit of a wait.
        ///
        /// - Parameter failures: the number of failed attempts; 1 or less gives the first limit.
        package func limit(after failures: Int) -> Duration {
            let growth = pow(factor, Double(max(failures, 1) - 1))
            return growth < longest / first ? first * growth : longest
        }

        /// A random wait.
        ///
        /// - Parameters:
        ///   - failures: the number of failed attempts; 1 or less gives the first wait.
        ///   - random: a number from 0 up to 1.
        package func delay(after failures: Int, random: Double) -> Duration {
            limit(after: failures) * min(max(random, 0), 1)
        }
    }
}
