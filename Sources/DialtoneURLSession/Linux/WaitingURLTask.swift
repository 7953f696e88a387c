// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dialtone
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization
import SystemSupport

/// Decides when a task's loading starts, and whether it fails.
///
/// `ConnectivityURLProtocol` carries out the decisions, on the task's queue.
final class WaitingURLTask: Sendable {
    /// The step that the protocol performs when Foundation starts it.
    enum Step {
        /// Do nothing: the task waits, or has ended.
        case wait
        /// Create a loader and start it.
        case load
        /// Start the existing loader: the task was suspended.
        case resume
        /// End the task.
        case fail(URLError)
    }

    private struct State {
        var step = Step.wait
        var wait: ConnectivityWait
        var waiting: Task<Void, Never>?
        var place: UInt64?
        var cancelTimeout: TimeSource.Cancellation?
        /// The error of a task that Dialtone cancels itself; nil for any other cancellation.
        var endError: URLError?
        /// Whether the current loader has received a response.
        var hasResponse = false
        var hasEnded = false
        var lossWatch: ConnectionLossWatch?
    }

    private let state: Mutex<State>
    private let room = WaitingRoom.sessions
    private let task: URLSessionTask
    private let session: URLSession?
    private let isIdempotent: Bool
    private let waits: Bool
    private let lossLimit: Duration?
    private let perform: @Sendable () -> Void

    /// - Parameter perform: leads to a call of `nextStep()` on the task's queue, unless the task is suspended or has ended.
    init(
        _ task: URLSessionTask, of session: URLSession?, _ request: URLRequest, _ settings: ConnectivitySettings,
        perform: @escaping @Sendable () -> Void
    ) {
        self.perform = perform
        self.task = task
        self.session = session
        isIdempotent = request.isIdempotent
        waits = settings.waits
        lossLimit = settings.lossLimit
        let allowsCellular = session?.configuration.allowsCellularAccess ?? true
        let requirement = WaitRequirement(
            interfaces: InterfacePolicy(
                allowsCellular: allowsCellular && request.allowsCellularAccess,
                allowsExpensive: settings.allowsExpensive && request.allowsExpensiveNetworkAccess,
                allowsConstrained: settings.allowsConstrained && request.allowsConstrainedNetworkAccess,
                allowsUltraConstrained: settings.allowsUltraConstrained && request.allowsUltraConstrainedNetworkAccess))
        let url = request.url
        let contact = url.flatMap { HostTarget.contact(for: $0) }
        let wait = ConnectivityWait(requirement, room, contact: contact) { reason in
            guard let url else { return false }
            // If the policy forbids a path, the task must not use another route over the same interfaces.
            if case .notAllowed = reason { return await (try? HostTarget(url))?.isOnLink() ?? false }
            // Foundation itself reports the problem with a proxy that Dialtone cannot parse.
            return await contact?.hasRoute() ?? true
        }
        state = Mutex(State(wait: wait))
    }

    /// Starts handling the task, and starts the timer for `timeoutIntervalForResource`.
    ///
    /// If there is no obstacle, the task may load at once.
    func begin() {
        // Foundation's default is a week, which also applies if the session cannot be determined.
        let limit = session?.configuration.timeoutIntervalForResource ?? 604_800
        if limit > 0, limit < 1e9 {
            let cancel = room.time.call(at: room.time.moment.boottime + .seconds(limit)) { [weak self] in
                self?.end(with: .timedOut)
            }
            state.withLock { $0.cancelTimeout = cancel }
        }
        var wait = state.withLock { $0.wait }
        guard wait.passAtOnce() else { return startWait(after: nil) }
        state.withLock {
            $0.step = .load
            $0.wait = wait
        }
    }

    /// The step to perform now.
    func nextStep() -> Step {
        state.withLock { state in
            let step = state.step
            switch step {
            case .load:
                state.step = .resume
                state.hasResponse = false
            case .fail: state.step = .wait
            case .wait, .resume: break
            }
            return step
        }
    }

    /// The error of a task that was cancelled because of a time limit; nil for any other task.
    var endError: URLError? { state.withLock { $0.endError } }

    /// Records that the task has ended.
    func end() {
        let old = state.withLock { state in
            let old = state
            state.hasEnded = true
            state.step = .wait
            state.waiting = nil
            state.place = nil
            state.cancelTimeout = nil
            state.lossWatch = nil
            return old
        }
        old.waiting?.cancel()
        old.cancelTimeout?()
        old.lossWatch?.cancel()
        if let place = old.place { room.leave(place) }
    }

    // MARK: Waiting

    /// Waits until the task may load, if it may after a failure.
    private func startWait(after failed: FailedConnection?) {
        state.withLock { state in
            if !state.hasEnded { state.waiting = Task.detached { [self] in await pass(after: failed) } }
        }
    }

