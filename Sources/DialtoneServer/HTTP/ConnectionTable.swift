// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The open connections, each with a deadline for its current activity.
///
/// A connection that exceeds its deadline is shut down, which ends all operations waiting on it.
final class ConnectionTable: Sendable {
    private struct Entry {
        let descriptor: Int32
        let peer: Peer?
        var deadline: ContinuousClock.Instant?
        /// The time when it began to wait for a request; nil during a request.
        var idleSince: ContinuousClock.Instant?
        /// Whether it was closed to make room and has not noticed it yet.
        var isEvicted = false
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var last: UInt64 = 0
        var isClosing = false
        var sweeper: Task<Void, Never>?
    }

    private let limit: Int
    private let limitPerPeer: Int
    private let state = Mutex(State())

    init(limit: Int, perPeer limitPerPeer: Int) {
        self.limit = limit
        self.limitPerPeer = limitPerPeer
    }

    /// The number of connections.
    var count: Int { state.withLock { $0.entries.count } }

    /// Whether the server is stopping.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Registers a connection.
    ///
    /// If this client or the server has too many connections, the one that has been idle longest is closed.
    ///
    /// - Returns: nil if none could be closed, or the server is stopping.
    func add(_ descriptor: Int32, from peer: Peer? = nil) -> UInt64? {
        state.withLock { state in
            guard !state.isClosing else { return nil }
            if let peer, !peer.isLoopback {
                guard Self.makeRoom(&state, limitPerPeer, { $0.peer == peer }) else { return nil }
            }
            guard Self.makeRoom(&state, limit, { _ in true }) else { return nil }
            state.last += 1
            state.entries[state.last] = Entry(descriptor: descriptor, peer: peer, idleSince: .now)
            // The sweeper stops while there are no connections.
            if state.sweeper == nil { state.sweeper = Task { [weak self] in await self?.sweep() } }
            return state.last
        }
    }

    private static func makeRoom(_ state: inout State, _ limit: Int, _ isCounted: (Entry) -> Bool) -> Bool {
        // Search only a full table.
        guard state.entries.count >= limit else { return true }
        let counted = state.entries.filter { !$0.value.isEvicted && isCounted($0.value) }
        guard counted.count >= limit else { return true }
        let idle = counted.compactMap { identifier, entry in entry.idleSince.map { (identifier, $0) } }
        guard let (longest, _) = idle.min(by: { $0.1 < $1.1 }), let entry = counted[longest] else { return false }
        Descriptors.shutDown(entry.descriptor)
        state.entries[longest]?.isEvicted = true
        state.entries[longest]?.idleSince = nil
        return true
    }

    /// Sets a connection's current activity and its time limit; nil means no limit.
    func allow(_ identifier: UInt64, _ time: Duration?, isIdle: Bool = false) {
        state.withLock { state in
            let limit = time.map { ContinuousClock.now + $0 }
            // While the server is stopping, no connection gets more time.
            let deadline = state.isClosing ? state.entries[identifier]?.deadline ?? limit : limit
            state.entries[identifier]?.deadline = deadline
            state.entries[identifier]?.idleSince = isIdle ? .now : nil
        }
    }

    /// Removes a connection; its descriptor may be closed afterwards.
    func remove(_ identifier: UInt64) { state.withLock { _ = $0.entries.removeValue(forKey: identifier) } }

    /// Closes idle connections now, and the others after a grace period.
    func close(grace: Duration) {
        state.withLock { state in
            state.isClosing = true
            for (identifier, entry) in state.entries {
                if entry.idleSince != nil { Descriptors.shutDown(entry.descriptor) }
                state.entries[identifier]?.deadline = ContinuousClock.now + grace
            }
        }
    }

    private func sweep() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(250))
            let goesOn = state.withLock { state in
                let now = ContinuousClock.now
                // Under the lock, so that the descriptor still belongs to this connection.
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
