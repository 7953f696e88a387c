// SPDX-License-Identifier: Apache-2.0

extension ConnectivityMonitor {
    /// The schedule of a monitor's checks, and its time limits.
    public struct Configuration: Hashable, Sendable {
        /// The conditions under which checks are repeated on a schedule.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Polling: Hashable, Sendable, CaseIterable {
            /// Repeats checks always: while the Internet is unreachable, with waits that double up to the interval;
            /// while it is reachable, at every interval.
            case always
            /// Repeats checks only while the Internet is unreachable, with waits that double up to the interval.
            case whileNotOnline
            /// Never repeats checks: only a new path, a reported failure or a request causes one.
            case never
        }

        /// Whether checks are repeated; `always` by default.
        public var polling: Polling
        /// How long a verdict counts before it is checked again, and the longest wait between attempts; 60 s by
        /// default.
        ///
        /// While the last verdict is `verified`, a check queries one operator, in turn, over HTTP and HTTPS. Suppose
        /// that a captive portal appears without a change of path, and lets some operators pass. The monitor then
        /// notices it after as many intervals as operators pass, plus one. A `ConnectivityMonitor.ReportedOutcome.proven` response to the
        /// app's own request postpones such a check by one interval, up to five intervals after the last check.
        public var interval: Duration
        /// The wait after the first failed check, doubled after each further one; 1 s by default.
        public var firstRetry: Duration
        /// The largest random share that is cut off each wait, from 0 to 1, so that many machines do not check in step;
        /// 0.1 by default.
        public var jitter: Double
        /// The minimum time from one check's start to the next check that is requested or provoked by a report; 1 s by
        /// default.
        ///
        /// A new path does not wait for this, unless it is the fourth within this time.
        public var checkSpacing: Duration
        /// When a check that has not answered is given up; 30 s by default, and never before the checker's own limit.
        ///
        /// A check of one operator has twice as long, because it may continue with a check of all.
        public var checkTimeLimit: Duration
        /// The time limit for the first value, which is then delivered as `unknown` or `unverified`; 3 s by default, 0
        /// delivers it at once.
        public var firstValueBound: Duration
        /// The shortest sleep of the machine after which the last verdict no longer counts; 5 s by default.
        public var sleepThreshold: Duration
        /// The packets between checks by which an outage is noticed within seconds; none by default.
        public var heartbeat: Heartbeat?

        /// Creates a configuration; omitted arguments have the documented defaults.
        public init(
            polling: Polling = .always, interval: Duration = .seconds(60), firstRetry: Duration = .seconds(1),
            jitter: Double = 0.1, checkSpacing: Duration = .seconds(1), checkTimeLimit: Duration = .seconds(30),
            firstValueBound: Duration = .seconds(3), sleepThreshold: Duration = .seconds(5),
            heartbeat: Heartbeat? = nil
        ) {
            self.polling = polling
            self.interval = interval
            self.firstRetry = firstRetry
            self.jitter = jitter
            self.checkSpacing = checkSpacing
            self.checkTimeLimit = checkTimeLimit
            self.firstValueBound = firstValueBound
            self.sleepThreshold = sleepThreshold
            self.heartbeat = heartbeat
        }

        /// Checks every value.
        ///
        /// - Throws: the first invalid value, with the reason.
        package func validate() throws(InvalidConfiguration) {
            try InvalidConfiguration.check(interval, "interval")
            try InvalidConfiguration.check(firstRetry, "firstRetry")
            try InvalidConfiguration.check(checkTimeLimit, "checkTimeLimit")
            try InvalidConfiguration.check(sleepThreshold, "sleepThreshold")
            try InvalidConfiguration.check(checkSpacing, "checkSpacing", mayBeZero: true)
            try InvalidConfiguration.check(firstValueBound, "firstValueBound", mayBeZero: true)
            try heartbeat?.validate()
            guard (0...1).contains(jitter) else {
                throw InvalidConfiguration("jitter", "must be from 0 to 1, not \(jitter)")
            }
        }
    }
}
