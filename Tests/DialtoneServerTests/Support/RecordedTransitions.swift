// SPDX-License-Identifier: Apache-2.0

import Dialtone

@testable import DialtoneHistory

extension HistoryReader {
    /// The transitions on disk, in recording order.
    func transitions() async throws -> [HistoryTransition] {
        try await read { try Queries.transitions($0, after: 0, .max) }.compactMap { event in
            if case .transition(let transition) = event.content { transition } else { nil }
        }
    }
}
