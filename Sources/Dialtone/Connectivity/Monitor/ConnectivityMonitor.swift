// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import SystemSupport

/// Watches whether this machine is online, and delivers the changes in the style that the app prefers.
///
/// ```swift
/// for await connectivity in ConnectivityMonitor.shared.updates() {
///     print(connectivity.state, connectivity.reason ?? "")
/// }
/// ```
///
/// A monitor combines the path, checks of the Internet behind it, and the outcomes that the app reports of its
/// requests.
///
/// **Lifetime.** A monitor rests until it is observed or started. Then it watches: the kernel reports changes, and the
/// monitor checks the Internet according to its configuration. It rests again when the last observation has ended,
/// unless it was started by `start()`. Observations and loops hold their monitor; a monitor without references stops. A
/// resting monitor has no state: its state is `unknown`.
///
/// **Order.** Every observer first gets the current value, as soon as there is a definite one or the configuration's
/// `firstValueBound` has passed. Then it gets each change, in the same order as all other observers. Observers are
/// never called under a lock, so they may use the monitor.
///
/// **Network namespace.** On Linux, a monitor watches the network namespace of the thread that starts it, by `start()`
/// or by the first observation. In a process with several namespaces, create and start the monitor on the same thread.
public final class ConnectivityMonitor: Sendable {
    /// The monitor that the whole process shares; it starts on first use.
    ///
    /// It has the default configuration unless `configureShared` was called before its first use.
    public static let shared: ConnectivityMonitor = {
        let setup = sharedSetup.withLock { setup in
            setup.isUsed = true
            return setup
        }
        let monitor = ConnectivityMonitor(valid: setup.configuration, checker: setup.checker)
        monitor.start()
        return monitor
    }()

    /// The bound of the first value of a monitor without checks, which needs nothing but the kernel's answer.
    package static let pathPatience = Duration.seconds(30)

    /// A monitor of this machine's paths that sends no packets.
    ///
    /// It starts on first use. Its state never goes beyond `unverified`. Its first value waits up to 30 s for the
    /// kernel, which may answer slowly on a busy machine; requests wait for that value.
    public static let passive: ConnectivityMonitor = {
        let monitor = ConnectivityMonitor(valid: Configuration(firstValueBound: pathPatience), checker: nil)
        monitor.start()
        return monitor
    }()

    /// The monitor to ask whether the Internet can be reached, in a program that may not use `shared`.
    ///
    /// It is `shared` if that is in use. Otherwise it has the same configuration, and watches only while it is asked.
    static var onDemand: ConnectivityMonitor { sharedSetup.withLock { $0.isUsed } ? shared : resting }

    private static let resting: ConnectivityMonitor = {
        let setup = sharedSetup.withLock { $0 }
        var configuration = setup.configuration
        configuration.polling = .never
        return ConnectivityMonitor(valid: configuration, checker: setup.checker)
    }()

    private struct SharedSetup: Sendable {
        var configuration = Configuration()
        var checker: (any InternetChecking)? = InternetCheck()
        var isUsed = false
    }

    private static let sharedSetup = Mutex(SharedSetup())

    /// Configures `shared`, before its first use.
    ///
    /// - Parameters:
    ///   - configuration: the schedule of checks, and the time limits.
    ///   - checker: gathers the evidence; nil sends no packets.
    /// - Throws: the first invalid value, or an error with the field `shared` if the monitor is already in use.
    public static func configureShared(
        _ configuration: Configuration = Configuration(), checker: (any InternetChecking)? = InternetCheck()
    ) throws(InvalidConfiguration) {
        try configuration.validate()
        let isUsed = sharedSetup.withLock { setup in
            if !setup.isUsed {
                setup.configuration = configuration
                setup.checker = checker
            }
            return setup.isUsed
        }
        guard !isUsed else {
            throw InvalidConfiguration("shared", "is already in use: configure it before its first use")
        }
    }

    /// The schedule of checks, and the time limits.
    public let configuration: Configuration

    let state = Mutex(State())
    /// The machine's actions and the calls of observers and waits, made in order by one thread at a time.
    let queue = DeliveryQueue<@Sendable () -> Void>()
    let observers: Broadcaster<Connectivity>
    /// The loss and the round trips of each minute, if there is a heartbeat.
    package let hopMinutes = Broadcaster<HopMinute>()
    /// The times in which nothing beyond the router answered the heartbeat.
    package let silences = Broadcaster<Silence>()
    /// Which outages are always noticed; without a heartbeat, and before one has learnt what is answered, there is no value.
    package let coverage = Broadcaster<HeartbeatCoverage>()
    private let paths: any PathSource
    let checker: (any InternetChecking)?
    let identifier: (any NetworkIdentifying)?
    let time: TimeSource
    private let random: @Sendable () -> Double

