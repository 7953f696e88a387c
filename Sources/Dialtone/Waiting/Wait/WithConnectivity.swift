// SPDX-License-Identifier: Apache-2.0

/// Runs an operation once connectivity is available, and retries it if it fails because connectivity was lost.
///
/// ```swift
/// let policy = WaitingPolicy(.verified, deadline: .seconds(3600), isIdempotent: true)
/// let report = try await withConnectivity(policy) { obstacle in
///     print(obstacle)  // "No carrier on eth0: is the cable in?"
///     return .keepWaiting
/// } operation: {
///     try await download()
/// }
/// ```
///
/// The operation starts at once if the network meets the policy. Otherwise it waits, without limit unless the policy
/// has a deadline, and is released at a random time after the network is back. The number of waiting
/// operations that start at the same time is limited; see `WaitingRoom.Configuration.concurrencyLimit`, and
/// `WaitingRoom.markStarted()` for long operations. An operation that fails is retried if its error suggests a loss of
/// connectivity (see `RequestFailureConvertible`), within the policy's attempts and the room's budget. A response, with
/// any status, is not a failure.
///
/// If the network cannot carry the operation's connection although there is a path (no route to the host, a router that
/// does not answer, name servers that do not answer or answer with an error), the operation goes back to waiting: this is
/// not an attempt, and the deadline is its only limit. If nothing on this machine explains why there is no connection, a
/// check of the Internet decides: while it fails, the router's uplink may be down. `WaitingRoom.shared` checks as
/// `ConnectivityMonitor.configureShared(_:checker:)` defines it; any other room, with its monitor.
///
/// - Parameters:
///   - policy: the connectivity to wait for, and the limits.
///   - room: the room to wait in.
///   - onWaiting: called once for each wait, before it, with the reason; it may give up the operation as stale. To give
///     it up later, cancel the task.
///   - operation: the operation.
/// - Returns: the operation's result.
/// - Throws: the operation's error, if the operation is not retried; `WaitingError` if the deadline has passed or the
///   operation was given up as stale; `CancellationError` if the task is cancelled while it waits; `InvalidConfiguration`
///   for an invalid policy.
public func withConnectivity<Value>(
    _ policy: WaitingPolicy = WaitingPolicy(), in room: WaitingRoom = .shared,
    onWaiting: (WaitingPolicy.Obstacle) async -> WaitDecision = { _ in .keepWaiting },
    operation: () async throws -> Value
) async throws -> Value {
    try policy.validate()
    var wait = ConnectivityWait(policy, room)
    while true {
        let place = try await wait.pass(onWaiting)
        defer { room.leave(place) }
        try Task.checkCancellation()
        do {
            let places = WaitingRoom.places + [WaitingRoom.Place(room: room, identifier: place)]
            return try await WaitingRoom.$places.withValue(places) { try await operation() }
        } catch {
            guard await wait.mayRetry(after: RequestFailure(error)) else { throw error }
        }
    }
}

