// SPDX-License-Identifier: Apache-2.0

/// Runs an operation once connectivity is available, and retries it if it fails because connectivity was lost.
///
/// ```swift
/// let policy = WaitingPolicy(.verified, deadline: .seconds(3600), isIdempotent: true)
/// let report = try await withConnectivity(policy) { reason in
///     print(reason)  // "No carrier on eth0: is the cable in?"
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
/// not an attempt, and the deadline is its only limit.
///
/// - Parameters:
///   - policy: the connectivity to wait for, and the limits.
///   - room: the room to wait in.
///   - onWaiting: called once for each wait, before it, with the reason; it may give up the operation as stale. To give
///     it up later, cancel the task.
///   - operation: the operation.
/// - Returns: the operation's result.
/// - Throws: the operation's error, if the operation is not retried; `WaitingError` if the deadline has passed or the
///   operation was given up as stale; `CancellationError` if the task is cancelled while it waits; `WaitingPolicyError`
///   for an invalid policy.
public func withConnectivity<Value>(
    _ policy: WaitingPolicy = WaitingPolicy(), in room: WaitingRoom = .shared,
    onWaiting: (WaitReason) async -> WaitDecision = { _ in .keepWaiting },
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
            return try await WaitingRoom.$places.withValue(places) {
                try await operation()
            }
        } catch {
            guard await wait.mayRetry(after: error) else { throw error }
        }
    }
}

/// The waits of one call in the room, from attempt to attempt.
struct ConnectivityWait {
    let policy: WaitingPolicy
    let room: WaitingRoom
    private var requirement: WaitRequirement
    private let deadline: Duration?
    private var attempts = 0
    private var failure: RequestFailure?
    /// The last obstacle to reaching the host.
    private var hostReason: WaitReason?
    /// The end of a backoff.
    private var earliest: Duration?
    /// Why the network could not carry the last attempt's connection; nil if it could.
    private var uncarriedReason: WaitReason?
    /// The number of such attempts in a row.
    private var uncarriedCount = 0

    init(_ policy: WaitingPolicy, _ room: WaitingRoom) {
        self.policy = policy
        self.room = room
        requirement = WaitRequirement(policy)
        deadline = policy.deadline.map { room.time.now.elapsed + $0 }
    }

    /// Waits until an attempt may start.
    ///
    /// - Returns: the place in the room, which the caller must leave after the attempt.
    mutating func pass(_ onWaiting: (WaitReason) async -> WaitDecision) async throws -> UInt64 {
        // Attempts whose connection the network could not carry are parts of one wait.
        var hasNotified = uncarriedCount > 1
        if let uncarriedReason, !hasNotified {
            hasNotified = true
            if await onWaiting(uncarriedReason) == .giveUpAsStale { throw ended(.stale, uncarriedReason) }
        }
        var probes = 0
        while true {
            let place = try await admission(&hasNotified, onWaiting)
            do {
                let error = await hostError()
                try Task.checkCancellation()
                // The host's answer may have come too late for an attempt to start.
                guard !isLate else {
                    throw ended(.deadlinePassed, error.map { .hostUnreachable($0) } ?? hostReason)
                }
                guard let error else {
                    attempts += 1
                    return place
                }
                let reason = WaitReason.hostUnreachable(error)
                hostReason = reason
                if !hasNotified {
                    hasNotified = true
                    if await onWaiting(reason) == .giveUpAsStale { throw ended(.stale, reason) }
                }
                probes += 1
                earliest = room.time.now.elapsed + policy.backoff.delay(after: probes, random: room.random())
                if let deadline, let earliest, earliest >= deadline { self.earliest = deadline }
                room.leave(place)
            } catch {
                room.leave(place)
                throw error
            }
        }
    }

    /// Waits until there is no obstacle except, perhaps, the host itself.
    private mutating func admission(
        _ hasNotified: inout Bool, _ onWaiting: (WaitReason) async -> WaitDecision
    ) async throws -> UInt64 {
        requirement.needsPath = true
        var looks = 0
        while true {
            // A nearby host needs no path, and its link may appear at any time.
            let look = host == nil || !requirement.needsPath ? nil : now + policy.backoff.limit(after: looks + 1)
            let end = [deadline, look].compactMap(\.self).min()
            let (events, continuation) = AsyncStream.makeStream(of: WaitingRoom.Event.self)
            let place = room.enter(
                requirement, deadline: end, earliest: earliest, retriesOnChange: uncarriedReason != nil
            ) { continuation.yield($0) }
            do {
                if try await isAdmitted(events, &hasNotified, onWaiting) { return place }
            } catch {
                room.leave(place)
                throw error
            }
            room.leave(place)
            looks += 1
        }
    }

