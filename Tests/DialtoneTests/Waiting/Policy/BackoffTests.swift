// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Dialtone

/// The growth of waits, and their random shortening.
struct BackoffTests {
    @Test func `the default limits double up to a minute`() {
        let limits = (0...10).map { WaitingPolicy.Backoff().limit(after: $0) }
        #expect(
            limits
                == [500, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000].map {
                    Duration.milliseconds($0)
                })
        #expect(WaitingPolicy.Backoff().limit(after: .max) == .seconds(60))
        #expect(WaitingPolicy.Backoff().limit(after: .min) == .milliseconds(500))
    }

    @Test func `a factor of one keeps the wait constant, and a large factor stops at the longest wait`() {
        #expect(
            WaitingPolicy.Backoff(first: .seconds(1), longest: .seconds(5), factor: 1).limit(after: .max) == .seconds(1)
        )
        #expect(
            WaitingPolicy.Backoff(first: .seconds(1), longest: .seconds(5), factor: 1000).limit(after: 2) == .seconds(5)
        )
    }

    @Test func `waits are distributed over the whole range from zero to their limit`() {
        var generator = SeededGenerator(seed: 5)
        for failures in 1...12 {
            let limit = WaitingPolicy.Backoff().limit(after: failures)
            let delays = (0..<500).map { _ in
                WaitingPolicy.Backoff().delay(after: failures, random: Double.random(in: 0..<1, using: &generator))
            }
            #expect(delays.allSatisfy { $0 >= .zero && $0 <= limit })
            #expect(delays.contains { $0 < limit / 10 })
            #expect(delays.contains { $0 > limit / 10 * 9 })
        }
    }

    @Test(arguments: [-1.0, 0, 0.5, 1, 2, .infinity, -.infinity])
    func `an out-of-range random number is harmless`(random: Double) {
        let delay = WaitingPolicy.Backoff().delay(after: 3, random: random)
        #expect(delay >= .zero && delay <= .seconds(2))
    }
}

/// The budget for retries.
struct RetryBudgetTests {
    @Test func `the budget is spent, and refills over time`() {
        var budget = RetryBudget(capacity: 3, refillInterval: .seconds(2), at: .seconds(10))
        var answers: [Bool] = []
        for _ in 0..<4 { answers.append(budget.spend(at: .seconds(10))) }
        #expect(answers == [true, true, true, false])
        expect(&budget, false, at: .seconds(11))
        expect(&budget, true, at: .seconds(12))
        expect(&budget, false, at: .seconds(13))
        #expect(spendAll(&budget, at: .seconds(16)) == 2)
        #expect(spendAll(&budget, at: .seconds(1_000_000)) == 3)
    }

    @Test func `time with a full budget is not saved up`() {
        var budget = RetryBudget(capacity: 1, refillInterval: .seconds(10), at: .zero)
        expect(&budget, true, at: .seconds(1000))
        expect(&budget, false, at: .seconds(1009))
        expect(&budget, true, at: .seconds(1010))
    }

    @Test func `a quiet day refills no more than the capacity`() {
        var budget = RetryBudget(capacity: 3, refillInterval: .seconds(1), at: .zero)
        expect(&budget, true, at: .zero)
        #expect(spendAll(&budget, at: .seconds(86_400)) == 3)
    }

    @Test func `an empty budget allows no retry, and a clock that goes back is harmless`() {
        var none = RetryBudget(capacity: 0, refillInterval: .seconds(1), at: .zero)
        expect(&none, false, at: .seconds(100))
        var budget = RetryBudget(capacity: 1, refillInterval: .seconds(1), at: .seconds(50))
        expect(&budget, true, at: .seconds(50))
        expect(&budget, false, at: .seconds(20))
        expect(&budget, true, at: .seconds(51))
    }

    /// Spends every retry, and returns their number.
    private func spendAll(_ budget: inout RetryBudget, at now: Duration) -> Int {
        var spent = 0
        while spent < 100, budget.spend(at: now) { spent += 1 }
        return spent
    }

    private func expect(_ budget: inout RetryBudget, _ isSpent: Bool, at now: Duration) {
        let answer = budget.spend(at: now)
        #expect(answer == isSpent)
    }
}