    /// Whether the paths are this machine's, not simulated ones.
    var watchesThisMachine: Bool { paths is SystemPathSource }

    /// Creates a monitor of this machine's paths and of the Internet, with the default configuration.
    public convenience init() { self.init(valid: Configuration(), checker: InternetCheck()) }

    /// Creates a monitor of this machine's paths.
    ///
    /// An `InternetCheck` is made over the interface that the path uses if the filter does not allow every interface: the
    /// system might choose another one.
    ///
    /// - Parameters:
    ///   - configuration: the schedule of checks, and the time limits.
    ///   - filter: the interfaces that a path may use; all by default.
    ///   - checker: gathers the evidence; nil sends no packets, and the state never goes beyond `unverified`.
    /// - Throws: the first invalid value of the configuration.
    public convenience init(
        _ configuration: Configuration, over filter: PathFilter = PathFilter(), checker: (any InternetChecking)?
    ) throws(InvalidConfiguration) {
        var checker = checker
        if !filter.isUnrestricted, var check = checker as? InternetCheck {
            check.isBoundToPath = true
            checker = check
        }
        try self.init(configuration, paths: SystemPathSource(filter), checker: checker)
    }

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - configuration: the schedule of checks, and the time limits.
    ///   - paths: the source of paths.
    ///   - checker: gathers the evidence; nil sends no packets, and the state never goes beyond `unverified`.
    ///   - identifier: distinguishes networks; nil if they are not distinguished.
    ///   - time: the clocks.
    ///   - random: returns numbers from 0 up to 1, for the jitter.
    /// - Throws: the first invalid value of the configuration.
    package convenience init(
        _ configuration: Configuration, paths: any PathSource, checker: (any InternetChecking)?,
        identifier: (any NetworkIdentifying)? = SystemNetworkIdentifier(), time: TimeSource = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(InvalidConfiguration) {
        try configuration.validate()
        self.init(
            valid: configuration, paths: paths, checker: checker, identifier: identifier, time: time, random: random)
    }

    private init(
        valid configuration: Configuration, paths: any PathSource = SystemPathSource(),
        checker: (any InternetChecking)?, identifier: (any NetworkIdentifying)? = SystemNetworkIdentifier(),
        time: TimeSource = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        var configuration = configuration
        // A check ends by itself at its own bound; the margin is for a busy machine.
        if let bound = checker?.timeLimit {
            configuration.checkTimeLimit = Swift.max(configuration.checkTimeLimit, bound + .seconds(5))
        }
        self.configuration = configuration
        self.paths = paths
        self.checker = checker
        self.identifier = identifier
        self.time = time
        self.random = random
        observers = Broadcaster(queue: queue)
    }

    deinit { state.withLock { $0.run.take() }?.end() }

    // MARK: Requesting checks and reporting outcomes

    /// The current value.
    ///
    /// Reading it never waits, and does not start a resting monitor, whose value is `unknown`. The evidence may be
    /// newer than in the last delivered value. Before the first delivery, the state may not be definite yet.
    public var current: Connectivity {
        state.withLock { $0.run?.machine.connectivity } ?? .unknown(at: time.moment.realtime)
    }

    /// The time of the next check; nil if none is scheduled, such as while one is under way.
    package var nextCheck: Date? {
        let moment = time.moment
        return state.withLock { $0.run?.machine.scheduledCheck }.map {
            moment.realtime + ($0 - moment.boottime) / .seconds(1)
        }
    }

    /// Whether a check is under way.
    package var isChecking: Bool { state.withLock { $0.run?.machine.flight != nil } }

    /// Requests a check now, without waiting for it.
    ///
    /// The request joins a check that is under way. A check starts at least `checkSpacing` after the start of the last
    /// one. The request has no effect without a path, while checks are suspended, and on a resting monitor.
    package func requestCheck() { process(.checkRequested) }

    /// Requests a check now, and waits for its verdict.
    ///
    /// A resting monitor watches until the verdict. The request joins a check that is under way. A check starts at least
    /// `checkSpacing` after the start of the last one. When this returns, the value is in the queue or the buffer of each
    /// observer; it waits for no observer to process it.
    ///
    /// - Returns: the value with the new result, or with the path that prevents a check. It returns at once if the
    ///   task is cancelled or checks are suspended.
    @discardableResult
    public func verify() async -> Connectivity {
        let request = request
        let observer = request == nil && !Task.isCancelled ? add { _ in } : nil
        defer { observer.map(remove) }
        return await verdict(after: request)
    }

    /// Waits until the closures, delegates and models that observe this monitor have handled every value so far.
    ///
    /// A loop over `updates()` is not waited for.
    package func deliverPendingValues() async {
        await withCheckedContinuation { continuation in
            queue.append { continuation.resume() }
            queue.drain { $0() }
        }
        for receive in state.withLock({ $0.observers.sorted { $0.key < $1.key }.map(\.value) }) {
            await withCheckedContinuation { continuation in receive(.handled { continuation.resume() }) }
        }
    }

    /// What provokes a check now; nil at rest, where watching begins with a check, which may finish at once.
    private var request: MachineInput? { state.withLock { $0.run == nil } ? nil : .checkRequested }

    /// Passes an input to the machine, and waits for the check that it provokes; without an input, for the run's first one.
    ///
    /// Both happen in one step. In two steps, the check could start and finish in between, and the caller would wait
    /// for a second check.
    func verdict(after input: MachineInput?) async -> Connectivity {
        let identifier = state.withLock { $0.nextIdentifier() }
        let (values, continuation) = AsyncStream.makeStream(of: Connectivity.self, bufferingPolicy: .bufferingOldest(1))
        defer { state.withLock { _ = $0.waits.removeValue(forKey: identifier) } }
        wait(identifier, after: input) { continuation.yield($0) }
        // The stream ends when the task is cancelled.
        return await values.first { _ in true } ?? current
    }

    /// The value with a verdict that explains a request that has failed; nil if this monitor does not check.
    ///
    /// A check that began after the failure decides. A failure that contradicts a verdict of the last 30 s provokes such a
    /// check, unless the checks that failures provoke have just confirmed the verdict. That there is no Internet counts for
    /// 5 s without a check. A resting monitor watches for 30 s, so that requests which fail one after the other share a
    /// check.
    func recentlyVerified(since failure: Date) async -> Connectivity? {
        guard checker != nil, !state.withLock({ $0.isSuspended }) else { return nil }
        // Read in one step: the provoked check may finish at any time.
        if let machine = state.withLock({ $0.run?.machine }), let checkedAt = machine.report?.checkedAt {
            let known = machine.connectivity
            let age = time.moment.realtime.timeIntervalSince(checkedAt)
            let isRecent = 0..<(known.isOnline ? 30 : 5) ~= age
            if isRecent, checkedAt >= failure || !known.isOnline { return known }
            // An earlier report may have provoked it already.
            if isRecent { return await verdict(after: machine.isProvoked ? nil : .reported(.failed)) }
        }
        let request = request
        let observer = add { _ in }
        let connectivity = await verdict(after: request)
        _ = time.call(at: time.moment.boottime + .seconds(30)) { self.remove(observer) }
        return connectivity
    }

    /// Reports the outcome of one of the app's requests.
    ///
    /// An outcome that contradicts the last verdict provokes a check, which decides. While such checks confirm the
    /// verdict, the time between them doubles. The call is cheap enough to make for every request.
    public func report(_ outcome: ConnectivityMonitor.ReportedOutcome) { process(.reported(outcome)) }

    /// Suspends checks; the monitor still follows paths.
    ///
    /// Use it while the app is in the background, or the user is on an expensive link. Checks stay suspended until
    /// `resume()`, even if the monitor rests in between.
    public func suspend() { setSuspended(true) }

    /// Allows checks again, and checks at once; the verdict from before `suspend()` is discarded.
    public func resume() { setSuspended(false) }

    private func setSuspended(_ isSuspended: Bool) {
        let moment = time.moment
        // One step: a run that starts between two steps would get the opposite value.
        deliver { state in
            state.isSuspended = isSuspended
            process(isSuspended ? .suspended : .resumed, at: moment, &state)
        }
    }

    /// Reports that the machine has slept.
    ///
    /// On Linux the monitor notices sleep at once without this call. Elsewhere it notices at its next event; an app
    /// that is notified of waking can report it sooner.
    public func noteWake() { process(.clockJumped) }
}

// MARK: Starting and resting

extension ConnectivityMonitor {
    /// Starts watching, until `stop()`.
    ///
    /// A monitor that is observed does not need this call.
    public func start() {
        state.withLock { $0.isStarted = true }
        runIfNeeded()
    }

