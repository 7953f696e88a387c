// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dialtone
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// Decides when a task's loading starts, and whether it fails.
///
/// `ConnectivityURLProtocol` carries out the decisions, on the task's queue. Only Foundation can run code there, but
/// resuming a running task makes Foundation start the protocol again: this is how a decision reaches the queue.
final class WaitingURLTask: Sendable {
    /// The step that the protocol performs when Foundation starts it.
    enum Step {
        /// Do nothing yet.
        case wait
        /// Create a loader and start it.
        case load
        /// Start the existing loader: the task was suspended.
        case resume
        /// End the task.
        case fail(URLError)
        /// Do nothing: the task has ended.
        case rest
    }

    private struct State {
        var step = Step.wait
        var place: UInt64?
        var wait: Task<Void, Never>?
        var cancelTimeout: MonitorTime.Cancellation?
        /// Watches for a route of the host's own while the task waits.
        var routeWatch: UpdateSubscription?
        var isTimedOut = false
        var hasNotified = false
        /// Whether the host needs no path to the Internet, so that a missing path does not explain its failures.
        var hasOwnRoute = false
        /// Whether the current loader has received a response.
        var hasResponse = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let room = WaitingRoom.sessions
    private let task: URLSessionTask
    private let session: URLSession?
    private let url: URL?
    private let waits: Bool
    private let requirement: WaitRequirement

    init(_ task: URLSessionTask, of session: URLSession?, _ request: URLRequest, _ settings: ConnectivitySettings) {
        self.task = task
        self.session = session
        url = request.url
        waits = settings.waits
        let allowsCellular = session?.configuration.allowsCellularAccess ?? true
        requirement = WaitRequirement(
            interfaces: InterfacePolicy(
                allowsCellular: allowsCellular && request.allowsCellularAccess,
                allowsExpensive: settings.allowsExpensive && request.allowsExpensiveNetworkAccess,
                allowsConstrained: settings.allowsConstrained && request.allowsConstrainedNetworkAccess,
                allowsUltraConstrained: request.allowsUltraConstrainedNetworkAccess))
    }

    /// Starts handling the task, and starts the timer for `timeoutIntervalForResource`.
    func begin() {
        // Foundation's default is a week, which also applies if the session cannot be determined.
        let limit = session?.configuration.timeoutIntervalForResource ?? 604_800
        if limit > 0, limit < 1e9 {
            let cancel = room.time.call(at: room.time.now.elapsed + .seconds(limit)) { [weak self] in self?.timeOut() }
            state.withLock { $0.cancelTimeout = cancel }
        }
        enter()
    }

    /// The step to perform now.
    func nextStep() -> Step {
        state.withLock { state in
            let step = state.step
            switch step {
            case .load:
                state.step = .resume
                state.hasResponse = false
            case .fail: state.step = .rest
            case .wait, .resume, .rest: break
            }
            return step
        }
    }

    /// Whether the task was cancelled because it exceeded its timeout.
    var isTimedOut: Bool { state.withLock { $0.isTimedOut } }

    /// Records that the task has ended.
    func end() {
        let (place, wait, cancelTimeout, routeWatch) = state.withLock { state in
            defer {
                state.hasEnded = true
                state.step = .rest
                (state.place, state.wait, state.cancelTimeout, state.routeWatch) = (nil, nil, nil, nil)
            }
            return (state.place, state.wait, state.cancelTimeout, state.routeWatch)
        }
        wait?.cancel()
        cancelTimeout?()
        routeWatch?.cancel()
        if let place { room.leave(place) }
    }

    // MARK: Waiting

    private func enter() {
        let place = room.enter(requirement, deadline: nil)
        let wait = Task.detached { [self] in await untilAdmitted(place) }
        let isOver = state.withLock { state in
            if !state.hasEnded { (state.place, state.wait) = (place, wait) }
            return state.hasEnded
        }
        if isOver {
            wait.cancel()
            room.leave(place)
        }
    }

    private func untilAdmitted(_ place: UInt64) async {
        while true {
            switch await room.next(place) {
            case .admitted: return proceed(.load)
            case .waiting(let reason):
                if await hasOwnRoute(despite: reason) {
                    state.withLock { $0.hasOwnRoute = true }
                    return proceed(.load)
                }
                guard waits else { return proceed(.fail(URLError(reason))) }
                notifyDelegate()
                watchOwnRoute()
            case .cancelled, .expired: return
            }
        }
    }

    /// Whether there is a route to the task's host, or to its proxy, although there is no path to the Internet.
    private func hasOwnRoute(despite reason: WaitReason) async -> Bool {
        guard let url else { return false }
        // If the policy forbids a path, the task must not use another route over the same interfaces.
        if case .notAllowed = reason { return await (try? HostTarget(url))?.isOnLink() ?? false }
        // Foundation itself reports the problem with a proxy that Dialtone cannot parse.
        return await HostTarget.contact(for: url)?.hasRoute() ?? true
    }

