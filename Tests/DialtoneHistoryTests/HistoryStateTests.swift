//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import DialtoneHistory
import Testing

struct HistoryStateTests {
    @Test(arguments: ConnectivityState.allCases)
    func `every state of the machine has one of the history, spelled the same`(state: ConnectivityState) {
        #expect(HistoryState(state).rawValue == state.rawValue)
        #expect(HistoryState(state).isWatched)
    }

    @Test func `the order of severity has every state once, and every outage before what is none`() {
        #expect(Set(HistoryState.bySeverity) == Set(HistoryState.allCases))
        #expect(HistoryState.bySeverity.count == HistoryState.allCases.count)
        #expect(HistoryState.bySeverity.prefix(4).allSatisfy { $0.standing == .down })
        #expect(HistoryState.bySeverity.dropFirst(4).allSatisfy { $0.standing != .down })
    }
}