    /// Reverses `start()`: the monitor rests, unless it is observed.
    public func stop() {
        state.withLock { $0.isStarted = false }
        restIfUnneeded()
    }

    /// Ends the heartbeat, until the monitor has rested, and waits until what it has found is passed on.
    package func endHeartbeat() async {
        let heartbeat = state.withLock { $0.run?.heartbeat }
        await heartbeat?.finish()
    }

    /// Adds an observer, which first gets the current value.
    ///
    /// - Parameter receive: called in order, by one thread at a time, outside any lock; it must return quickly.
    /// - Returns: the subscription to pass to `remove(_:)`.
    func add(_ receive: @escaping @Sendable (Connectivity) -> Void) -> Broadcaster<Connectivity>.Subscription {
        let subscription = state.withLock { state in
            // Its evidence may be newer than in the value that was published last.
            observers.reset(state.run?.machine.firstValue)
            return observers.add(receive)
        }
        observers.deliver()
        runIfNeeded()
        return subscription
    }

    func remove(_ subscription: Broadcaster<Connectivity>.Subscription) {
        observers.cancel(subscription)
        restIfUnneeded()
    }

    private func runIfNeeded() {
        let moment = time.moment
        let nearbyHosts = nearbyHosts
        var begun: (number: UInt64, watches: CancellationSlot)?
        deliver { state in
            guard state.run == nil, isNeeded(state) else { return }
            let machine = ConnectivityMachine(
                configuration, canCheck: checker != nil, hasNearbyHosts: !nearbyHosts.isEmpty,
                operators: checker?.endpointOperators ?? [], at: moment, random: random)
            let run = Run(number: state.nextIdentifier(), machine: machine)
            begun = (run.number, run.watches)
            state.run = consume run
            process(.started, at: moment, &state)
            if state.isSuspended { process(.suspended, at: moment, &state) }
        }
        guard let (number, slot) = begun else { return }
        var watches: [TimeSource.Cancellation] = []
        if let heartbeat = makeHeartbeat(run: number) {
            state.withLock { if $0.run?.number == number { $0.run?.heartbeat = heartbeat } }
            watches.append(heartbeat.end)
        }
        watches.append(paths.subscribe { [weak self] path in self?.receive(path, run: number) }.cancel)
        if !nearbyHosts.isEmpty {
            let routes = HostEnvironment.system.watchRoutes(to: nearbyHosts) { [weak self] in
                self?.process(.nearbyRoutes($0), run: number)
            }
            watches.append(routes.cancel)
        }
        watches.append(time.whenClocksJump { [weak self] in self?.process(.clocksLookedAt, run: number) })
        slot.set { [watches] in for cancel in watches { cancel() } }
    }

