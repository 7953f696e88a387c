// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dialtone
import Synchronization
import SystemSupport

/// Watches whether the connection of a request in flight can still carry packets.
///
/// The facts about a transfer can be read only on the task's queue, so the watch requests each inspection: at first at
/// growing intervals, because most requests end soon, and once it knows the connection, when that has been lost for the
/// limit.
final class ConnectionLossWatch: Sendable {
    private struct State {
        var loss = ConnectionLoss()
        var inspections = 0
        /// The connection that is watched; nil before it is known.
        var connection: TransferFacts.Connection?
    }

    private let state = Mutex(State())
    private let subscription = CancellationSlot()
    private let timer = CancellationSlot()
    private let limit: Duration
    private let time: TimeSource
    private let requestInspection: @Sendable () -> Bool

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - limit: the time without a way for packets after which a connection is lost for good.
    ///   - time: the clocks.
    ///   - requestInspection: leads to a call of `isLost(_:)`, unless it returns false because the task is suspended.
    init(limit: Duration, time: TimeSource, requestInspection: @escaping @Sendable () -> Bool) {
        self.limit = limit
        self.time = time
        self.requestInspection = requestInspection
        inspectLater()
    }

    func cancel() {
        state.withLock { $0 = State() }
        subscription.end()
        timer.end()
    }

    /// Whether the current connection has been lost for the limit; a connection that is not known yet is then watched.
    func isLost(_ facts: TransferFacts) -> Bool {
        let now = time.moment.monotonic
        let isLost: Bool? = state.withLock { state in
            state.connection == facts.connection ? state.loss.remaining(of: limit, at: now) == .zero : nil
        }
        if let isLost { return isLost }
        // The request has not been sent yet.
        guard facts.sentBytes > 0, let local = facts.localAddress, let remote = facts.remoteAddress else {
            inspectLater()
            return false
        }
        if HostEnvironment.canWatchConnection(from: local, to: remote) {
            watch(facts.connection, from: local, to: remote)
        }
        return false
    }

    private func watch(_ connection: TransferFacts.Connection, from local: NetworkAddress, to remote: NetworkAddress) {
        state.withLock { $0 = State(inspections: $0.inspections, connection: connection) }
        timer.set(nil)
        subscription.set(
            HostEnvironment.watchConnection(from: local, to: remote) { [weak self] isCarried in
                self?.connectionChanged(connection, isCarried)
            }.cancel)
    }

    private func connectionChanged(_ connection: TransferFacts.Connection, _ isCarried: Bool) {
        let now = time.moment.monotonic
        let hasChanged = state.withLock { state in
            state.connection == connection && state.loss.update(isCarried: isCarried, at: now)
        }
        if hasChanged { setTimer(isCarried ? nil : time.moment.boottime + limit) }
    }

    private func inspectLater() {
        let inspections = state.withLock { state in
            state.inspections += 1
            return state.inspections
        }
        setTimer(time.moment.boottime + .seconds(1 << min(inspections - 1, 5)))
    }

    private func setTimer(_ elapsed: Duration?) {
        timer.set(elapsed.map { time.call(at: $0) { [weak self] in self?.timerFired() } })
    }

    private func timerFired() {
        let now = time.moment
        // The time during which the machine slept does not count.
        let remaining = state.withLock { $0.loss.remaining(of: limit, at: now.monotonic) } ?? .zero
        if remaining > .zero {
            setTimer(now.boottime + remaining)
        } else if !requestInspection() {
            inspectLater()
        }
    }
}

/// The time for which a connection has been unable to carry packets, without the machine's sleep.
struct ConnectionLoss: Hashable, Sendable {
    private var lostAt: Duration?

    /// Records whether the connection can carry packets.
    ///
    /// - Returns: whether that is a change.
    mutating func update(isCarried: Bool, at now: Duration) -> Bool {
        guard isCarried != (lostAt == nil) else { return false }
        lostAt = isCarried ? nil : now
        return true
    }

    /// The rest of a limit, at least zero; nil while the connection can carry packets.
    func remaining(of limit: Duration, at now: Duration) -> Duration? { lostAt.map { max(limit - (now - $0), .zero) } }
}

#endif
