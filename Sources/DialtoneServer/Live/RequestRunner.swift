// SPDX-License-Identifier: Apache-2.0

package import Dialtone
package import SystemSupport

/// Performs the request that a visitor starts, and waits while there is no connectivity.
///
/// There is only one request at a time; starting another one joins it.
package final class RequestRunner: Sendable {
    private struct State {
        var progress = RequestProgress()
        /// The progress before the request in progress, which is restored if that is cancelled.
        var before = RequestProgress()
        var task: Task<Void, Never>?
        var number: UInt64 = 0
    }

    private let state = Mutex(State())
    private let queue = DeliveryQueue<RequestProgress>()
    private let policy: WaitingPolicy
    private let time: TimeSource
    private let onChange: @Sendable (RequestProgress) -> Void

    /// Creates a runner.
    ///
    /// - Parameter onChange: called with each step, in order; must return quickly.
    package init(time: TimeSource = .system, onChange: @escaping @Sendable (RequestProgress) -> Void) {
        self.time = time
        policy = WaitingPolicy(
            .path, deadline: .seconds(600), maximumAttempts: 3,
            backoff: WaitingPolicy.Backoff(first: .seconds(1), longest: .seconds(4)), isIdempotent: true)
        self.onChange = onChange
    }

    /// The progress of the request, or of the last one.
    package var progress: RequestProgress { state.withLock { $0.progress } }

    /// Starts the request, unless one is in progress.
    package func start(_ request: any RequestPerformer, in room: WaitingRoom, monitor: ConnectivityMonitor) {
        state.withLock { state in
            guard !state.progress.isUnderWay else { return }
            state.number += 1
            state.before = state.progress
            state.progress = RequestProgress(phase: .checking, began: time.moment.realtime)
            queue.append(state.progress)
            let number = state.number
            var policy = policy
            policy.level = Self.level(monitor.current)
            state.task = Task { [weak self, policy] in
                // The requester verifies a failure: a login page, or the certificate of one, is no answer of the server.
                let requester = NetworkRequester(monitor)
                var answer: RequestAnswer?
                let outcome: NetworkRequester.Outcome
                do throws(NetworkRequester.RequestError) {
                    outcome = try await requester.request(
                        to: request.server,
                        read: { _ in
                            if let mismatch = answer?.mismatch { throw mismatch }
                            return .delivered
                        },
                        send: {
                            let new = try await withConnectivity(policy, in: room) { reason in
                                self?.step(number) { progress, _ in progress.phase = .waiting(reason) }
                                return .keepWaiting
                            } operation: {
                                self?.step(number) { progress, _ in
                                    progress.phase = .checking
                                    progress.attempts += 1
                                }
                                return try await request.perform()
                            }
                            answer = new
                            return new.reply
                        })
                } catch {
                    // The monitor's check was cancelled, too, so the failure was not verified.
                    outcome = Task.isCancelled ? .cancelled : error.outcome
                }
                self?.finish(number, outcome, answer)
            }
        }
        queue.drain(onChange)
    }

    /// What the request waits for: a path, unless the Internet was proven without one, through a proxy.
    static func level(_ connectivity: Connectivity) -> WaitingPolicy.Level {
        connectivity.isOnline && connectivity.path.status != .satisfied ? .verified : .path
    }

    /// Cancels the request in progress.
    package func cancel() { state.withLock { $0.task }?.cancel() }

    private func finish(_ number: UInt64, _ outcome: NetworkRequester.Outcome, _ answer: RequestAnswer?) {
        let now = time.moment.realtime
        step(number) { progress, before in
            guard outcome != .cancelled else { return progress = before }
            progress.phase = .finished(outcome)
            progress.ended = now
            progress.status = answer?.reply.status
            progress.mismatch = outcome == .unexpectedBody ? answer?.mismatch : nil
        }
    }

    private func step(_ number: UInt64, _ change: (inout RequestProgress, _ before: RequestProgress) -> Void) {
        state.withLock { state in
            guard state.number == number else { return }
            let old = state.progress
            change(&state.progress, state.before)
            if state.progress != old { queue.append(state.progress) }
        }
        queue.drain(onChange)
    }
}

/// The progress of the request that a visitor started.
package struct RequestProgress: Hashable, Sendable {
    /// The phases; each request passes the first once, and ends with the last.
    package enum Phase: Hashable, Sendable {
        /// No request has been started yet.
        case unknown
        /// The request is in progress.
        case checking
        /// The request is waiting for this reason.
        case waiting(WaitingPolicy.Obstacle)
        case finished(NetworkRequester.Outcome)
    }

    package var phase = Phase.unknown
    /// The time when the request was started.
    package var began: Date?
    /// The time when the request finished.
    package var ended: Date?
    package var attempts = 0
    /// The status of the server's response.
    package var status: Int?
    /// The difference from the expected answer, if that is the problem.
    package var mismatch: AnswerMismatch?

    package init(phase: Phase = .unknown, began: Date? = nil) { (self.phase, self.began) = (phase, began) }

    /// The phase in terms a user understands: the states of a `NetworkRequester.Status`, and `waiting`.
    package enum Kind: String, Hashable, Sendable {
        case unknown, checking, waiting, online, offline, serverTrouble, failed
    }

    /// The phase in terms a user understands.
    package var kind: Kind {
        switch phase {
        case .unknown: .unknown
        case .checking: .checking
        case .waiting: .waiting
        case .finished(let outcome):
            switch NetworkRequester.Status.State(outcome) {
            case .online: .online
            case .offline: .offline
            case .serverTrouble: .serverTrouble
            case .failed: .failed
            // There is no state for a cancelled request.
            case nil, .unknown, .checking: .unknown
            }
        }
    }

    /// Whether the request is still in progress.
    package var isUnderWay: Bool { kind == .checking || kind == .waiting }
}

/// The data of the event `request`.
extension RequestProgress: Encodable {
    package func encode(to encoder: any Encoder) throws {
        let outcome: String? = if case .finished(let outcome) = phase { outcome.name } else { nil }
        try encoder.encode([
            "state": kind.rawValue, "outcome": outcome, "status": status, "attempts": attempts,
            "problem": mismatch?.advice.title,
            "began": began?.iso8601, "ended": ended?.iso8601,
        ])
    }
}
