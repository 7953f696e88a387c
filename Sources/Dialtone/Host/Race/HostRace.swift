//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch

/// Resolves a host and connects to it, in the order and at the times that `HappyEyeballs` says.
///
/// `@unchecked Sendable`: everything that changes is used only on `queue`, which is serial.
final class HostRace: @unchecked Sendable {
    /// What came of it.
    struct Outcome: Sendable {
        /// Nil for an address, which needs no resolution.
        var resolution: HostStep<[HostAddress]>?
        /// Nil when there was nothing to connect to.
        var connection: HostStep<HostAddress>?
        var attempts: [HostAttempt]
    }

    private let target: HostTarget
    private let port: UInt16
    private let environment: HostEnvironment
    private let queue = DispatchQueue(label: "dialtone.host")
    private let start = ContinuousClock.now

    private var schedule: HappyEyeballs
    private var finish: (@Sendable (Outcome) -> Void)?
    private var isCancelled = false
    private var resolutions: [Task<Void, Never>] = []
    private var resolutionErrors: [HostError] = []
    private var addresses: [HostAddress] = []
    private var resolvedAfter: Duration?
    private var firstAttemptAfter: Duration?
    private var underWay: [HostAddress: (attempt: ConnectionAttempt, since: Duration)] = [:]
    private var attempts: [HostAttempt] = []
    private var alarm: (any DispatchSourceTimer)?

    init(_ target: HostTarget, port: UInt16, preferred: IPVersion, environment: HostEnvironment) {
        self.target = target
        self.port = port
        self.environment = environment
        let families: Set<IPVersion> =
            if case .address(let address) = target.host { [address.version] } else { [.ipv4, .ipv6] }
        schedule = HappyEyeballs(families: families, preferred: preferred, pace: environment.pace)
    }

    /// Runs it to its end; once.
    ///
    /// Returns at the bound at the latest, and at once when the task is cancelled.
    func run() async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { self.begin { continuation.resume(returning: $0) } }
            }
        } onCancel: {
            queue.async { self.cancel() }
        }
    }

    private var now: Duration { ContinuousClock.now - start }

    private func begin(_ finish: @escaping @Sendable (Outcome) -> Void) {
        self.finish = finish
        if isCancelled { return end(.timedOut) }
        switch target.host {
        case .address(let address): handle(.resolved(address.version, [address]))
        case .name(let name) where HostName.isLocalhost(name):
            for address in HostAddress.loopbacks { receive(.success([address]), address.version) }
        case .name(let name):
            // RFC 8305 section 3: both at the same time, IPv6 first.
            for version in [IPVersion.ipv6, .ipv4] { resolve(name, version) }
        }
        setAlarm()
    }

    private func cancel() {
        isCancelled = true
        if finish != nil { end(.timedOut) }
    }

    private func resolve(_ name: String, _ version: IPVersion) {
        let task = Task { [resolver = environment.resolver, queue] in
            let result: Result<[HostAddress], HostError>
            do {
                let found = try await resolver.addresses(of: name, family: version == .ipv4 ? .ipv4 : .ipv6)
                result = found.isEmpty ? .failure(HostError(.noAddress)) : .success(found)
            } catch {
                result = .failure(HostError(resolving: error))
            }
            queue.async { [weak self] in self?.receive(result, version) }
        }
        resolutions.append(task)
    }

    private func receive(_ result: Result<[HostAddress], HostError>, _ version: IPVersion) {
        guard finish != nil else { return }
        switch result {
        case .success(let found):
            if addresses.isEmpty { resolvedAfter = now }
            addresses += found
            handle(.resolved(version, found))
        case .failure(let error):
            resolutionErrors.append(error)
            if addresses.isEmpty { resolvedAfter = now }
            handle(.resolved(version, []))
        }
    }

    private func handle(_ event: HappyEyeballs.Event) {
        for action in schedule.handle(event, at: now) {
            switch action {
            case .attempt(let address): attempt(address)
            case .finish(let outcome): return end(outcome)
            }
        }
        setAlarm()
    }

    private func attempt(_ address: HostAddress) {
        firstAttemptAfter = firstAttemptAfter ?? now
        let attempt = ConnectionAttempt(
            to: address, port: port, openSocket: environment.openSocket, on: queue
        ) { [weak self] error in self?.attemptEnded(address, error) }
        underWay[address] = (attempt, now)
    }

    private func attemptEnded(_ address: HostAddress, _ error: HostError?) {
        guard let (_, since) = underWay.removeValue(forKey: address) else { return }
        attempts.append(
            HostAttempt(address: address, outcome: error.map { .failed($0) } ?? .connected, duration: now - since))
        handle(error == nil ? .connected(address) : .failed(address))
    }

    private func setAlarm() {
        guard finish != nil, let deadline = schedule.deadline else { return }
        let timer = alarm ?? makeAlarm()
        // A bound far away is waited for in pieces.
        let wait = min(max(deadline - now, .zero), .seconds(3600))
        timer.schedule(deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1))))
    }

    private func makeAlarm() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.handle(.timePassed) }
        timer.activate()
        alarm = timer
        return timer
    }

    private func end(_ outcome: HappyEyeballs.Outcome) {
        guard let finish else { return }
        self.finish = nil
        alarm?.cancel()
        for task in resolutions { task.cancel() }
        for (address, running) in underWay.sorted(by: { $0.value.since < $1.value.since }) {
            running.attempt.cancel()
            attempts.append(HostAttempt(address: address, outcome: .abandoned, duration: now - running.since))
        }
        underWay = [:]
        finish(Outcome(resolution: resolution(outcome), connection: connection(outcome), attempts: attempts))
    }

    private func resolution(_ outcome: HappyEyeballs.Outcome) -> HostStep<[HostAddress]>? {
        guard case .name = target.host else { return nil }
        if !addresses.isEmpty { return HostStep(.success(addresses), resolvedAfter ?? now) }
        // At the bound, a name server still owes an answer.
        let error = outcome == .timedOut ? HostError(.timedOut) : HostError.combined(resolutionErrors)
        return HostStep(.failure(error), now)
    }

    private func connection(_ outcome: HappyEyeballs.Outcome) -> HostStep<HostAddress>? {
        if case .name = target.host, addresses.isEmpty { return nil }
        let duration = firstAttemptAfter.map { now - $0 } ?? .zero
        switch outcome {
        case .connected(let address): return HostStep(.success(address), duration)
        case .timedOut: return HostStep(.failure(HostError(.timedOut)), duration)
        case .failed: return HostStep(.failure(lastError ?? HostError(.timedOut)), duration)
        }
    }

    /// The error that says most: a host that refuses is nearer than one that is silent or cannot be reached.
    private var lastError: HostError? {
        let errors = attempts.compactMap(\.error)
        return errors.first { $0.code == .refused } ?? errors.first { $0.code != .unreachable } ?? errors.last
    }
}