    /// Whether the operation was released; false if it must enter again.
    private mutating func isAdmitted(
        _ events: AsyncStream<WaitingRoom.Event>, _ hasNotified: inout Bool,
        _ onWaiting: (WaitReason) async -> WaitDecision
    ) async throws -> Bool {
        for await event in events {
            switch event {
            case .admitted: return true
            case .expired(let reason):
                if isLate { throw ended(.deadlinePassed, reason ?? uncarriedReason ?? hostReason) }
                return false
            case .waiting(let reason):
                if await isHostOnLink() {
                    requirement.needsPath = false
                    return false
                }
                guard !hasNotified else { continue }
                hasNotified = true
                if await onWaiting(reason) == .giveUpAsStale { throw ended(.stale, reason) }
            }
        }
        // The stream ends when the task is cancelled.
        throw CancellationError()
    }

    private var host: HostTarget? {
        if case .host(let target) = policy.level { target } else { nil }
    }

    private var now: Duration { room.time.now.elapsed }

    private var isLate: Bool { deadline.map { now >= $0 } ?? false }

    /// Whether the host that the policy names is this machine, or on one of its links.
    private func isHostOnLink() async -> Bool {
        await host?.isOnLink() ?? false
    }

    /// The reason why the host that the policy names cannot be reached; nil if it can, or if the policy names no host.
    private func hostError() async -> HostError? {
        guard let host else { return nil }
        let usual = Duration.seconds(10)
        let timeout = deadline.map { min(max($0 - now, .zero), usual) } ?? usual
        let report = await HostReachability(host, connects: true, timeout: timeout).check()
        return report.verdict == .reachable ? nil : report.error ?? HostError(.unknown)
    }

    /// Decides whether there is another attempt, and when it may start at the earliest.
    mutating func mayRetry(after error: any Error) async -> Bool {
        guard !Task.isCancelled else { return false }
        let failure = RequestFailure(error)
        self.failure = failure
        if failure.kind.isOfConnectivity { room.reportFailure(requirement.view) }
        let obstacle = room.obstacle(to: requirement)
        uncarriedReason = obstacle == nil ? await reasonForUncarried(failure) : nil
        uncarriedCount = uncarriedReason == nil ? 0 : uncarriedCount + 1
        guard !Task.isCancelled else { return false }
        let now = room.time.now.elapsed
        let rules = RetryRules(
            policy: policy, attempts: attempts, failure: failure, obstacle: obstacle, uncarried: uncarriedReason)
        switch rules.verdict {
        case .fail: return false
        case .whenCarried:
            attempts -= 1
            let next = now + policy.backoff.delay(after: uncarriedCount, random: room.random())
            earliest = deadline.map { min(next, $0) } ?? next
            return true
        case .whenBack:
            earliest = now
            return true
        case .afterBackoff:
            let next = now + policy.backoff.delay(after: attempts, random: room.random())
            if let deadline, next >= deadline { return false }
            guard room.spend() else { return false }
            earliest = next
            return true
        }
    }

    /// Why the network could not carry the connection of an attempt that failed; nil if it could.
    private func reasonForUncarried(_ failure: RequestFailure) async -> WaitReason? {
        guard policy.isIdempotent || !failure.mayHaveReachedServer else { return nil }
        switch failure.kind {
        case .notConnected, .timedOut, .nameNotFound, .cannotConnect, .connectionLost: break
        case .notAllowed, .tlsFailure, .cancelled, .invalidRequest, .unknown: return nil
        }
        let cause = await room.networkError(to: policy.contact ?? host, after: failure, requirement)
        guard case .wait(let reason) = ConnectionVerdict(cause, after: failure) else { return nil }
        return reason
    }

    private func ended(_ code: WaitingError.Code, _ reason: WaitReason?) -> WaitingError {
        WaitingError(code, reason: reason, failure: failure, attempts: attempts)
    }
}
