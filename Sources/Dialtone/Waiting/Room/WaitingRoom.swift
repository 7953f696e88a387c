// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// A queue in which operations wait for the connectivity that one monitor reports.
///
/// Most programs need only `withConnectivity`, which uses the shared room. A separate room has its own monitor, its own
/// concurrency limit, and its own budget for retries.
///
/// A room starts to follow its monitor when its first operation arrives, and follows it until the room is released.
public final class WaitingRoom: Sendable {
    /// The room that the whole process shares.
    ///
    /// For operations that wait for a path or a host, the room uses a monitor that sends nothing. Only operations that
    /// wait for the Internet to be verified start `ConnectivityMonitor.shared`, which checks. For other operations, there
    /// is a check only after a connection could not be established and nothing on this machine explains why.
    public static let shared = ofProcess()

    /// The room for the requests of all `URLSession`s that are configured to wait (Linux only).
    ///
    /// It is separate from the shared room: operations in the shared room make requests, which must not wait for a
    /// place that the operation itself holds.
    public static let sessions = ofProcess()

    private let state: Mutex<State>
    private let timer = CancellationSlot()
    package let time: TimeSource
    let random: @Sendable () -> Double
    private let sources: [WaitingRoomMachine.View: @Sendable () -> ConnectivityMonitor]
    /// The monitor to ask whether the Internet can be reached.
    private let onDemand: @Sendable () -> ConnectivityMonitor
    /// Whether the network is this machine's, not a simulated one.
    let watchesThisMachine: Bool

