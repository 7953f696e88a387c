// SPDX-License-Identifier: Apache-2.0

/// Decides what a request that waits for connectivity does next: wait, make an attempt, or end.
///
/// A value without clocks, tasks or locks: its owner (`ConnectivityWait`) performs the returned steps, and passes in their
/// results with the time. A cancellation needs no step: the owner then stops.
///
/// The rules:
/// - The request waits in a room until there is no obstacle. A nearby host needs no path: if the room reports an
///   obstacle, the route to the host decides.
/// - An attempt whose connection the network could not carry is not counted, and continues the wait, with growing pauses.
/// - An operation has a policy: each of its waits is notified once, and `RetryRules` decides about its other failures.
/// - A session's task has none: only its first wait is notified, and a connection that failed for no known reason is
///   repeated once.
struct RequestWait: Hashable, Sendable {
    /// The next action of the owner.
    indirect enum Step: Hashable, Sendable {
        /// Enter the room, and wait for its first event.
        case enter(Entry)
        /// Wait for the next event of the room.
        case stay
        /// Find out whether the host needs no path, although the room reports this obstacle.
        case findRoute(WaitingPolicy.Obstacle)
        /// Notify the caller, which may give up, before the next step.
        case notify(WaitingPolicy.Obstacle, then: Step)
        /// Find out whether the host accepts a connection.
        case connect
        /// Make an attempt.
        case attempt
        /// Find out why the network could not carry the connection of the attempt.
        case findCause
        /// End with the attempt's failure; the network's error is known if it specifies the failure.
        case fail(RequestFailure, HostError?)
        /// End without an attempt.
        case expire(WaitingError)
    }

    /// How the request enters the room.
    struct Entry: Hashable, Sendable {
        /// The end of the stay.
        var deadline: Duration?
        /// The end of a pause after a failure.
        var earliest: Duration?
        /// Whether a change of the path ends the pause.
        var retriesOnChange = false
        /// Whether the attempt costs a retry of the room's budget.
        var spendsRetry = false
    }

    private let policy: WaitingPolicy?
    private let backoff: WaitingPolicy.Backoff
    /// The time limit for the start of an attempt.
    private let deadline: Duration?
    /// The host whose connection proves connectivity; nil if a path, or a check, is enough.
    let host: HostTarget?
    /// The requirement of the request now: a nearby host needs no path.
    private(set) var requirement: WaitRequirement
    /// How the request has entered the room.
    private var entry = Entry()
    private(set) var attempts = 0
    /// The failure of the last attempt.
    private var failure: RequestFailure?
    /// The last obstacle that an attempt, or a connection to the host, has shown; nil between two attempts.
    private var reason: WaitingPolicy.Obstacle?
    private var hasNotified = false
    /// The number of attempts in a row whose connection the network could not carry.
    private var uncarriedCount = 0
    /// The number of times in a row that the host has accepted no connection.
    private var refusalCount = 0
    /// The number of times in a row that the request has entered the room.
    private var entryCount = 0
    /// Whether a task has been retried, since it last waited, although nothing kept its connection from being
    /// established.
    private var hasRetried = false

    /// Creates the wait of an operation.
    init(_ policy: WaitingPolicy, at now: Duration) {
        self.policy = policy
        backoff = policy.backoff
        deadline = policy.deadline.map { now + $0 }
        host = if case .host(let target) = policy.level { target } else { nil }
        requirement = WaitRequirement(policy)
    }

    /// Creates the wait of a session's task.
    init(_ requirement: WaitRequirement) {
        // Each attempt sends a few small packets.
        policy = nil
        backoff = WaitingPolicy.Backoff(longest: .seconds(10))
        deadline = nil
        host = nil
        self.requirement = requirement
    }

    // MARK: Waiting

    mutating func begin(at now: Duration) -> Step { enter(entry, at: now) }

    /// Handles an event of the room.
    mutating func handle(_ event: WaitingRoom.Event, at now: Duration) -> Step {
        switch event {
        case .admitted: return host == nil ? connected(nil, at: now, random: 0) : .connect
        case .expired(let reason):
            if isLate(now) { return .expire(error(.deadlinePassed, reason ?? self.reason)) }
            // The host's link may have appeared.
            return enter(entry, at: now)
        case .waiting(let reason):
            return policy != nil && host == nil ? notify(reason, then: .stay) : .findRoute(reason)
        }
    }

    /// Handles the answer to `findRoute`.
    mutating func found(isNearby: Bool, despite reason: WaitingPolicy.Obstacle) -> Step {
        guard isNearby else { return notify(reason, then: .stay) }
        requirement.needsPath = false
        entry.deadline = deadline
        return .enter(entry)
    }

    /// Handles the answer to `connect`: why the host accepted no connection; nil if it did.
    mutating func connected(_ error: HostError?, at now: Duration, random: Double) -> Step {
        let reason = error.map { WaitingPolicy.Obstacle.hostUnreachable($0) }
        // The answer may have come too late for an attempt to start.
        if isLate(now) { return .expire(self.error(.deadlinePassed, reason ?? self.reason)) }
        guard let reason else { return attempt() }
        self.reason = reason
        refusalCount += 1
        entryCount = 0
        let pause = pause(refusalCount, at: now, random)
        return notify(reason, then: enter(Entry(earliest: pause, retriesOnChange: uncarriedCount > 0), at: now))
    }

    mutating func attempt() -> Step {
        attempts += 1
        return .attempt
    }

    // MARK: Failures

