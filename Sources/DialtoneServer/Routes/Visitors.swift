//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// What is remembered of visitors: who has logged in, and how often things were done.
final class Visitors: Sendable {
    private struct State {
        var sessions = Sessions()
        var wrongTokens = RateLimit(burst: 10, interval: .seconds(6))
        var requests = RateLimit(burst: 6, interval: .seconds(2))
        var hosts = RateLimit(burst: 5, interval: .seconds(10))
        var scenes = RateLimit(burst: 20, interval: .milliseconds(500))
    }

    private let state = Mutex(State())

    /// Something that may not be done too often, by all visitors together.
    enum Deed { case wrongToken, request, host, scene }

    /// Whether it may be done now; counts it if so.
    func may(_ deed: Deed) -> Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            return switch deed {
            case .wrongToken: state.wrongTokens.allows(at: now)
            case .request: state.requests.allows(at: now)
            case .host: state.hosts.allows(at: now)
            case .scene: state.scenes.allows(at: now)
            }
        }
    }

    /// Whether a word is that of a session.
    @Sendable func hasSession(_ word: String) -> Bool {
        state.withLock { $0.sessions.contains(word, at: .now) }
    }

    /// Ends a session.
    func endSession(_ word: String) { state.withLock { $0.sessions.end(word) } }

    /// Begins a session.
    func beginSession() -> String {
        state.withLock { $0.sessions.begin(at: .now, random: SystemRandomNumberGenerator()) }
    }
}
