// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import LibC
import SystemSupport

/// Sends requests over its own sockets, with the TLS library of the system.
///
/// Each request uses a new connection, and a thread for as long as it lasts. HTTPS needs OpenSSL 1.1 or later
/// (`libssl`) when the program runs, and CA certificates; without them, HTTPS endpoints fail
/// with `tlsUnavailable` and do not count.
package struct SocketHTTPProbe: Prober {
    let resolver: any NameResolver
    private let runner: any SocketRunner
    /// Whether it resolves names as this machine is configured to.
    var isSystems: Bool { (resolver as? SystemResolver)?.isMachines == true }
    let environment: @Sendable () -> [String: String]
    private var time: TimeSource { runner.time }

    init(over transport: NetworkTransport) {
        // A machine in memory has no environment.
        let isInMemory = transport.isInMemory
        self.init(resolver: transport.resolver, over: transport.runner) { isInMemory ? [:] : Self.processEnvironment() }
    }

    /// Creates a prober.
    ///
    /// - Parameters:
    ///   - resolver: finds the addresses of hosts.
    ///   - runner: runs the connections.
    ///   - environment: returns the variables that name proxies.
    package init(
        resolver: any NameResolver = SystemResolver.shared, over runner: any SocketRunner = KernelSocketRunner(),
        environment: @escaping @Sendable () -> [String: String] = Self.processEnvironment
    ) {
        self.resolver = resolver
        self.runner = runner
        self.environment = environment
    }

    package func probe(_ request: ProbeRequest) async -> ProbeResult {
        let start = time.now
        var result = await untimed(request)
        result.durations.total = time.now - start
        return result
    }

    private func untimed(_ request: ProbeRequest) async -> ProbeResult {
        var result = ProbeResult()
        do {
            let settings = ProxySettings(
                environment: request.configuration.proxies == .environment ? environment() : [:])
            let proxy = try settings.proxy(for: request.target)
            result.isProxied = proxy != nil
            result.proxy = proxy?.url
            let start = time.now
            let host = proxy?.host ?? request.target.host
            let addresses: [NetworkAddress]
            if let literal = NetworkAddress(host) {
                addresses = [literal]
            } else {
                request.progress.enter(.resolve, result, at: time.now)
                defer { result.durations.resolve = time.now - start }
                addresses = try await resolve(host, request).get()
            }
            guard proxy != nil || addresses.contains(where: request.configuration.family.allows) else {
                throw ProbeError(
                    .excluded, during: .prepare, "the host has no \(request.configuration.family.rawValue) address")
            }
            let resolved = result
            let done = await runner.run("dialtone.probe") { exchange(request, proxy, addresses, resolved, $0) }
            if let done { return done }
            throw ProbeError(.noResources, during: .prepare, "no thread or descriptor left")
        } catch let error as ProbeError {
            result.error = error
        } catch {
            result.error = ProbeError(.noResources, during: .prepare, "\(error)")
        }
        return result
    }

    /// Connects, and exchanges the request and the response, on the calling thread.
    private func exchange(
        _ request: ProbeRequest, _ proxy: ProxySettings.Proxy?, _ addresses: [NetworkAddress], _ resolved: ProbeResult,
        _ sockets: any NetworkSockets
    ) -> ProbeResult {
        var result = resolved
        do throws(ProbeError) {
            let socket = try connect(addresses, proxy?.port ?? request.target.port, request, sockets, &result)
            var exchange = HTTPExchange(
                request: request, proxy: proxy, socket: socket, sockets: sockets, result: result)
            return exchange.run()
        } catch {
            result.error = error
            return result
        }
    }

    private func resolve(_ host: String, _ request: ProbeRequest) async -> Result<[NetworkAddress], ProbeError> {
        let resolver = resolver
        let family = request.configuration.family
        let start = time.now
        let result: Result<[NetworkAddress], ProbeError> = await firstAnswer(
            until: min(time.now + request.configuration.timeouts.resolve, request.deadline), on: time,
            late: .failure(.resolving(.timedOut)), cancelled: .failure(.resolving(.cancelled))
        ) {
            do {
                let addresses = try await resolver.addresses(of: host, family: family).filter(family.allows)
                return addresses.isEmpty ? .failure(.resolving(.noAddress)) : .success(addresses)
            } catch {
                return .failure(error as? ProbeError ?? .resolving(.nameServerFailure, "\(error)"))
            }
        }
        if case .failure(let error) = result, error.code == .timedOut, let system = resolver as? SystemResolver {
            return .failure(system.fault(ofLookupSince: start).error(.timedOut))
        }
        return result
    }

    private func connect(
        _ addresses: [NetworkAddress], _ port: UInt16, _ request: ProbeRequest, _ sockets: any NetworkSockets,
        _ result: inout ProbeResult
    ) throws(ProbeError) -> any NetworkSocket {
        let probe = ProbeSocket(sockets, request.configuration.binding)
        let progress = request.progress
        progress.enter(.connect, result, at: sockets.time.now)
        // Further addresses would delay the verdict too much.
        let pace = HappyEyeballs.Pace(
            bound: min(request.configuration.timeouts.connect, sockets.time.now.duration(to: request.deadline)),
            mostAttempts: 8)
        let preferred = addresses.first?.version
        let ordered =
            request.reversesFamilies
            ? addresses.filter { $0.version != preferred } + addresses.filter { $0.version == preferred } : addresses
        let (ending, isInterrupted) = SocketRace.run(ordered, port: port, pace: pace, sockets) {
            address throws(ProbeError) in
            progress.connects(to: address, at: sockets.time.now)
            return try probe.open(for: address)
        }
        result.failedAttempts = ending.attempts.compactMap { attempt in
            switch attempt.result {
            case .success?: nil
            case .failure(let error)?: .init(attempt.address, error, after: attempt.duration)
            case nil: .init(attempt.address, after: attempt.duration)
            }
        }
        result.durations.connect = ending.winning ?? ending.connecting
        if !result.failedAttempts.isEmpty { result.durations.delay = ending.winning.map { ending.connecting - $0 } }
        if case .connected(let address) = ending.outcome, let socket = ending.socket {
            result.address = address
            return socket
        }
        result.packets = SentPackets(ending.attempts.compactMap(\.packets))
        if ending.outcome == .timedOut {
            result.address = ending.attempts.last?.address
            throw .connecting(isInterrupted ? .cancelled : .timedOut)
        }
        result.address = ending.failure?.address
        throw ending.failure?.error ?? .connecting(.noAddress)
    }

    /// The variables that name proxies.
    static func processEnvironment() -> [String: String] {
        ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
            .reduce(into: [:]) { $0[$1] = ProcessEnvironment.value($1) }
    }
}

#endif
