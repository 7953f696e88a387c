// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Passes each value that differs from the previous one, and none after it is closed.
final class RepetitionFilter<Update: Equatable & Sendable>: Sendable {
    private let state = Mutex<(last: Update?, isClosed: Bool)>((nil, false))

    func passes(_ update: Update) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.last != update else { return false }
            state.last = update
            return true
        }
    }

    func close() { state.withLock { $0.isClosed = true } }
}
