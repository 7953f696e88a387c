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

    /// The progress of the request, or of the last one.
    var progress: RequestProgress { state.withLock { $0.progress } }

    /// Starts the request, unless one is in progress.
    func start(_ request: any RequestPerformer, in room: WaitingRoom, monitor: ConnectivityMonitor) {
        state.withLock { state in
            guard !state.progress.isUnderWay else { return }
            state.number += 1
            state.before = state.progress
            state.progress = RequestProgress(phase: .checking, began: .now)
            onChange(state.progress)
            let number = state.number
            var policy = policy
            policy.level = Self.level(monitor.current)
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

    /// What the request waits for: a path, unless the Internet was proven without one, through a proxy.
    static func level(_ connectivity: Connectivity) -> WaitingPolicy.Level {
        connectivity.isOnline && connectivity.path.status != .satisfied ? .verified : .path
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

/// Performs the request of the button.
protocol RequestPerformer: Sendable {
    /// Performs the request once.
    ///
    /// - Returns: the status of the response.
    /// - Throws: `RequestFailure` if there is no response.
    func perform() async throws -> Int
}

/// A request for a URL, over the same restricted HTTP that checks use: limited time and size, no cookies, no redirects.
struct PlainRequest: RequestPerformer {
    private let check: InternetCheck

    /// Creates a request for a URL.
    ///
    /// - Throws: if the URL is invalid.
    init(
        _ url: String, proxies: InternetCheck.Configuration.Proxies = .bypass, timeout: Duration = .seconds(10)
    ) throws(ServerError) {
        var configuration = InternetCheck.Configuration(
            endpoints: [.init(url, expecting: .custom("an answer") { _ in true }, isPublic: false)],
            proxies: proxies, captivePortalAPI: .off)
        configuration.timeouts.total = timeout
        do throws(InternetCheck.ConfigurationError) {
            check = try InternetCheck(configuration)
        } catch {
            // The part before an @ may be a password, which must not appear in a log.
            throw ServerError(.badHost, (url.contains("@") ? "the URL " : "'\(url)' ") + error.problem)
        }
    }

    func perform() async throws -> Int {
        let report = await check.run()
        guard let evidence = report.endpoints.first else { throw RequestFailure(.unknown) }
        if let status = evidence.status, evidence.error == nil { return status }
        throw RequestFailure(evidence.error?.code.failure ?? .unknown)
    }
}

extension ProbeError.Code {
    /// The corresponding failure of a request.
    fileprivate var failure: RequestFailure.Kind {
        switch self {
        case .hostNotFound, .noAddress, .nameServerFailure: .nameNotFound
        case .refused, .unreachable: .cannotConnect
        case .timedOut: .timedOut
        case .connectionLost: .connectionLost
        case .untrustedCertificate, .wrongCertificateName, .invalidCertificate, .tlsFailure: .tlsFailure
        case .notPermitted: .notAllowed
        case .cancelled: .cancelled
        default: .unknown
        }
    }
}

/// The progress of the request that a visitor started.
struct RequestProgress: Hashable, Sendable {
    /// The phases; each request passes the first once, and ends with the last.
    enum Phase: Hashable, Sendable {
        /// No request has been started yet.
        case unknown
        /// The request is in progress.
        case checking
        /// The request is waiting for this reason.
        case waiting(WaitReason)
        /// The request is finished.
        case finished(RequestOutcome)
    }

    /// The current phase.
    var phase = Phase.unknown
    /// The time when the request was started.
    var began: Date?
    /// The time when the request finished.
    var ended: Date?
    /// The number of attempts.
    var attempts = 0
    /// The status of the server's response.
    var status: Int?

    /// The phase in terms a user understands: the states of a `RequestStatus`, and `waiting`.
    enum Kind: String, Hashable, Sendable {
        case unknown, checking, waiting, online, offline, serverTrouble, failed
    }

    /// The phase in terms a user understands.
    var kind: Kind {
        switch phase {
        case .unknown: .unknown
        case .checking: .checking
        case .waiting: .waiting
        case .finished(let outcome):
            switch RequestStatus.State(outcome) {
            case .online: .online
            case .offline: .offline
            case .serverTrouble: .serverTrouble
            case .failed: .failed
            // A cancelled request has no state of its own.
            case nil, .unknown, .checking: .unknown
            }
        }
    }

    /// Whether the request is still in progress.
    var isUnderWay: Bool { kind == .checking || kind == .waiting }
}

/// The data of the event `request`.
extension RequestProgress: Encodable {
    func encode(to encoder: any Encoder) throws {
        let outcome: String? = if case .finished(let outcome) = phase { outcome.code.rawValue } else { nil }
        try encoder.encode([
            "state": kind.rawValue, "outcome": outcome, "status": status, "attempts": attempts,
            "began": began?.iso8601, "ended": ended?.iso8601,
        ])
    }
}
