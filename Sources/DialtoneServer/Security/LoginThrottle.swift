// SPDX-License-Identifier: Apache-2.0

import Logging
import SystemSupport

/// Delays the responses to wrong tokens.
///
/// The right token is always accepted at once, so that wrong guesses cannot lock anyone out. The number of delayed
/// responses is bounded, because each holds a connection; wrong tokens beyond it are refused at once. The bound is one for
/// all clients, because behind a reverse proxy all of them have the same address.
final class LoginThrottle: Sendable {
    enum Attempt: Hashable, Sendable {
        case right
        /// The caller must call ``LoginThrottle/delay()`` before it responds.
        case wrong
        /// The token is wrong, and too many responses are delayed already.
        case refused
    }

    private struct State {
        var pending = 0
        var failures = 0
        var logLimit = RateLimit(burst: 10, interval: .seconds(6))
    }

    private let pause: Duration
    private let limit: Int
    private let logger: Logger
    private let time: TimeSource
    private let state = Mutex(State())

    /// - Parameters:
    ///   - delay: the time before the response to a wrong token.
    ///   - limit: the maximum number of delayed responses at a time, of all clients together.
    init(delay: Duration, limit: Int, logger: Logger, time: TimeSource = .system) {
        pause = delay
        self.limit = limit
        self.logger = logger
        self.time = time
    }

    var failures: Int { state.withLock { $0.failures } }

    /// Checks a token.
    ///
    /// - Parameters:
    ///   - isRight: whether the token is the right one.
    ///   - way: how the token was sent, for the log.
    func attempt(isRight: Bool, by way: String) -> Attempt {
        guard !isRight else { return .right }
        let (attempt, isLogged) = state.withLock { state -> (Attempt, Bool) in
            let attempt: Attempt = state.pending < limit ? .wrong : .refused
            if attempt == .wrong { state.pending += 1 }
            state.failures += 1
            return (attempt, state.logLimit.allows(at: time.now))
        }
        if isLogged { logger.warning("login refused", metadata: ["by": "\(way)"]) }
        return attempt
    }

    /// Waits for the delay of a wrong token.
    func delay() async {
        try? await time.sleep(for: pause)
        state.withLock { $0.pending -= 1 }
    }
}
