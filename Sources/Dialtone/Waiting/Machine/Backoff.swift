//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Waits that grow after every failure, each cut at random to anything between nothing and itself.
///
/// With the usual values the waits are at most 0.5, 1, 2, 4, … 60 s. Cutting all of it ("full jitter") spreads many clients
/// best over time.
public struct Backoff: Hashable, Sendable {
    /// The most that the first wait may take; 0.5 s unless changed.
    public var first: Duration
    /// The most that any wait may take; 60 s unless changed.
    public var longest: Duration
    /// How much longer each wait may be than the one before; 2 unless changed.
    public var factor: Double

    /// Makes a backoff.
    public init(
        first: Duration = .milliseconds(500), longest: Duration = .seconds(60), factor: Double = 2
    ) {
        self.first = first
        self.longest = longest
        self.factor = factor
    }

    /// Finds the first value that cannot be.
    ///
    /// - Throws: which one, and why.
    public func validate() throws(WaitingPolicyError) {
        try WaitingPolicyError.check(first, "backoff.first")
        try WaitingPolicyError.check(longest, "backoff.longest")
        guard first <= longest else {
            throw WaitingPolicyError("backoff.first", "\(first) is longer than backoff.longest, which is \(longest)")
        }
        guard factor >= 1, factor <= 1000 else {
            throw WaitingPolicyError("backoff.factor", "must be from 1 to 1000, not \(factor)")
        }
    }

    /// The most that a wait may take.
    ///
    /// - Parameter failures: how many attempts have failed; 1 and less is the first wait.
    public func limit(after failures: Int) -> Duration {
        var limit = min(first, longest)
        var remaining = min(max(failures, 1) - 1, 10_000)
        // With a factor of nearly 1 this could take long, and nobody waits for the ten-thousandth time.
        while remaining > 0, limit < longest {
            limit = min(limit * factor, longest)
            remaining -= 1
        }
        return limit
    }

    /// A wait.
    ///
    /// - Parameters:
    ///   - failures: how many attempts have failed; 1 and less is the first wait.
    ///   - random: a number from 0 up to 1.
    public func delay(after failures: Int, random: Double) -> Duration {
        limit(after: failures) * min(max(random, 0), 1)
    }
}
