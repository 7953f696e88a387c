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
        var loss = LossWatch()
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
        let (place, wait, cancelTimeout, routeWatch, loss) = state.withLock { state in
            defer {
                state.hasEnded = true
                state.step = .rest
                (state.place, state.wait, state.cancelTimeout, state.routeWatch) = (nil, nil, nil, nil)
                state.loss = LossWatch()
            }
            return (state.place, state.wait, state.cancelTimeout, state.routeWatch, state.loss)
        }
        wait?.cancel()
        cancelTimeout?()
        routeWatch?.cancel()
        loss.cancel()
        if let place { room.leave(place) }
    }

    // MARK: Waiting

    /// Waits until the task may load.
    ///
    /// - Parameter pause: the time until then, unless the path changes; nil without a pause.
    private func enter(after pause: Duration? = nil) {
        let earliest = pause.map { room.time.now.elapsed + $0 }
        let place = room.enter(requirement, deadline: nil, earliest: earliest, retriesOnChange: pause != nil)
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
        let (hasResponse, hasOwnRoute, place, endError) = state.withLock {
            ($0.hasResponse, $0.hasOwnRoute, $0.place, $0.endError)
        }
        if let endError {
            end()
            return endError
        }
        guard let original = error as? URLError else {
            end()
            return error
        }
        let error = original.specified(by: facts)
        var failure = RequestFailure(error)
        // Once there was a connection, a failure is the task's error, even if the request could be repeated.
        let isUnconnected = facts.map { $0.sentBytes == 0 } ?? (isIdempotent || !failure.mayHaveReachedServer)
        guard !hasResponse, isUnconnected, failure.kind.isOfConnectivity else {
            end()
            return URLError.described(error)
        }
        failure.mayHaveReachedServer = false
        let obstacle = hasOwnRoute ? nil : room.obstacle(to: requirement)
        // A refusal shows that the host was reached.
        let isRefusal = original.code == .cannotConnectToHost
        guard waits, task.state == .running, obstacle != nil || !isRefusal else {
            end()
            return obstacle.map { URLError($0) } ?? URLError.described(error)
        }
        // The task is still establishing a connection.
        if let place { room.leave(place) }
        let loss = state.withLock { state in
            state.step = .wait
            state.place = nil
            defer { state.loss = LossWatch() }
            return state.loss
        }
        loss.cancel()
        if obstacle != nil { enter() } else { Task.detached { [self] in await reconsider(error, failure) } }
        return nil
    }

    /// Determines why a connection could not be established, and waits or ends the task.
    private func reconsider(_ error: URLError, _ failure: RequestFailure) async {
        let contact = url.flatMap { HostTarget.contact(for: $0) }
        let cause = if let contact { await HostEnvironment.live.obstacle(to: contact.host) } else { HostError?.none }
        switch ConnectionVerdict(cause, after: failure) {
        case .wait:
            notifyDelegate()
            let count = state.withLock { state in
                state.uncarriedCount += 1
                return state.uncarriedCount
            }
            enter(after: Self.backoff.delay(after: count, random: .random(in: 0.5..<1)))
        case .fail(let failure):
            // If nothing is wrong now, the network may have returned since the attempt.
            let mayRetry = state.withLock { state in
                defer { state.hasRetried = true }
                return cause == nil && error.code != .timedOut && !state.hasRetried
            }
            if mayRetry { return enter() }
            let code: URLError.Code =
                switch failure.kind {
                case .nameNotFound: .cannotFindHost
                case .cannotConnect: .cannotConnectToHost
                default: error.code
                }
            proceed(.fail(URLError(describing: code, userInfo: error.userInfo, reason: cause?.description)))
        }
    }

    /// The waits between attempts whose connection the network cannot carry; each attempt sends a few small packets.
    private static let backoff = Backoff(first: .milliseconds(500), longest: .seconds(10))

    // MARK: Loss of the network

    /// Watches whether the connection of a request in flight can still carry packets.
    fileprivate struct LossWatch {
        /// Cancels the timer for the next look at the transfer.
        var cancelLook: MonitorTime.Cancellation?
        /// The number of looks so far.
        var looks = 0
        /// The transfer whose connection is watched; nil before there is one.
        var facts: TransferFacts?
        var watch: UpdateSubscription?
        /// The time of the loss, without the machine's sleep; nil while the connection can carry packets.
        var lostAt: Duration?
        var cancelTimer: MonitorTime.Cancellation?

        func cancel() {
            cancelLook?()
            watch?.cancel()
            cancelTimer?()
        }
    }

    /// Records that a loader has started.
    func loadingBegan() { lookLater() }

    /// Looks at the transfer after a while; most requests have ended by then.
    private func lookLater() {
        guard lossLimit != nil else { return }
        let looks = state.withLock { state in
            state.loss.looks += 1
            return state.loss.looks
        }
        let time = room.time.now.elapsed + .seconds(1 << min(looks - 1, 5))
        let cancel = room.time.call(at: time) { [weak self] in self?.look() }
        let isOver = state.withLock { state in
            if !state.hasEnded { state.loss.cancelLook = cancel }
            return state.hasEnded
        }
        if isOver { cancel() }
    }

    /// Makes Foundation call the protocol on the task's queue, which then inspects the transfer.
    private func look() {
        let isLoading = state.withLock { state in
            if case .resume = state.step { true } else { false }
        }
        guard isLoading else { return }
        if task.state == .running { task.resume() } else { lookLater() }
    }

    /// Watches the connection of the current transfer once the request has been sent.
    func inspect(_ facts: TransferFacts?) {
        // Without facts, only a timeout ends the task.
        guard let facts, let lossLimit else { return }
        let (isKnown, isOverdue) = state.withLock { state in
            (state.loss.facts?.connection == facts.connection, state.loss.isOverdue(lossLimit, room.time.now.awake))
        }
        if isKnown {
            if isOverdue { end(with: .networkConnectionLost) }
            return
        }
        guard facts.sentBytes > 0, let local = facts.localAddress, let remote = facts.remoteAddress else {
            return lookLater()
        }
        // A link-local address lacks its interface here.
        guard !local.isLoopback, local != remote, !remote.isLinkLocal else { return }
        let watch = HostEnvironment.watchConnection(from: local, to: remote) { [weak self] isCarried in
            self?.connectionChanged(isCarried)
        }
        let old = state.withLock { state in
            let old = state.loss
            state.loss = LossWatch(looks: old.looks, facts: facts, watch: watch)
            if state.hasEnded { state.loss = LossWatch() }
            return old
        }
        old.cancel()
        if state.withLock({ $0.hasEnded }) { watch.cancel() }
    }

    private func connectionChanged(_ isCarried: Bool) {
        let now = room.time.now.awake
        let (mustStart, outdated) = state.withLock { state -> (Bool, MonitorTime.Cancellation?) in
            guard !state.hasEnded else { return (false, nil) }
            if isCarried {
                state.loss.lostAt = nil
                defer { state.loss.cancelTimer = nil }
                return (false, state.loss.cancelTimer)
            }
            guard state.loss.lostAt == nil else { return (false, nil) }
            state.loss.lostAt = now
            return (true, nil)
        }
        outdated?()
        if mustStart { waitForReturn() }
    }

    /// Ends the task when the connection has been lost for the limit.
    private func waitForReturn() {
        guard let lossLimit else { return }
        let now = room.time.now
        guard let lostAt = state.withLock({ $0.loss.lostAt }) else { return }
        let cancel = room.time.call(at: now.elapsed + lossLimit - (now.awake - lostAt)) { [weak self] in
            guard let self else { return }
            // The time during which the machine slept does not count.
            let isOverdue = state.withLock { $0.loss.isOverdue(lossLimit, self.room.time.now.awake) }
            if isOverdue { look() } else { waitForReturn() }
        }
        let isObsolete = state.withLock { state in
            let isObsolete = state.hasEnded || state.loss.lostAt == nil
            if !isObsolete { state.loss.cancelTimer = cancel }
            return isObsolete
        }
        if isObsolete { cancel() }
    }
}

extension WaitingURLTask.LossWatch {
    /// Whether the connection has been lost for longer than a limit.
    fileprivate func isOverdue(_ limit: Duration, _ now: Duration) -> Bool {
        lostAt.map { now - $0 >= limit } ?? false
    }
}

extension URLError {
    /// The error with the code that the facts about the transfer show.
    ///
    /// Foundation reports most errors of connecting as `unknown`.
    fileprivate func specified(by facts: TransferFacts?) -> URLError {
        guard code == .unknown, let facts, facts.sentBytes == 0, facts.connectError != 0 else { return self }
        return URLError(
            describing: facts.connectError == ETIMEDOUT ? .timedOut : .cannotConnectToHost, userInfo: userInfo)
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
