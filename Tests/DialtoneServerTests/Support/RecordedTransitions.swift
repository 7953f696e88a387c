// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation

@testable import DialtoneHistory

extension HistoryReader {
    /// The transitions on disk, in recording order.
    func transitions() async throws -> [HistoryTransition] {
        try await read { try Queries.transitions($0, after: 0, .max) }.compactMap { event in
            if case .transition(let transition) = event.content { transition } else { nil }
        }
    }
}

extension TimelineOverview {
    /// Creates the overview of a window from recorded transitions, as `Timeline` does.
    init(
        from start: Date, to end: Date, transitions: [HistoryTransition], columns: Int, maximumSpans: Int = .max,
        maximumOutages: Int = .max, days: [Date] = []
    ) {
        var accumulator = TimelineAccumulator(from: start, to: end)
        WaitingRecords(records: transitions).forEach(after: 0) { accumulator.add($0) }
        self = accumulator.overview(
            columns: columns, maximumSpans: maximumSpans, maximumOutages: maximumOutages, days: days)
    }
}
