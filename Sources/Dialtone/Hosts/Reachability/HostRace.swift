// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SystemSupport

/// Resolves a host and connects to it, starting with the addresses that are resolved first.
///
/// `@unchecked Sendable`: all mutable state is used only on `queue`, which is serial, or by the one piece of work of a race in memory.
final class HostRace: @unchecked Sendable {
    struct Outcome: Sendable {
        /// Nil for an address, which needs no resolution.
        var resolution: HostStep<[NetworkAddress]>?
        /// Nil if there was no address to connect to.
        var connection: HostStep<NetworkAddress>?
        var attempts: [HostAttempt]
    }

    private let target: HostTarget
    private let port: UInt16
    private let preferred: IPVersion
    private let environment: HostEnvironment
    // A queue without a target uses its own thread whenever it has work: hundreds of hosts would use hundreds of threads.
    private let queue = DispatchQueue(label: "dialtone.host", target: .global())

    private var race: ConnectionRace<HostError>?
    private var isCancelled = false
    private var resolutions: [Task<Void, Never>] = []
    private var resolutionErrors: [HostError] = []
    private var addresses: [NetworkAddress] = []
    private var resolvedAfter: Duration?

    init(_ target: HostTarget, port: UInt16, preferred: IPVersion, environment: HostEnvironment) {
        self.target = target
        self.port = port
        self.preferred = preferred
        self.environment = environment
    }

    /// Runs the race to its end; may be called once.
    ///
    /// Returns at the time limit at the latest, and at once if the task is cancelled.
    func run() async -> Outcome {
        if let host = (environment.resolver as? SystemResolver)?.host { return await run(in: host) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { self.begin { continuation.resume(returning: $0) } }
            }
        } onCancel: {
            queue.async { self.cancel() }
        }
    }

    /// Runs the race over a network in memory.
    private func run(in host: NameServiceHost) async -> Outcome {
        let outcome = await environment.runner.run("dialtone.host") { [self] sockets in
            var found: [(version: IPVersion, answer: Result<[NetworkAddress], ProbeError>, after: Duration)] = []
            switch target.host {
            case .address(let address): found = [(address.version, .success([address]), .zero)]
            case .name(let name) where HostName.isLocalhost(name):
                found = NetworkAddress.loopbacks.map { ($0.version, .success([$0]), .zero) }
            case .name(let name):
                for (version, family) in [(IPVersion.ipv6, NetworkAddress.Family.ipv6), (.ipv4, .ipv4)] {
                    let (answer, duration) = host.lookUp(name, family)
                    found.append((version, answer, duration))
                }
            }
            let resolutions = found.map {
                (version: $0.version, addresses: (try? $0.answer.get()) ?? [], after: $0.after)
            }
            let start = sockets.time.now
            let (ending, _) = SocketRace<HostError>.run(
                resolutions, preferred: preferred, port: port, pace: environment.pace, sockets
            ) { address throws(HostError) in
                do throws(SystemError) { return try sockets.open(address.version, .stream) } catch {
                    throw HostError(connecting: error)
                }
            }
            let taken = start.duration(to: sockets.time.now)
            for entry in found where entry.after <= taken {
                if case .success(let addresses) = entry.answer {
                    self.addresses += addresses
                    resolvedAfter = min(resolvedAfter ?? entry.after, entry.after)
                }
                if case .failure(let error) = entry.answer { resolutionErrors.append(HostError(resolving: error)) }
            }
            return self.outcome(ending, after: taken)
        }
        return outcome ?? Outcome(resolution: nil, connection: nil, attempts: [])
    }

    private func begin(_ finish: @escaping @Sendable (Outcome) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        let families: Set<IPVersion> =
            if case .address(let address) = target.host { [address.version] } else { [.ipv4, .ipv6] }
        race = ConnectionRace(
            port: port, schedule: HappyEyeballs(families: families, preferred: preferred, pace: environment.pace),
            on: queue, time: environment.time, openSocket: environment.openSocket,
            finish: { finish(self.end($0)) })
        if isCancelled { race?.cancel() }
        guard race != nil else { return }
        switch target.host {
        case .address(let address): race?.resolved(address.version, [address])
        case .name(let name) where HostName.isLocalhost(name):
            for address in NetworkAddress.loopbacks { receive(.success([address]), address.version) }
        case .name(let name):
            // RFC 8305 section 3: both at the same time, IPv6 first.
            for version in [IPVersion.ipv6, .ipv4] { resolve(name, version) }
        }
    }

    private func cancel() {
        dispatchPrecondition(condition: .onQueue(queue))
        isCancelled = true
        race?.cancel()
    }

    private func resolve(_ name: String, _ version: IPVersion) {
        let task = Task { [resolver = environment.resolver, queue] in
            let result = await resolver.resolve(name, version == .ipv4 ? .ipv4 : .ipv6)
            queue.async { [weak self] in self?.receive(result, version) }
        }
        resolutions.append(task)
    }

    private func receive(_ result: Result<[NetworkAddress], HostError>, _ version: IPVersion) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let race else { return }
        if addresses.isEmpty { resolvedAfter = race.elapsed }
        switch result {
        case .success(let found): addresses += found
        case .failure(let error): resolutionErrors.append(error)
        }
        race.resolved(version, (try? result.get()) ?? [])
    }

    private func end(_ ending: ConnectionRace<HostError>.Ending) -> Outcome {
        dispatchPrecondition(condition: .onQueue(queue))
        let duration = race?.elapsed ?? .zero
        race = nil
        for task in resolutions { task.cancel() }
        return outcome(ending, after: duration)
    }

    private func outcome(_ ending: ConnectionRace<HostError>.Ending, after duration: Duration) -> Outcome {
        Outcome(
            resolution: resolution(ending.outcome, duration), connection: connection(ending),
            attempts: ending.attempts.map { HostAttempt($0) })
    }

    private func resolution(_ outcome: HappyEyeballs.Outcome, _ duration: Duration) -> HostStep<[NetworkAddress]>? {
        guard case .name = target.host else { return nil }
        if !addresses.isEmpty { return HostStep(.success(addresses), resolvedAfter ?? duration) }
        // At the time limit, a name server has not answered yet.
        let error = outcome == .timedOut ? HostError(.resolverSilent) : HostError.combined(resolutionErrors)
        return HostStep(.failure(error), duration)
    }

    private func connection(_ ending: ConnectionRace<HostError>.Ending) -> HostStep<NetworkAddress>? {
        if case .name = target.host, addresses.isEmpty { return nil }
        switch ending.outcome {
        case .connected(let address): return HostStep(.success(address), ending.winning ?? ending.connecting)
        case .timedOut: return HostStep(.failure(HostError(.timedOut)), ending.connecting)
        case .failed: return HostStep(.failure(ending.failure?.error ?? HostError(.timedOut)), ending.connecting)
        }
    }
}

extension HostAttempt {
    fileprivate init(_ attempt: ConnectionRace<HostError>.Attempt) {
        let outcome: Outcome =
            switch attempt.result {
            case .success?: .connected
            case .failure(let error)?: .failed(error)
            case nil: .abandoned
            }
        self.init(address: attempt.address, outcome: outcome, duration: attempt.duration)
    }
}
