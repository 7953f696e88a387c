//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Does work when there is connectivity for it, and once more when it fails for want of that.
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
/// Work that finds the network as it should be begins at once. Otherwise it waits, without any limit unless the policy has a
/// deadline, and is let go some random time after the network is back, a limited number at once. Work that fails is done
/// again when its error speaks against connectivity (see `RequestFailureConvertible`), within the policy's attempts and the
/// room's budget. A response, of whatever status, is no failure.
///
/// - Parameters:
///   - policy: what to wait for, and how long.
///   - room: where to wait.
///   - onWaiting: called once for each wait, with the reason, before it; it may give the work up as stale. To give it up
///     later, cancel the task.
///   - operation: the work.
/// - Returns: what the work returns.
/// - Throws: what the work throws, when it is not to be tried again; `WaitingError` when the deadline has passed or the work
///   was given up as stale; `CancellationError` when the task is cancelled while it waits; `WaitingPolicyError` for a
///   policy that cannot be.
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
            return try await WaitingRoom.$occupied.withValue(WaitingRoom.occupied.union([ObjectIdentifier(room)])) {
                try await operation()
            }
        } catch {
            guard wait.mayRetry(after: error) else { throw error }
        }
    }
}

/// One call's way through the room, from attempt to attempt.
struct ConnectivityWait {
    let policy: WaitingPolicy
    let room: WaitingRoom
    private var requirement: WaitRequirement
    private let deadline: Duration?
    private var attempts = 0
    private var failure: RequestFailure?
    /// What was in the way of the host last.
    private var hostReason: WaitReason?
    /// The end of a backoff.
    private var earliest: Duration?

    init(_ policy: WaitingPolicy, _ room: WaitingRoom) {
        self.policy = policy
        self.room = room
        requirement = WaitRequirement(policy)
        deadline = policy.deadline.map { room.time.now.elapsed + $0 }
    }

    /// Waits until an attempt may begin.
    ///
    /// - Returns: the place in the room, to be left after the attempt.
    mutating func pass(_ onWaiting: (WaitReason) async -> WaitDecision) async throws -> UInt64 {
        var hasTold = false
        var probes = 0
        while true {
            let place = try await admission(&hasTold, onWaiting)
            do {
                let error = await hostError()
                try Task.checkCancellation()
                // The answer may have come too late for an attempt to begin.
                guard !isLate else {
                    throw ended(.deadlinePassed, error.map { .hostUnreachable($0) } ?? hostReason)
                }
                guard let error else {
                    attempts += 1
                    return place
                }
                let reason = WaitReason.hostUnreachable(error)
                hostReason = reason
                if !hasTold {
                    hasTold = true
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

    /// Waits until nothing is in the way but, perhaps, the host itself.
    private mutating func admission(
        _ hasTold: inout Bool, _ onWaiting: (WaitReason) async -> WaitDecision
    ) async throws -> UInt64 {
        requirement.needsPath = true
        var looks = 0
        while true {
            // A host that is near needs no path, and its link may come at any time.
            let look = host == nil || !requirement.needsPath ? nil : now + policy.backoff.limit(after: looks + 1)
            let end = [deadline, look].compactMap(\.self).min()
            let place = room.enter(requirement, deadline: end, earliest: earliest)
            do {
                if try await isAdmitted(place, &hasTold, onWaiting) { return place }
            } catch {
                room.leave(place)
                throw error
            }
            room.leave(place)
            looks += 1
        }
    }

    /// Whether it is let go; false when it is to enter once more.
    private mutating func isAdmitted(
        _ place: UInt64, _ hasTold: inout Bool, _ onWaiting: (WaitReason) async -> WaitDecision
    ) async throws -> Bool {
        while true {
            switch await room.next(place) {
            case .admitted: return true
            case .cancelled: throw CancellationError()
            case .expired(let reason):
                if isLate { throw ended(.deadlinePassed, reason ?? hostReason) }
                return false
            case .waiting(let reason):
                if await isHostNear() {
                    requirement.needsPath = false
                    return false
                }
                guard !hasTold else { continue }
                hasTold = true
                if await onWaiting(reason) == .giveUpAsStale { throw ended(.stale, reason) }
            }
        }
    }

    private var host: HostTarget? {
        if case .host(let target) = policy.level { target } else { nil }
    }

    private var now: Duration { room.time.now.elapsed }

    private var isLate: Bool { deadline.map { now >= $0 } ?? false }

    /// Whether the host that the policy names is this machine, or on one of its links.
    private func isHostNear() async -> Bool {
        guard let host, let route = await HostReachability(host).check().route.value else { return false }
        return route.isLocalAddress || route.isDirect
    }

    /// Why the host that the policy names cannot be reached; nil when it can, and when the policy names none.
    private func hostError() async -> HostError? {
        guard let host else { return nil }
        let usual = Duration.seconds(10)
        let timeout = deadline.map { min(max($0 - now, .zero), usual) } ?? usual
        let report = await HostReachability(host, connects: true, timeout: timeout).check()
        return report.verdict == .reachable ? nil : report.error ?? HostError(.unknown)
    }

    /// Decides whether there is another attempt, and from when on.
    mutating func mayRetry(after error: any Error) -> Bool {
        guard !Task.isCancelled else { return false }
        let failure = RequestFailure(error)
        self.failure = failure
        if failure.kind.isOfConnectivity { room.reportFailure(requirement.view) }
        let obstacle = room.obstacle(to: requirement)
        let now = room.time.now.elapsed
        switch RetryRules(policy: policy, attempts: attempts, failure: failure, obstacle: obstacle).verdict {
        case .fail: return false
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

    private func ended(_ code: WaitingError.Code, _ reason: WaitReason?) -> WaitingError {
        WaitingError(code, reason: reason, failure: failure, attempts: attempts)
    }
}
