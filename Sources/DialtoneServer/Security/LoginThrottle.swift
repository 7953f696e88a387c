// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// Limits how many tokens a client can try per second.
///
/// The response to a wrong token is delayed. While a client has several such responses pending, its further attempts
/// are refused without comparing the token: a different response would reveal the right token without delay. Attempts
/// from other clients are not affected.
final class LoginThrottle: Sendable {
    /// The result of an attempt.
    enum Attempt: Hashable, Sendable {
        case right
        /// The caller must call ``LoginThrottle/delay(_:)`` before it responds.
        case wrong
        /// The token was not compared.
        case refused
    }

    private struct State {
        var pending: [Peer?: Int] = [:]
        var failures: UInt64 = 0
        var logLimit = RateLimit(burst: 10, interval: .seconds(6))
        var unlogged: UInt64 = 0
    }

    private let time: Duration
    private let limit: Int
    private let summaryInterval: Duration
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - time: the delay before the response to a wrong token.
    ///   - limit: the number of delayed responses one client may have pending.
    ///   - summaryInterval: the interval after which failures without their own log line are logged as a count.
    init(time: Duration, limit: Int, summaryInterval: Duration = .seconds(60), logger: Logger) {
        self.time = time
        self.limit = limit
        self.summaryInterval = summaryInterval
        self.logger = logger
    }

    /// The number of failed attempts: wrong tokens, and attempts refused without a comparison.
    var failures: UInt64 { state.withLock { $0.failures } }

    /// Checks a token.
    ///
    /// - Parameters:
    ///   - peer: the client.
    ///   - way: how the token was sent, for the log.
    ///   - isRight: compares the token. It is called under the lock, so that parallel attempts are counted before they
    ///     are compared.
    func attempt(_ peer: Peer?, by way: String, _ isRight: () -> Bool) -> Attempt {
        let (attempt, isLogged, isFirstUnlogged) = state.withLock { state -> (Attempt, Bool, Bool) in
            let attempt: Attempt
            if state.pending[peer, default: 0] >= limit {
                attempt = .refused
            } else if isRight() {
                return (.right, false, false)
            } else {
                state.pending[peer, default: 0] += 1
                attempt = .wrong
            }
            state.failures += 1
            if state.logLimit.allows(at: .now) { return (attempt, true, false) }
            state.unlogged += 1
            return (attempt, false, state.unlogged == 1)
        }
        if isLogged { logger.warning("login refused", metadata: ["by": "\(way)"]) }
        if isFirstUnlogged { Task { await summarize() } }
        return attempt
    }

    /// Waits for the delay of a wrong token.
    func delay(_ peer: Peer?) async {
        try? await Task.sleep(for: time)
        state.withLock { state in
            let left = state.pending[peer, default: 1] - 1
            state.pending[peer] = left > 0 ? left : nil
        }
    }

    private func summarize() async {
        try? await Task.sleep(for: summaryInterval)
        let count = state.withLock { state in
            defer { state.unlogged = 0 }
            return state.unlogged
        }
        logger.warning("more logins refused", metadata: ["count": "\(count)"])
    }
}
