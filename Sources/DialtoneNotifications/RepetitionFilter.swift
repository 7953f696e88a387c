// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Passes each value that differs from the previous one, and none after it is closed.
final class RepetitionFilter<News: Equatable & Sendable>: Sendable {
    private let state = Mutex<(last: News?, isClosed: Bool)>((nil, false))

    func passes(_ news: News) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.last != news else { return false }
            state.last = news
            return true
        }
    }

    func close() { state.withLock { $0.isClosed = true } }
}
