// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneSupport
import Synchronization

/// Performs the request that a visitor starts, and waits while there is no connectivity.
///
/// There is only one request at a time; starting another one joins it.
final class RequestRunner: Sendable {
    private struct State {
        var progress = RequestProgress()
        /// The progress before the request in progress, which is restored if that is cancelled.
        var before = RequestProgress()
        var task: Task<Void, Never>?
        var number: UInt64 = 0
    }

    private let state = Mutex(State())
    private let policy: WaitingPolicy
    private let onChange: @Sendable (RequestProgress) -> Void

    /// Creates a runner.
    ///
    /// - Parameter onChange: called with each step, in order; must return quickly.
    init(patience: Duration = .seconds(600), onChange: @escaping @Sendable (RequestProgress) -> Void) {
        policy = WaitingPolicy(
            .path, deadline: patience, maximumAttempts: 3,
            backoff: Backoff(first: .seconds(1), longest: .seconds(4)), isIdempotent: true)
        self.onChange = onChange
    }

    /// Starts the request, unless one is in progress.
    func start(_ request: any RequestPerformer, in room: WaitingRoom, monitor: ConnectivityMonitor) {
        state.withLock { state in
            guard !state.progress.isUnderWay else { return }
            state.number += 1
            state.before = state.progress
            state.progress = RequestProgress(phase: .checking, began: .now)
            onChange(state.progress)
            let number = state.number
            state.task = Task { [weak self, policy] in
                let result: Result<Int, any Error>
                do {
                    result = .success(
                        try await withConnectivity(policy, in: room) { reason in
                            self?.step(number) { progress, _ in progress.phase = .waiting(reason) }
                            return .keepWaiting
                        } operation: {
                            self?.step(number) { progress, _ in
                                progress.phase = .checking
                                progress.attempts += 1
                            }
                            return try await request.perform()
                        })
                } catch {
                    result = .failure(error)
                }
                self?.finish(number, result, monitor)
            }
        }
    }

    /// Cancels the request in progress.
    func cancel() { state.withLock { $0.task }?.cancel() }

    private func finish(_ number: UInt64, _ result: Result<Int, any Error>, _ monitor: ConnectivityMonitor) {
        let connectivity = monitor.current
        let outcome =
            switch result {
            case .success(let status): RequestOutcome(status: status, in: connectivity.state)
            case .failure(let error): RequestOutcome(RequestFailure(error), in: connectivity)
            }
        if let report = outcome.report { monitor.report(report) }
        step(number) { progress, before in
            guard outcome != .cancelled else { return progress = before }
            progress.phase = .finished(outcome)
            progress.ended = .now
            if case .success(let status) = result { progress.status = status }
        }
    }

    private func step(_ number: UInt64, _ change: (inout RequestProgress, _ before: RequestProgress) -> Void) {
        state.withLock { state in
            guard state.number == number else { return }
            let old = state.progress
            change(&state.progress, state.before)
            // Under the lock, so that steps are reported in order.
            if state.progress != old { onChange(state.progress) }
        }
    }
}