/// Performs the steps of a `RequestWait`, from attempt to attempt.
package struct ConnectivityWait {
    private var wait: RequestWait
    private var step: RequestWait.Step
    private let room: WaitingRoom
    /// The host that an attempt contacts first; nil if unknown.
    private let contact: HostTarget?
    /// Whether the host needs no path, although the room reports an obstacle.
    private let isNearby: @Sendable (WaitingPolicy.Obstacle) async -> Bool

    init(_ policy: WaitingPolicy, _ room: WaitingRoom) {
        let wait = RequestWait(policy, at: room.time.moment.boottime)
        self.init(wait, room, policy.contact ?? wait.host) { _ in await wait.host?.isOnLink() ?? false }
    }

    /// Creates the wait of a session's task.
    package init(
        _ requirement: WaitRequirement, _ room: WaitingRoom, contact: HostTarget?,
        isNearby: @escaping @Sendable (WaitingPolicy.Obstacle) async -> Bool
    ) {
        self.init(RequestWait(requirement), room, contact, isNearby)
    }

    private init(
        _ wait: RequestWait, _ room: WaitingRoom, _ contact: HostTarget?,
        _ isNearby: @escaping @Sendable (WaitingPolicy.Obstacle) async -> Bool
    ) {
        self.wait = wait
        self.room = room
        self.contact = contact
        self.isNearby = isNearby
        step = self.wait.begin(at: room.time.moment.boottime)
    }

    /// Begins an attempt without a wait, if there is known to be no obstacle.
    package mutating func passAtOnce() -> Bool {
        guard room.isOpen(to: wait.requirement) else { return false }
        step = wait.attempt()
        return true
    }

    private enum Event: Sendable {
        case room(WaitingRoom.Event)
        case newRoute
    }

    /// Waits until an attempt may start.
    ///
    /// - Returns: the place in the room, which the caller must leave after the attempt.
    package mutating func pass(_ onWaiting: (WaitingPolicy.Obstacle) async -> WaitDecision) async throws -> UInt64 {
        // No place has this number.
        var place: UInt64 = 0
        var (events, continuation) = AsyncStream.makeStream(of: Event.self)
        var watch: UpdateSubscription?
        var isBlocked = false
        defer { watch?.cancel() }
        do {
            while true {
                switch step {
                case .enter(let entry):
                    room.leave(place)
                    watch?.cancel()
                    watch = nil
                    isBlocked = false
                    (events, continuation) = AsyncStream.makeStream(of: Event.self)
                    place = room.enter(
                        wait.requirement, deadline: entry.deadline, earliest: entry.earliest,
                        retriesOnChange: entry.retriesOnChange
                    ) { [continuation] in continuation.yield(.room($0)) }
                    step = .stay
                case .stay:
                    if isBlocked, watch == nil { watch = watchRoutes(continuation) }
                    switch await events.first(where: { _ in true }) {
                    case .room(let event)?: step = wait.handle(event, at: now)
                    case .newRoute?: step = obstacle.map { .findRoute($0) } ?? .stay
                    // The stream ends when the task is cancelled.
                    case nil: throw CancellationError()
                    }
                case .findRoute(let reason):
                    // If a path has appeared meanwhile, the request waits for its turn.
                    isBlocked = await !isNearby(reason) || obstacle == nil
                    step = wait.found(isNearby: !isBlocked, despite: reason)
                case .notify(let reason, let next):
                    if await onWaiting(reason) == .giveUpAsStale { throw wait.error(.stale, reason) }
                    step = next
                case .connect:
                    let error = await hostError()
                    try Task.checkCancellation()
                    step = wait.connected(error, at: now, random: room.random())
                case .expire(let error): throw error
                case .attempt, .findCause, .fail: return place
                }
            }
        } catch {
            room.leave(place)
            throw error
        }
    }

    /// Decides whether there is another attempt; a later `pass` waits until it may start.
    package mutating func mayRetry(after failure: RequestFailure) async -> Bool {
        guard !Task.isCancelled else { return false }
        if failure.kind.isOfConnectivity || failure.kind == .redirectLoop { room.reportFailure(wait.requirement) }
        step = wait.failed(failure, obstacle: obstacle, at: now, random: room.random())
        if step == .findCause {
            let (cause, internet) = await room.cause(of: failure, to: contact, wait.requirement)
            guard !Task.isCancelled else { return false }
            step = wait.found(cause, internet: internet, at: now, random: room.random())
        }
        switch step {
        case .fail: return false
        case .enter(let entry) where entry.spendsRetry: return room.spend()
        default: return true
        }
    }

    /// The failure that the request ends with, and the network's error that specifies it; nil without a failure.
    package var end: (failure: RequestFailure, cause: HostError?)? {
        if case .fail(let failure, let cause) = step { (failure, cause) } else { nil }
    }

    /// The current obstacle to another attempt; nil if the network seems to work, or if the request does not need it.
    package var obstacle: WaitingPolicy.Obstacle? { room.obstacle(to: wait.requirement) }

    /// The missing path that the system shows when it is read again; nil if there is a path.
    ///
    /// The kernel announces a lost carrier up to a second late. Until then, names cannot be found for no known reason.
    package var unannouncedObstacle: WaitingPolicy.Obstacle? {
        guard room.watchesThisMachine else { return nil }
        let requirement = WaitRequirement(interfaces: wait.requirement.interfaces)
        guard wait.requirement.needsPath else { return nil }
        return requirement.obstacle(in: Connectivity(NetworkPath.read(), at: room.time.moment.realtime))
    }

    private var now: Duration { room.time.moment.boottime }

    /// Reports that the contact has its own route, without a path.
    private func watchRoutes(_ continuation: AsyncStream<Event>.Continuation) -> UpdateSubscription? {
        contact.map { contact in
            HostEnvironment.system.watchRoutes(to: [contact.host]) { routes in
                if !routes.isEmpty { continuation.yield(.newRoute) }
            }
        }
    }

    /// The reason why the host that the policy names cannot be reached; nil if it can, or if the policy names no host.
    private func hostError() async -> HostError? {
        guard let host = wait.host else { return nil }
        let report = await HostReachability(host, connects: true, timeout: wait.connectionLimit(at: now)).check()
        return report.state == .reachable ? nil : report.error ?? HostError(.unknown)
    }
}
