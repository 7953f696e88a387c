// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Testing

struct HistoryStateTests {
    @Test(arguments: ConnectivityState.allCases)
    func `every connectivity state has a history state with the same spelling`(state: ConnectivityState) {
        #expect(HistoryState(state).rawValue == state.rawValue)
        #expect(HistoryState(state).isWatched)
    }

    @Test func `the severity order has every state once, with the outage states first`() {
        #expect(Set(HistoryState.bySeverity) == Set(HistoryState.allCases))
        #expect(HistoryState.bySeverity.count == HistoryState.allCases.count)
        #expect(HistoryState.bySeverity.prefix(5).allSatisfy { $0.availability == .down })
        #expect(HistoryState.bySeverity.dropFirst(5).allSatisfy { $0.availability != .down })
    }
}
