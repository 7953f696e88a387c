//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// The connections that there are, and until when each may do what it is doing.
///
/// A connection that overstays is shut down, which ends whatever waits on it.
final class ConnectionTable: Sendable {
    private struct Entry {
        let descriptor: Int32
        var deadline: ContinuousClock.Instant?
        var isIdle = false
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var last: UInt64 = 0
        var isClosing = false
        var sweeper: Task<Void, Never>?
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// How many there are.
    var count: Int { state.withLock { $0.entries.count } }

    /// Whether the server is stopping.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Takes a connection in; nil when there are too many, or the server is stopping.
    func add(_ descriptor: Int32) -> UInt64? {
        state.withLock { state in
            guard !state.isClosing, state.entries.count < limit else { return nil }
            state.last += 1
            state.entries[state.last] = Entry(descriptor: descriptor)
            // It rests while there are no connections.
            if state.sweeper == nil { state.sweeper = Task { [weak self] in await self?.sweep() } }
            return state.last
        }
    }

    /// Says what a connection is doing, and how long it may take; nil is without limit.
    func allow(_ identifier: UInt64, _ time: Duration?, isIdle: Bool = false) {
        state.withLock { state in
            let limit = time.map { ContinuousClock.now + $0 }
            // While the server stops, nobody gets more time.
            let deadline = state.isClosing ? state.entries[identifier]?.deadline ?? limit : limit
            state.entries[identifier]?.deadline = deadline
            state.entries[identifier]?.isIdle = isIdle
        }
    }

    /// Forgets a connection; its descriptor may be closed after this.
    func remove(_ identifier: UInt64) { state.withLock { _ = $0.entries.removeValue(forKey: identifier) } }

    /// Ends the connections that rest now, and the others after a while.
    func close(grace: Duration) {
        state.withLock { state in
            state.isClosing = true
            for (identifier, entry) in state.entries {
                if entry.isIdle { Descriptors.shutDown(entry.descriptor) }
                state.entries[identifier]?.deadline = ContinuousClock.now + grace
            }
        }
    }

    private func sweep() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(250))
            let goesOn = state.withLock { state in
                let now = ContinuousClock.now
                // Under the lock, so that the descriptor is still this connection's.
                for entry in state.entries.values {
                    if let deadline = entry.deadline, deadline <= now { Descriptors.shutDown(entry.descriptor) }
                }
                if state.entries.isEmpty { state.sweeper = nil }
                return !state.entries.isEmpty
            }
            if !goesOn { return }
        }
    }
}
