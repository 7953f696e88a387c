//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension WaitingRoom {
    /// How work is let go when the network is back, and how often it may be tried again.
    public struct Configuration: Hashable, Sendable {
        /// How much of the work that has waited may run at once; 32 unless changed.
        public var concurrencyLimit = 32
        /// Over how long work is let go, each at a random time; 0.5 s unless changed, 0 for at once.
        public var releaseSpread = Duration.milliseconds(500)
        /// How many retries there may be in a row while the network seems to be well; 50 unless changed, 0 for none.
        public var retryBudget = 50
        /// After how long one retry of the budget is earned anew; 1 s unless changed.
        public var retryRefillInterval = Duration.seconds(1)

        /// The usual values.
        public init() {}

        /// Finds the first value that cannot be.
        ///
        /// - Throws: which one, and why.
        public func validate() throws(WaitingPolicyError) {
            guard concurrencyLimit > 0 else {
                throw WaitingPolicyError("concurrencyLimit", "must be at least 1, not \(concurrencyLimit)")
            }
            if releaseSpread != .zero { try WaitingPolicyError.check(releaseSpread, "releaseSpread") }
            guard retryBudget >= 0 else {
                throw WaitingPolicyError("retryBudget", "must not be negative, as \(retryBudget) is")
            }
            try WaitingPolicyError.check(retryRefillInterval, "retryRefillInterval")
        }
    }
}
