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
            return try await operation()
        } catch {
            guard wait.mayRetry(after: error) else { throw error }
        }
    }
}

/// One call's way through the room, from attempt to attempt.
struct ConnectivityWait {
    let policy: WaitingPolicy
    let room: WaitingRoom
    let requirement: WaitRequirement
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
                guard let error = await hostError() else {
                    attempts += 1
                    return place
                }
                try Task.checkCancellation()
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

    private func admission(
        _ hasTold: inout Bool, _ onWaiting: (WaitReason) async -> WaitDecision
    ) async throws -> UInt64 {
        let place = room.enter(requirement, deadline: deadline, earliest: earliest)
        while true {
            let event = await room.next(place)
            do {
                switch event {
                case .admitted: return place
                case .cancelled: throw CancellationError()
                case .expired(let reason): throw ended(.deadlinePassed, reason ?? hostReason)
                case .waiting where hasTold: break
                case .waiting(let reason):
                    hasTold = true
                    if await onWaiting(reason) == .giveUpAsStale { throw ended(.stale, reason) }
                }
            } catch {
                room.leave(place)
                throw error
            }
        }
    }

    /// Why the host that the policy names cannot be reached; nil when it can, and when the policy names none.
    private func hostError() async -> HostError? {
        guard case .host(let target) = policy.level else { return nil }
        let report = await HostReachability(target, connects: true).check()
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