    /// Creates a room.
    ///
    /// - Parameters:
    ///   - monitor: reports the state of the network. On Linux it watches the network namespace of the thread that
    ///     starts it.
    ///   - configuration: how work is released, and how often it may be retried.
    ///   - time: the clocks.
    ///   - random: returns numbers from 0 up to 1, for the jitter.
    /// - Throws: the first invalid value of the configuration.
    public convenience init(
        _ monitor: ConnectivityMonitor, configuration: Configuration = Configuration(),
        time: TimeSource = .system, random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(InvalidConfiguration) {
        try configuration.validate()
        self.init(
            configuration, time: time, random: random, watchesThisMachine: monitor.watchesThisMachine,
            passive: { monitor }, verified: { monitor }, onDemand: { monitor })
    }

    init(
        _ configuration: Configuration, time: TimeSource, random: @escaping @Sendable () -> Double,
        watchesThisMachine: Bool = true,
        passive: @escaping @Sendable () -> ConnectivityMonitor,
        verified: @escaping @Sendable () -> ConnectivityMonitor,
        onDemand: @escaping @Sendable () -> ConnectivityMonitor
    ) {
        self.time = time
        self.random = random
        self.watchesThisMachine = watchesThisMachine
        sources = [.passive: passive, .verified: verified]
        self.onDemand = onDemand
        state = Mutex(
            State(
                machine: WaitingRoomMachine(
                    limit: configuration.concurrencyLimit, spread: configuration.releaseSpread,
                    startLimit: configuration.startLimit, random: random),
                budget: RetryBudget(
                    capacity: configuration.retryBudget, refillInterval: configuration.retryRefillInterval,
                    at: time.moment.boottime)))
    }

    deinit {
        for following in state.withLock({ Array($0.following.values) }) { following.cancel() }
        timer.end()
    }

    private static func ofProcess() -> WaitingRoom {
        WaitingRoom(
            Configuration(), time: .system, random: { Double.random(in: 0..<1) },
            passive: { .passive }, verified: { .shared }, onDemand: { .onDemand })
    }

    /// The number of operations that are waiting.
    public var waitingCount: Int { state.withLock { $0.machine.count } }

    // MARK: Entering and leaving

    /// An event for work in the room.
    enum Event: Hashable, Sendable {
        /// A wait begins; it happens at most once.
        case waiting(WaitingPolicy.Obstacle)
        /// The work may start. It is the last event, like `expired`.
        case admitted
        case expired(WaitingPolicy.Obstacle?)
    }

    private struct State: ~Copyable {
        var machine: WaitingRoomMachine
        var budget: RetryBudget
        /// The receivers of events, until their last event.
        var receivers: [UInt64: Receiver] = [:]
        var following: [WaitingRoomMachine.View: ConnectivityObservation] = [:]
        var begun: Set<WaitingRoomMachine.View> = []
        var lastIdentifier: UInt64 = 0
        var timer: Duration?
        /// The pending jobs, performed in order by one thread at a time.
        let queue = DeliveryQueue<Job>()

        /// Queues the last event of work.
        mutating func finish(_ identifier: UInt64, _ event: Event) {
            if let receive = receivers.removeValue(forKey: identifier) { queue.append(.deliver(event, receive)) }
        }
    }

    typealias Receiver = @Sendable (Event) -> Void

    /// Work to do outside the lock.
    private enum Job: Sendable {
        case deliver(Event, Receiver)
        case setTimer(Duration?)
    }

    /// A released operation in a room.
    struct Place: Sendable {
        let room: WaitingRoom
        let identifier: UInt64
    }

    /// The released operations that the current task performs.
    ///
    /// Work that waits inside them, in the same room, needs no place.
    @TaskLocal static var places: [Place] = []

    /// Enters the room; the caller must then call `leave(_:)`.
    ///
    /// - Parameters:
    ///   - requirement: what the work requires to start.
    ///   - deadline: the time at which the wait ends; nil is no limit.
    ///   - earliest: the end of a backoff.
    ///   - retriesOnChange: whether a change of the path ends the backoff.
    ///   - receive: called with the events, in order, possibly before this method returns; must return quickly. A call
    ///     that is under way on another thread may end after the work has left.
    func enter(
        _ requirement: WaitRequirement, deadline: Duration? = nil, earliest: Duration? = nil,
        retriesOnChange: Bool = false, _ receive: @escaping Receiver
    ) -> UInt64 {
        let needsPlace = !Self.places.contains { $0.room === self }
        follow(requirement.view)
        return act { state, now in
            state.lastIdentifier += 1
            let identifier = state.lastIdentifier
            state.receivers[identifier] = receive
            let actions = state.machine.enter(
                identifier, requirement, deadline: deadline, earliest: earliest, needsPlace: needsPlace,
                retriesOnChange: retriesOnChange, at: now)
            return (identifier, actions)
        }
    }

    /// Stops waiting, or ends released work.
    package func leave(_ identifier: UInt64) {
        act { state, now in
            state.receivers[identifier] = nil
            return ((), state.machine.leave(identifier, at: now) + state.machine.start(identifier, at: now))
        }
    }

    /// Frees the place of released work that has started.
    package func release(_ identifier: UInt64) { act { ((), $0.machine.start(identifier, at: $1)) } }

    func apply(_ configuration: Configuration) {
        act { state, now in
            state.machine.limit = configuration.concurrencyLimit
            state.machine.spread = configuration.releaseSpread
            state.machine.startLimit = configuration.startLimit
            state.budget = RetryBudget(
                capacity: configuration.retryBudget, refillInterval: configuration.retryRefillInterval, at: now)
            return ((), state.machine.timePassed(at: now))
        }
    }

    /// Takes a retry from the budget; false if the budget is empty.
    func spend() -> Bool {
        let now = time.moment.boottime
        return state.withLock { $0.budget.spend(at: now) }
    }

    /// The current obstacle to such work; nil without an obstacle.
    func obstacle(to requirement: WaitRequirement) -> WaitingPolicy.Obstacle? {
        state.withLock { $0.machine.obstacle(to: requirement) }
    }

    /// Whether the network is known, and no obstacle to such work: it could start at once.
    func isOpen(to requirement: WaitRequirement) -> Bool {
        follow(requirement.view)
        return state.withLock {
            $0.machine.path(for: requirement) != nil && $0.machine.obstacle(to: requirement) == nil
        }
    }

    /// Determines why the network could not carry a connection.
    ///
    /// - Parameters:
    ///   - failure: the client's failure.
    ///   - contact: the host that was contacted; nil if unknown.
    ///   - requirement: the work's requirement.
    /// - Returns: the error that this machine can see. Without one, and where name servers fail, also why the Internet cannot
    ///   be reached, if a check that is newer than the failure, or recent, says so, and the host does not answer either. A
    ///   nearby host needs no Internet.
    func cause(
        of failure: RequestFailure, to contact: HostTarget?, _ requirement: WaitRequirement
    ) async -> (HostError?, internet: WaitingPolicy.Obstacle?) {
        let monitor = onDemand()
        let failedAt = monitor.time.moment.realtime
        // This machine's routes say nothing about a simulated network.
        if watchesThisMachine {
            // Name servers often fail because the Internet does.
            let isOfName = failure.kind == .nameNotFound && requirement.needsPath
            async let checked = isOfName ? monitor.recentlyVerified(since: failedAt) : nil
            if let error = await networkError(to: contact, after: failure, requirement) {
                guard isOfName, HostError.Code.ofNameServers.contains(error.code) else { return (error, nil) }
                return (error, (await checked).flatMap(WaitRequirement(needsProof: true).obstacle)?.ofTheInternet)
            }
        }
        guard failure.kind.mayBeOfUplink, requirement.needsPath else { return (nil, nil) }
        if watchesThisMachine, await contact?.isOnLink() == true { return (nil, nil) }
        let connectivity = await monitor.recentlyVerified(since: failedAt)
        guard let internet = connectivity.flatMap(WaitRequirement(needsProof: true).obstacle) else { return (nil, nil) }
        // A host that accepts or refuses a connection is reached, whatever the rest of the Internet does.
        if watchesThisMachine, let contact {
            let report = await HostReachability(contact, connects: true, timeout: .seconds(3)).check()
            if report.state == .reachable || report.error?.code == .refused { return (nil, nil) }
        }
        return (nil, internet)
    }

    private func networkError(
        to contact: HostTarget?, after failure: RequestFailure, _ requirement: WaitRequirement
    ) async -> HostError? {
        if let contact { return await HostEnvironment.system.obstacle(to: contact.host) }
        let path = state.withLock { $0.machine.path(for: requirement) }
        guard let path else { return nil }
        return await HostEnvironment.system.obstacle(over: path, resolving: failure.kind == .nameNotFound)
    }

    /// Reports to the monitor that an operation failed in a way that suggests a loss of connectivity.
    func reportFailure(_ requirement: WaitRequirement) { sources[requirement.view]?().report(.failed) }

    // MARK: Driving the machine

    private func follow(_ view: WaitingRoomMachine.View) {
        let isFirst = state.withLock { $0.begun.insert(view).inserted }
        guard isFirst, let monitor = sources[view]?() else { return }
        let following = ConnectivityObservation(of: monitor) { [weak self] call in
            call.perform { connectivity in self?.act { ((), $0.machine.update(connectivity, view, at: $1)) } }
        }
        state.withLock { $0.following[view] = following }
    }

    /// Changes the state, and then performs the queued jobs, unless another thread is doing so.
    @discardableResult private func act<Value: Sendable>(
        _ change: (inout State, _ now: Duration) -> (Value, [WaitingRoomMachine.Action])
    ) -> Value {
        let now = time.moment.boottime
        let (value, queue) = state.withLock { state in
            let (value, actions) = change(&state, now)
            for action in actions {
                switch action {
                case .notify(let identifier, let reason):
                    if let receive = state.receivers[identifier] {
                        state.queue.append(.deliver(.waiting(reason), receive))
                    }
                case .admit(let identifier): state.finish(identifier, .admitted)
                case .expire(let identifier, let reason): state.finish(identifier, .expired(reason))
                }
            }
            let next = state.machine.nextTime(after: now)
            if next != state.timer {
                state.timer = next
                state.queue.append(.setTimer(next))
            }
            return (value, state.queue)
        }
        queue.drain(perform)
        return value
    }

    private func perform(_ job: Job) {
        switch job {
        case .deliver(let event, let receive): receive(event)
        case .setTimer(let elapsed):
            timer.set(elapsed.map { elapsed in time.call(at: elapsed) { [weak self] in self?.timerFired(elapsed) } })
        }
    }

    private func timerFired(_ elapsed: Duration) {
        act { state, now in
            if state.timer == elapsed { state.timer = nil }
            return ((), state.machine.timePassed(at: now))
        }
    }
}

extension WaitingPolicy.Obstacle {
    /// The reason, if the Internet cannot be reached without a login, or at all.
    fileprivate var ofTheInternet: WaitingPolicy.Obstacle? {
        switch self {
        case .captivePortal, .noInternet: self
        default: nil
        }
    }
}