    /// Handles a failed attempt.
    ///
    /// - Parameters:
    ///   - failure: the failure.
    ///   - obstacle: the current obstacle to another attempt, by the room; nil if the network seems to work.
    mutating func failed(_ failure: RequestFailure, obstacle: WaitingPolicy.Obstacle?, at now: Duration, random: Double)
        -> Step
    {
        var failure = failure
        // A server has redirected the operation, and has received it.
        if failure.isOfOtherHost(than: policy?.contact) { failure.mayHaveReachedServer = true }
        self.failure = failure
        let mayRepeat = policy?.isIdempotent == true || !failure.mayHaveReachedServer
        if obstacle == nil, mayRepeat, failure.kind.isOfConnectivity, failure.kind != .notAllowed { return .findCause }
        return next(after: failure, obstacle, nil, uncarried: nil, at: now, random)
    }

    /// Handles the answer to `findCause`.
    ///
    /// - Parameters:
    ///   - cause: why the network could not carry the connection; nil if it could, as far as this machine can know.
    ///   - internet: why the Internet cannot be reached, if that was determined: a router whose uplink is down reports
    ///     hosts as unreachable, or drops the packets, and name servers beyond it, or that forward to it, fail.
    mutating func found(_ cause: HostError?, internet: WaitingPolicy.Obstacle?, at now: Duration, random: Double)
        -> Step
    {
        var failure = failure ?? RequestFailure(.unknown)
        var uncarried: WaitingPolicy.Obstacle?
        switch cause?.code {
        case nil: if failure.kind.mayBeOfUplink { uncarried = internet }
        case let code? where HostError.Code.ofNameServers.contains(code):
            uncarried = internet ?? .hostUnreachable(cause)
        case .noRoute?, .routerSilent?: uncarried = .hostUnreachable(cause)
        // Waiting does not help: the host, its name, or the request is at fault.
        case .nameNotFound?, .noAddress?, .unreachable?, .denied?: failure = cause?.requestFailure ?? failure
        default: break
        }
        return next(after: failure, nil, cause, uncarried: uncarried, at: now, random)
    }

    private mutating func next(
        after failure: RequestFailure, _ obstacle: WaitingPolicy.Obstacle?, _ cause: HostError?,
        uncarried: WaitingPolicy.Obstacle?,
        at now: Duration, _ random: Double
    ) -> Step {
        let decision = decision(failure, obstacle, cause, uncarried)
        reason = uncarried
        uncarriedCount = uncarried == nil ? 0 : uncarriedCount + 1
        refusalCount = 0
        entryCount = 0
        // Attempts whose connection the network could not carry are parts of one wait.
        if policy != nil { hasNotified = uncarriedCount > 1 }
        switch decision {
        case .fail: return .fail(failure, cause)
        case .whenCarried:
            attempts -= 1
            hasRetried = false
            let step = enter(Entry(earliest: pause(uncarriedCount, at: now, random), retriesOnChange: true), at: now)
            return uncarried.map { notify($0, then: step) } ?? step
        case .whenBack:
            hasRetried = hasRetried || obstacle == nil
            return enter(Entry(earliest: now), at: now)
        case .afterBackoff:
            let next = now + backoff.delay(after: attempts, random: random)
            if let deadline, next >= deadline { return .fail(failure, cause) }
            return enter(Entry(earliest: next, spendsRetry: true), at: now)
        }
    }

    private func decision(
        _ failure: RequestFailure, _ obstacle: WaitingPolicy.Obstacle?, _ cause: HostError?,
        _ uncarried: WaitingPolicy.Obstacle?
    ) -> RetryRules.Decision {
        if let policy {
            return RetryRules(
                policy: policy, attempts: attempts, failure: failure, obstacle: obstacle, uncarried: uncarried
            ).decision
        }
        if uncarried != nil { return .whenCarried }
        // The network may have returned since the attempt began. An attempt of a minute is repeated only if the network is
        // known to have been at fault.
        let mayBeBack = cause == nil && !hasRetried && (failure.kind != .timedOut || hasNotified)
        return obstacle != nil || mayBeBack ? .whenBack : .fail
    }

    // MARK: Parts

    /// The time limit of a connection to the host.
    func connectionLimit(at now: Duration) -> Duration {
        let usual = Duration.seconds(10)
        return deadline.map { min(max($0 - now, .zero), usual) } ?? usual
    }

    private func isLate(_ now: Duration) -> Bool { deadline.map { now >= $0 } ?? false }

    private mutating func enter(_ entry: Entry, at now: Duration) -> Step {
        entryCount += 1
        requirement.needsPath = true
        self.entry = entry
        // A nearby host needs no path, and its link may appear at any time.
        let look = host.map { _ in now + backoff.limit(after: entryCount) }
        self.entry.deadline = [deadline, look].compactMap(\.self).min()
        return .enter(self.entry)
    }

    private mutating func notify(_ reason: WaitingPolicy.Obstacle, then step: Step) -> Step {
        guard !hasNotified else { return step }
        hasNotified = true
        return .notify(reason, then: step)
    }

    /// The end of a pause, which the deadline limits.
    private func pause(_ failures: Int, at now: Duration, _ random: Double) -> Duration {
        let next = now + backoff.delay(after: failures, random: random)
        return deadline.map { min(next, $0) } ?? next
    }

    func error(_ code: WaitingError.Code, _ reason: WaitingPolicy.Obstacle?) -> WaitingError {
        WaitingError(code, obstacle: reason, failure: failure, attempts: attempts)
    }
}