    /// Starts the task also when a route to its host, or to its proxy, appears without a path to the Internet.
    private func watchOwnRoute() {
        guard state.withLock({ $0.routeWatch == nil }), let url, let host = HostTarget.contact(for: url)?.host else {
            return
        }
        let watch = HostEnvironment.live.watchRoutes(to: [host]) { [weak self] routes in
            guard !routes.isEmpty else { return }
            Task.detached { [weak self] in await self?.loadIfOwnRoute() }
        }
        let isWaiting = state.withLock { state in
            guard !state.hasEnded, case .wait = state.step else { return false }
            state.routeWatch = watch
            return true
        }
        if !isWaiting { watch.cancel() }
    }

    private func loadIfOwnRoute() async {
        guard let reason = room.obstacle(to: requirement), await hasOwnRoute(despite: reason),
            // If a path has appeared meanwhile, the task waits for its turn.
            room.obstacle(to: requirement) != nil
        else { return }
        state.withLock { $0.hasOwnRoute = true }
        proceed(.load)
    }

    private func notifyDelegate() {
        let isFirst = state.withLock { state in
            defer { state.hasNotified = true }
            return !state.hasNotified && !state.hasEnded
        }
        guard isFirst, let session else { return }
        let candidates: [(any URLSessionDelegate)?] = [task.delegate, session.delegate]
        guard let delegate = candidates.lazy.compactMap({ $0 as? any URLSessionConnectivityDelegate }).first else {
            if let other = candidates.lazy.compactMap(\.self).first { Self.explainMissingConformance(of: other) }
            return
        }
        session.delegateQueue.addOperation { [task] in
            delegate.urlSession(session, taskIsWaitingForConnectivity: task)
        }
    }

    private static let hasExplained = Atomic(false)

    /// Logs, once in the process, why a delegate is not notified of a wait.
    ///
    /// Without Objective-C, a method of a delegate can be called only if a protocol declares it.
    private static func explainMissingConformance(of delegate: any URLSessionDelegate) {
        guard !hasExplained.exchange(true, ordering: .relaxed) else { return }
        NSLog(
            "%@",
            "A URLSession task waits for connectivity, but its delegate \(type(of: delegate)) is not notified: on Linux "
                + "it must conform to URLSessionConnectivityDelegate of DialtoneURLSession.")
    }

    private func proceed(_ step: Step) {
        let (mayProceed, routeWatch) = state.withLock { state -> (Bool, UpdateSubscription?) in
            guard !state.hasEnded, case .wait = state.step else { return (false, nil) }
            state.step = step
            defer { state.routeWatch = nil }
            return (true, state.routeWatch)
        }
        routeWatch?.cancel()
        // A suspended task performs the step when it is resumed.
        if mayProceed, task.state == .running { task.resume() }
    }

    private func timeOut() {
        let isLate = state.withLock { state in
            state.isTimedOut = !state.hasEnded
            return state.isTimedOut
        }
        guard isLate else { return }
        // This must not run on the clock's thread, because cancelling waits for the task's queue.
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
    /// - Returns: the error that the task ends with; nil if the task keeps waiting.
    func error(for error: any Error) -> (any Error)? {
        let (hasResponse, hasOwnRoute, place) = state.withLock { ($0.hasResponse, $0.hasOwnRoute, $0.place) }
        let failure = RequestFailure(error)
        guard let obstacle = room.obstacle(to: requirement), !hasOwnRoute, !hasResponse, failure.kind.isOfConnectivity,
            !failure.mayHaveReachedServer
        else {
            end()
            return error
        }
        guard waits, task.state == .running else {
            end()
            return URLError(obstacle)
        }
        // The network was lost before there was a connection, so the task is still establishing one.
        if let place { room.leave(place) }
        state.withLock { state in
            state.step = .wait
            state.place = nil
        }
        enter()
        return nil
    }
}

extension URLSessionTask {
    /// The session that created the task; nil if unknown.
    ///
    /// A protocol class receives only the task, and a task does not expose its session, so this reflects on the task's
    /// properties. It must be called on the queue that starts the task, before the task is under way. If reflection
    /// ever fails, tasks still wait, but with the default timeout, and no delegate is called.
    var owner: URLSession? {
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            // The properties before this one do not change while a task starts; those after it are not touched.
            if let session = level.children.first(where: { $0.label == "session" }) {
                return session.value as? URLSession
            }
            mirror = level.superclassMirror
        }
        return nil
    }
}

#endif
