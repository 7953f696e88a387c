// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The open connections: admits new ones within the limits for the server, for each client, and for each client's network.
///
/// Where there is no room, the connection that has waited longest for a request gives way, whether it is idle or has sent a part
/// of one. A connection whose request is being answered never does.
final class ConnectionTable: Sendable {
    private struct Entry {
        let close: @Sendable () -> Void
        var peer: Peer?
        /// Whether the limits count it.
        var isAdmitted = false
        /// Orders the connections by when they began to wait for a request or for the rest of one; nil while a request is being
        /// answered.
        var waitingSince: UInt64?
        /// Whether it was closed to make room and has not noticed it yet.
        var isEvicted = false
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// Numbers the connections, and their waits.
        var last: UInt64 = 0
        var isClosing = false
    }

    private let limits: ServerLimits
    private let state = Mutex(State())

    init(_ limits: ServerLimits) { self.limits = limits }

    /// Whether the server is stopping.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Registers a connection as soon as there is one, so that none is left open when the server stops.
    ///
    /// - Parameter close: closes the connection; called outside the lock.
    /// - Returns: an identifier; nil if the server is stopping.
    func add(_ close: @escaping @Sendable () -> Void) -> UInt64? {
        state.withLock { state in
            guard !state.isClosing else { return nil }
            state.last += 1
            state.entries[state.last] = Entry(close: close, waitingSince: state.last)
            return state.last
        }
    }

    /// Admits a connection to its client's share.
    ///
    /// - Returns: false, and the connection is removed, if no other one could be closed to make room, or the server is stopping.
    func admit(_ identifier: UInt64, from peer: Peer?) -> Bool {
        var evicted: [@Sendable () -> Void] = []
        let isAdmitted = state.withLock { state in
            let hasRoom = !state.isClosing && makeRoom(&state, for: peer, &evicted)
            if hasRoom {
                state.entries[identifier]?.peer = peer
                state.entries[identifier]?.isAdmitted = true
            } else {
                state.entries[identifier] = nil
            }
            return hasRoom
        }
        for close in evicted { close() }
        return isAdmitted
    }

    private func makeRoom(_ state: inout State, for peer: Peer?, _ evicted: inout [@Sendable () -> Void]) -> Bool {
        if let peer, !peer.isLoopback {
            guard
                Self.makeRoom(&state, limits.connectionsPerPeer, &evicted, { $0.peer == peer }),
                Self.makeRoom(&state, limits.connectionsPerNetwork, &evicted, { $0.peer?.network == peer.network })
            else { return false }
        }
        return Self.makeRoom(&state, limits.connections, &evicted) { _ in true }
    }

    private static func makeRoom(
        _ state: inout State, _ limit: Int, _ evicted: inout [@Sendable () -> Void], _ isCounted: (Entry) -> Bool
    ) -> Bool {
        // Search only a full table; it contains the new connection.
        guard state.entries.count > limit else { return true }
        let counted = state.entries.filter { $0.value.isAdmitted && !$0.value.isEvicted && isCounted($0.value) }
        guard counted.count >= limit else { return true }
        let waiting = counted.compactMap { identifier, entry in entry.waitingSince.map { (identifier, $0) } }
        guard let (longest, _) = waiting.min(by: { $0.1 < $1.1 }), let entry = counted[longest] else { return false }
        evicted.append(entry.close)
        state.entries[longest]?.isEvicted = true
        state.entries[longest]?.waitingSince = nil
        return true
    }

    /// Notes that a connection waits for a request, from now on, or that its request is being answered.
    func note(_ identifier: UInt64, isWaiting: Bool) {
        state.withLock { state in
            state.last += 1
            state.entries[identifier]?.waitingSince = isWaiting ? state.last : nil
        }
    }

    /// Removes a connection that was closed.
    func remove(_ identifier: UInt64) { state.withLock { _ = $0.entries.removeValue(forKey: identifier) } }

    /// Admits no further connection, and closes those that wait for a request.
    func close() {
        let waiting = state.withLock { state in
            state.isClosing = true
            return state.entries.values.filter { $0.waitingSince != nil }.map(\.close)
        }
        for close in waiting { close() }
    }

    func closeAll() {
        for close in state.withLock({ $0.entries.values.map(\.close) }) { close() }
    }
}
