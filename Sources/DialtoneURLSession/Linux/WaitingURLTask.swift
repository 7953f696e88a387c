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
        /// The number of times that the task has entered the room.
        var entries = 0
        var cancelTimeout: MonitorTime.Cancellation?
        /// Watches for a route of the host's own while the task waits.
        var routeWatch: UpdateSubscription?
        /// The error of a task that Dialtone cancels itself; nil for any other cancellation.
        var endError: URLError?
        var hasNotified = false
        /// Whether the host needs no path to the Internet, so that a missing path does not explain its failures.
        var hasOwnRoute = false
        /// Whether the current loader has received a response.
        var hasResponse = false
        var hasEnded = false
        /// The number of attempts in a row whose connection the network could not carry.
        var uncarriedCount = 0
        /// Whether the task has been retried although nothing kept its connection from being established.
        var hasRetried = false
        var lossWatch: ConnectionLossWatch?

        var isWaiting: Bool {
            if case .wait = step { !hasEnded } else { false }
        }
    }

    private let state = Mutex(State())
    private let room = WaitingRoom.sessions
    private let task: URLSessionTask
    private let session: URLSession?
    private let url: URL?
    private let isIdempotent: Bool
    private let waits: Bool
    private let lossLimit: Duration?
    private let requirement: WaitRequirement

    init(_ task: URLSessionTask, of session: URLSession?, _ request: URLRequest, _ settings: ConnectivitySettings) {
        self.task = task
        self.session = session
        url = request.url
        isIdempotent = request.isIdempotent
        waits = settings.waits
        lossLimit = settings.lossLimit
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

    /// The error of a task that was cancelled because of a time limit; nil for any other task.
    var endError: URLError? { state.withLock { $0.endError } }

    /// Records that the task has ended.
    func end() {
        let (place, cancelTimeout, routeWatch, lossWatch) = state.withLock { state in
            defer {
                state.hasEnded = true
                state.step = .rest
                (state.place, state.cancelTimeout, state.routeWatch, state.lossWatch) = (nil, nil, nil, nil)
            }
            return (state.place, state.cancelTimeout, state.routeWatch, state.lossWatch)
        }
        cancelTimeout?()
        routeWatch?.cancel()
        lossWatch?.cancel()
        if let place { room.leave(place) }
    }

    // MARK: Waiting

    /// Waits until the task may load.
    ///
    /// - Parameter pause: the time until then, unless the path changes; nil without a pause.
    private func enter(after pause: Duration? = nil) {
        let earliest = pause.map { room.time.now.elapsed + $0 }
        let entry = state.withLock { state in
            state.entries += 1
            return state.entries
        }
        let place = room.enter(requirement, earliest: earliest, retriesOnChange: pause != nil) { [self] event in
            guard state.withLock({ $0.entries == entry }) else { return }
            switch event {
            case .admitted: proceed(.load)
            case .waiting(let reason): Task.detached { [self] in await wait(because: reason) }
            case .expired: break
            }
        }
        let isCurrent = state.withLock { state in
            guard !state.hasEnded, state.entries == entry else { return false }
            state.place = place
            return true
        }
        if !isCurrent { room.leave(place) }
    }

    private func wait(because reason: WaitReason) async {
        if await hasOwnRoute(despite: reason) { return proceed(.load, overOwnRoute: true) }
        guard waits else { return proceed(.fail(URLError(reason))) }
        guard state.withLock({ $0.isWaiting }) else { return }
        notifyDelegate()
        watchOwnRoute()
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
            if state.isWaiting { state.routeWatch = watch }
            return state.isWaiting
        }
        if !isWaiting { watch.cancel() }
    }

    private func loadIfOwnRoute() async {
        guard let reason = room.obstacle(to: requirement), await hasOwnRoute(despite: reason),
            // If a path has appeared meanwhile, the task waits for its turn.
            room.obstacle(to: requirement) != nil
        else { return }
        proceed(.load, overOwnRoute: true)
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

    private func proceed(_ step: Step, overOwnRoute: Bool = false) {
        let (mayProceed, routeWatch) = state.withLock { state -> (Bool, UpdateSubscription?) in
            guard state.isWaiting else { return (false, nil) }
            state.step = step
            if overOwnRoute { state.hasOwnRoute = true }
            defer { state.routeWatch = nil }
            return (true, state.routeWatch)
        }
        routeWatch?.cancel()
        guard mayProceed else { return }
        // This may run on the task's queue, and resuming waits for that queue.
        DispatchQueue.global().async { [task] in
            // A suspended task performs the step when it is resumed.
            if task.state == .running { task.resume() }
        }
    }

    private func timeOut() { end(with: .timedOut) }

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
        let (hasResponse, hasOwnRoute, endError) = state.withLock { ($0.hasResponse, $0.hasOwnRoute, $0.endError) }
        let failed = FailedLoading(
            error: error, facts: facts, hasResponse: hasResponse, isIdempotent: isIdempotent,
            mayWait: waits && task.state == .running,
            obstacle: hasOwnRoute ? nil : room.obstacle(to: requirement))
        let decision = endError.map { .end($0) } ?? failed.decision
        if case .end(let error) = decision {
            end()
            return error
        }
        // The task is still establishing a connection.
        let (place, lossWatch) = state.withLock { state in
            defer {
                state.step = .wait
                state.entries += 1
                (state.place, state.lossWatch) = (nil, nil)
            }
            return (state.place, state.lossWatch)
        }
        if let place { room.leave(place) }
        lossWatch?.cancel()
        if case .findCause(let failed) = decision {
            Task.detached { [self] in await findCause(of: failed) }
        } else {
            enter()
        }
        return nil
    }

    /// Determines why a connection could not be established, and waits or ends the task.
    private func findCause(of failed: FailedConnection) async {
        let contact = url.flatMap { HostTarget.contact(for: $0) }
        let cause = if let contact { await HostEnvironment.live.obstacle(to: contact.host) } else { HostError?.none }
        switch failed.decision(after: cause, hasRetried: state.withLock { $0.hasRetried }) {
        case .wait:
            notifyDelegate()
            let count = state.withLock { state in
                state.uncarriedCount += 1
                return state.uncarriedCount
            }
            enter(after: Self.backoff.delay(after: count, random: .random(in: 0.5..<1)))
        case .retry:
            state.withLock { $0.hasRetried = true }
            enter()
        case .end(let error): proceed(.fail(error))
        }
    }

    /// The waits between attempts whose connection the network cannot carry; each attempt sends a few small packets.
    private static let backoff = Backoff(first: .milliseconds(500), longest: .seconds(10))

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

    /// Makes Foundation call the protocol on the task's queue, which then inspects the transfer.
    ///
    /// - Returns: false for a suspended task.
    private func requestInspection() -> Bool {
        guard task.state == .running else { return false }
        task.resume()
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