    /// The heartbeat of a run, whose paths are this machine's; nil without one.
    private func makeHeartbeat(run number: UInt64) -> HeartbeatThread? {
        guard let heartbeat = configuration.heartbeat, watchesThisMachine,
            let checker = checker as? any HeartbeatTargeting
        else { return nil }
        return HeartbeatThread(heartbeat, checkingEvery: configuration.interval, time: time) { path in
            checker.heartbeatTargets(over: path)
        } receive: { [weak self] input in
            self?.process(input, run: number)
        } onFinding: { [weak self, hopMinutes, silences, coverage] finding in
            switch finding {
            case .minute(let minute):
                self?.process(.minute(minute), run: number)
                hopMinutes.enqueue(minute)
                hopMinutes.deliver()
            case .silence(let silence):
                silences.enqueue(silence)
                silences.deliver()
            case .coverage(let new):
                coverage.enqueue(new)
                coverage.deliver()
            }
        }
    }

    /// The hosts whose routes count while there is no path.
    ///
    /// A check uses any interface, so it describes only a path that may use any interface of this machine.
    private var nearbyHosts: [HostTarget.Host] {
        guard let paths = paths as? SystemPathSource, paths.filter.isUnrestricted else { return [] }
        return checker?.nearbyHosts ?? []
    }

    private func restIfUnneeded() {
        let moment = time.moment
        var ended: Run?
        deliver { state in
            guard !isNeeded(state), state.run != nil else { return }
            ended = state.run.take()
            // Waits that are added later belong to the next run.
            endAllWaits(with: .unknown(at: moment.realtime), &state)
        }
        ended?.end()
    }
}