    private func pass(after failed: FailedConnection?) async {
        var wait = state.withLock { $0.wait }
        if let failed, await !wait.mayRetry(after: failed.failure) {
            if let end = wait.end { proceed(.fail(failed.error(end.failure, because: end.cause)), wait) }
            return
        }
        do {
            let place = try await wait.pass { _ in
                guard waits else { return .giveUpAsStale }
                notifyDelegate()
                return .keepWaiting
            }
            if !proceed(.load, wait, place) { room.leave(place) }
        } catch let error as WaitingError {
            if let obstacle = error.obstacle { proceed(.fail(URLError(obstacle)), wait) }
        } catch {}
    }

    private func notifyDelegate() {
        guard let session else { return }
        let candidates: [(any URLSessionDelegate)?] = [task.delegate, session.delegate]
        guard let delegate = candidates.lazy.compactMap({ $0 as? any URLSessionConnectivityDelegate }).first else {
            if let other = candidates.lazy.compactMap(\.self).first, Self.hasExplainedMissingConformance.set() {
                NSLog(
                    "%@",
                    "A URLSession task waits for connectivity, but its delegate \(type(of: other)) is not notified: on "
                        + "Linux it must conform to URLSessionConnectivityDelegate of DialtoneURLSession.")
            }
            return
        }
        session.delegateQueue.addOperation { [task] in
            delegate.urlSession(session, taskIsWaitingForConnectivity: task)
        }
    }

    /// Without Objective-C, a method of a delegate can be called only if a protocol declares it.
    private static let hasExplainedMissingConformance = OnceFlag()

    /// Ends the wait.
    ///
    /// - Returns: false if the task has ended.
    @discardableResult private func proceed(_ step: Step, _ wait: ConnectivityWait, _ place: UInt64? = nil) -> Bool {
        let hasEnded = state.withLock { state in
            guard !state.hasEnded else { return true }
            state.step = step
            state.wait = wait
            state.place = place
            return false
        }
        guard !hasEnded else { return false }
        // A suspended task performs the step when it is resumed.
        perform()
        return true
    }

    /// Cancels the task, and ends it with another error than `cancelled`.
    private func end(with code: URLError.Code) {
        let isUnderWay = state.withLock { state in
            guard !state.hasEnded, state.endError == nil else { return false }
            state.endError = URLError(describing: code)
            return true
        }
        guard isUnderWay else { return }
        // This must not run on the clock's thread or the task's queue, because cancelling waits for the task's queue.
        DispatchQueue.global().async { [task] in task.cancel() }
    }

    // MARK: Events of the loader

    /// Records a response: the request has started, so another one may start.
    func receivedResponse() {
        let place = state.withLock { state in
            state.hasResponse = true
            return state.place
        }
        if let place { room.release(place) }
    }

    /// Handles a failure of the loader.
    ///
    /// - Parameters:
    ///   - error: the loader's error.
    ///   - facts: the facts about its transfer, if they could be read.
    /// - Returns: the error that the task ends with; nil if the task keeps waiting.
    func error(for error: any Error, _ facts: TransferFacts?) -> (any Error)? {
        let (hasAnswer, wait, endError) = state.withLock { ($0.hasResponse, $0.wait, $0.endError) }
        // The loader follows redirects: the server that redirected the task has received its request.
        let isRedirected = task.currentRequest?.url != task.originalRequest?.url
        let lacksName = (error as? URLError)?.code == .cannotFindHost
        let obstacle = wait.obstacle ?? (lacksName ? wait.unannouncedObstacle : nil)
        let loading = FailedLoading(
            error: error, facts: facts, hasResponse: hasAnswer || isRedirected, isIdempotent: isIdempotent,
            mayWait: waits && task.state == .running,
            obstacle: obstacle ?? HostEnvironment.system.socketRefusal.map { .hostUnreachable($0) })
        let failed: FailedConnection
        switch endError.map({ .end($0) }) ?? loading.decision {
        case .end(let error):
            end()
            return error
        case .mayRetry(let connection): failed = connection
        }
        // The task is still establishing a connection.
        let (place, lossWatch) = state.withLock { state in
            defer {
                state.step = .wait
                state.place = nil
                state.lossWatch = nil
            }
            return (state.place, state.lossWatch)
        }
        if let place { room.leave(place) }
        lossWatch?.cancel()
        startWait(after: failed)
        return nil
    }

    // MARK: Loss of the network

    /// Records that a loader has started.
    func loadingBegan() {
        guard let lossLimit else { return }
        let watch = ConnectionLossWatch(limit: lossLimit, time: room.time) { [weak self] in
            self?.requestInspection() ?? true
        }
        let isOver = state.withLock { state in
            if !state.hasEnded { state.lossWatch = watch }
            return state.hasEnded
        }
        if isOver { watch.cancel() }
    }

    /// Lets the protocol inspect the transfer.
    ///
    /// - Returns: false for a suspended task.
    private func requestInspection() -> Bool {
        guard task.state == .running else { return false }
        perform()
        return true
    }

    /// Ends the task if the connection of its current transfer has been lost for the limit.
    func inspect(_ facts: TransferFacts?) {
        // Without facts, only a timeout ends the task.
        guard let facts, let watch = state.withLock({ $0.lossWatch }) else { return }
        if watch.isLost(facts) { end(with: .networkConnectionLost) }
    }
}

#endif
