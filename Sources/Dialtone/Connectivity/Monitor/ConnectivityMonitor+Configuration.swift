//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension ConnectivityMonitor {
    /// When a monitor checks, and how long it waits.
    public struct Configuration: Hashable, Sendable {
        /// When checks are repeated without an occasion.
        public enum Polling: Hashable, Sendable, CaseIterable {
            /// While the Internet cannot be reached, ever more rarely up to the interval; and at every interval while it can.
            case always
            /// While the Internet cannot be reached, ever more rarely up to the interval; once it answers, not again.
            case whileNotOnline
            /// Never: only a new path, a reported failure and a request bring a check.
            case never
        }

        /// Whether checks are repeated; `always` unless changed.
        public var polling = Polling.always
        /// How long a verdict stands before it is checked again, and the longest wait between attempts; 60 s unless changed.
        public var interval = Duration.seconds(60)
        /// The wait after the first failed check, doubled after each further one; 1 s unless changed.
        public var firstRetry = Duration.seconds(1)
        /// How much of each wait may be cut off at random, from 0 to 1, so that many machines do not check in step; 0.1 unless
        /// changed.
        public var jitter = 0.1
        /// The least time from one check's start to the next that is asked for or provoked by a report; 1 s unless changed.
        ///
        /// A new path does not wait for this long, unless it is the fourth within it.
        public var checkSpacing = Duration.seconds(1)
        /// When a check that has not answered is given up; 30 s unless changed.
        public var checkTimeLimit = Duration.seconds(30)
        /// How long the first value may take: then it is delivered as `unknown` or `unverified`; 3 s unless changed, 0 for at
        /// once.
        public var firstValueBound = Duration.seconds(3)
        /// The shortest sleep of the machine after which the last verdict no longer counts; 5 s unless changed.
        public var sleepThreshold = Duration.seconds(5)

        /// The usual values.
        public init() {}

        /// Finds the first value that cannot be.
        ///
        /// - Throws: which one, and why.
        public func validate() throws(ConfigurationError) {
            let positive: [(String, Duration)] = [
                ("interval", interval), ("firstRetry", firstRetry), ("checkTimeLimit", checkTimeLimit),
                ("sleepThreshold", sleepThreshold),
            ]
            for (field, value) in positive where value <= .zero {
                throw ConfigurationError(field, "must be longer than nothing, not \(value)")
            }
            for (field, value) in [("checkSpacing", checkSpacing), ("firstValueBound", firstValueBound)]
            where value < .zero {
                throw ConfigurationError(field, "must not be negative, as \(value) is")
            }
            for (field, value) in positive + [("checkSpacing", checkSpacing), ("firstValueBound", firstValueBound)]
            where value > Self.longest {
                throw ConfigurationError(field, "must not be longer than \(Self.longest), as \(value) is")
            }
            guard (0...1).contains(jitter) else {
                throw ConfigurationError("jitter", "must be from 0 to 1, not \(jitter)")
            }
        }

        /// Ten years: more than anybody needs, and less than what timers can count.
        private static let longest = Duration.seconds(10 * 365 * 86_400)
    }

    /// A value of a configuration that cannot be.
    public typealias ConfigurationError = InvalidConfiguration
}
