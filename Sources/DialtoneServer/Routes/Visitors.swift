// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state kept about visitors: their sessions, and the rates of their actions.
final class Visitors: Sendable {
    private struct State {
        var sessions = Sessions()
        var requests = RateLimit(burst: 6, interval: .seconds(2))
        var hosts = RateLimit(burst: 5, interval: .seconds(10))
        var scenes = RateLimit(burst: 20, interval: .milliseconds(500))
    }

    private let state = Mutex(State())

    /// An action with a rate limit shared by all visitors.
    enum Action { case request, host, scene }

    /// Whether the action is allowed now; counts it if so.
    func allows(_ action: Action) -> Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            return switch action {
            case .request: state.requests.allows(at: now)
            case .host: state.hosts.allows(at: now)
            case .scene: state.scenes.allows(at: now)
            }
        }
    }

    /// Whether an identifier belongs to a session.
    @Sendable func hasSession(_ word: String) -> Bool {
        state.withLock { $0.sessions.contains(word, at: .now) }
    }

    /// Ends a session.
    func endSession(_ word: String) { state.withLock { $0.sessions.end(word) } }

    /// Begins a session and returns its identifier.
    func beginSession() -> String {
        state.withLock { $0.sessions.begin(at: .now, random: SystemRandomNumberGenerator()) }
    }
}
