// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DialtoneServer

struct BudgetTests {
    /// The amounts reserved in sequence from a budget of ten, and the expected results.
    static let takings: [([Int], [Bool])] = [
        ([10], [true]), ([10, 1], [true, false]), ([4, 6, 1], [true, true, false]), ([4, 7, 6], [true, false, true]),
        ([11], [true]), ([11, 1], [true, false]), ([1, 10], [true, false]), ([.max, 1], [true, false]),
    ]

    @Test(arguments: takings)
    func `the budget is limited, but a single user may exceed it`(amounts: [Int], got: [Bool]) {
        let budget = Budget(10)
        #expect(amounts.map { budget.reserve($0) } == got)
        for (amount, isTaken) in zip(amounts, got) where isTaken { budget.release(amount) }
        #expect(budget.reserve(10))
        #expect(!budget.reserve(1))
    }
}
