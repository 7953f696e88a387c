// SPDX-License-Identifier: Apache-2.0

extension WaitingRoom {
    /// Configures how waiting work is released when connectivity returns, and how often it may be retried.
    public struct Configuration: Hashable, Sendable {
        /// The number of operations that may be starting at once after they have waited; 32 by default.
        ///
        /// An operation has started when its first response has arrived or `WaitingRoom.markStarted()` is called, and
        /// `startLimit` after its release at the latest. Its total duration does not matter, so that endless requests
        /// do not block others.
        public var concurrencyLimit: Int
        /// The time after its release at which an operation counts as started; 3 s by default.
        public var startLimit: Duration
        /// The time over which waiting work is released, each operation at a random time; 0.5 s by default, 0 for at
        /// once.
        public var releaseSpread: Duration
        /// The number of consecutive retries allowed while the network seems to work; 50 by default, 0 for none.
        public var retryBudget: Int
        /// The time after which one retry of the budget becomes available again; 1 s by default.
        public var retryRefillInterval: Duration

        /// Creates a configuration; omitted arguments have the documented defaults.
        public init(
            concurrencyLimit: Int = 32, startLimit: Duration = .seconds(3),
            releaseSpread: Duration = .milliseconds(500), retryBudget: Int = 50,
            retryRefillInterval: Duration = .seconds(1)
        ) {
            self.concurrencyLimit = concurrencyLimit
            self.startLimit = startLimit
            self.releaseSpread = releaseSpread
            self.retryBudget = retryBudget
            self.retryRefillInterval = retryRefillInterval
        }

        /// Checks every value.
        ///
        /// - Throws: the first invalid value, with the reason.
        package func validate() throws(InvalidConfiguration) {
            guard concurrencyLimit > 0 else {
                throw InvalidConfiguration("concurrencyLimit", "must be at least 1, not \(concurrencyLimit)")
            }
            try InvalidConfiguration.check(startLimit, "startLimit")
            try InvalidConfiguration.check(releaseSpread, "releaseSpread", mayBeZero: true)
            guard retryBudget >= 0 else {
                throw InvalidConfiguration("retryBudget", "must not be negative, but is \(retryBudget)")
            }
            try InvalidConfiguration.check(retryRefillInterval, "retryRefillInterval")
        }
    }

    /// Replaces the configuration, also for work that is already waiting; the retry budget becomes full.
    ///
    /// - Throws: the first invalid value; the configuration is then unchanged.
    public func configure(_ configuration: Configuration) throws(InvalidConfiguration) {
        try configuration.validate()
        apply(configuration)
    }

    /// Reports that the current task's operation in `withConnectivity` has started, which releases its place in the
    /// room.
    ///
    /// Call it when an operation has its first response but continues for a long time, such as a download. Without the
    /// call, the place is released after `Configuration.startLimit`. The call has no effect outside `withConnectivity`.
    public static func markStarted() { for place in places { place.room.release(place.identifier) } }
}
