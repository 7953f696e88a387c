// SPDX-License-Identifier: Apache-2.0

import SystemSupport

// After a connection could not be established, these determine whether the network could carry it. HTTP clients report
// such failures with codes that do not tell the causes apart.

extension HostEnvironment {
    /// Determines why a connection to a host could not be established, as far as this machine can know.
    ///
    /// It resolves a name, and reads the routes and the state of the routers that they lead to; it does not connect.
    ///
    /// - Parameters:
    ///   - host: the host that was contacted, or its proxy.
    ///   - limit: the time limit for resolving a name.
    /// - Returns: `noRoute`, `routerSilent`, or an error of the name servers, if the network could not carry the
    ///   connection; `nameNotFound` or `noAddress`; `unreachable` for a host on this machine's own link that does not
    ///   answer; `denied` if a sandbox refuses sockets; nil if none of these applies, or if it cannot be determined.
    func obstacle(to host: HostTarget.Host, within limit: Duration = .seconds(6)) async -> HostError? {
        if let socketRefusal { return socketRefusal }
        let addresses: Set<NetworkAddress>
        switch await self.addresses(of: host, within: limit) {
        case .success(let found): addresses = found
        case .failure(let error): return error
        }
        guard let view = await routing.view(of: addresses) else { return nil }
        let neighbors = addresses.compactMap { address in
            (try? view.routes[address]?.get())?.neighbor(toward: address)
        }
        return view.obstacle(to: addresses, absent: await absent(Set(neighbors)))
    }

    /// Determines why connections to hosts on the Internet cannot be established, as far as this machine can know.
    ///
    /// - Parameters:
    ///   - path: the current path.
    ///   - resolving: whether the resolution of a name has failed; the name servers are then queried.
    /// - Returns: `routerSilent`, or an error of the name servers; `denied` if a sandbox refuses sockets; nil if none of
    ///   these applies.
    func obstacle(over path: NetworkPath, resolving: Bool) async -> HostError? {
        if let socketRefusal { return socketRefusal }
        if let error = await routerError(over: path) { return error }
        guard resolving else { return nil }
        let (servers, areConfigured) = await Background.run { NameServiceFiles.nameServers() }
        let answers = await NameServerProbe(servers, about: "").run(within: .seconds(3), over: runner)
        guard !answers.contains(where: { $0.outcome == .answers }) else { return nil }
        var found = NameServers(servers, areConfigured: areConfigured)
        for (index, answer) in answers.enumerated() { found.react(index, answer) }
        return NameServerFault(found).map { HostError(resolving: $0.error) }
    }

    /// The addresses of a host, whose name must be resolved within a limit.
    func addresses(of host: HostTarget.Host, within limit: Duration) async -> Result<Set<NetworkAddress>, HostError> {
        guard host.knownAddresses.isEmpty, case .name(let name) = host else { return .success(host.knownAddresses) }
        let late = Result<Set<NetworkAddress>, HostError>.failure(HostError(.resolverSilent))
        return await firstAnswer(until: time.now + limit, on: time, late: late, cancelled: late) {
            await resolver.resolve(name, .any).map { Set($0) }
        }
    }

    /// The error of routers of which none is present; nil if one may be, and without routers.
    private func routerError(over path: NetworkPath) async -> HostError? {
        let absent = await absent(Set(path.gateways.compactMap(path.neighbor)))
        let isSilent = path.gateways.allSatisfy { path.neighbor($0).map(absent.contains) ?? false }
        return isSilent ? path.gateways.first.map { .routerSilent($0) } : nil
    }
}

extension HostView {
    /// Determines why no connection to any of some addresses could be established; nil if one of them is not blocked.
    ///
    /// - Parameters:
    ///   - addresses: the addresses of the host; their routes are in the view.
    ///   - absent: the neighbors on these routes that are known to be absent.
    func obstacle(to addresses: Set<NetworkAddress>, absent: Set<Neighbor>) -> HostError? {
        var errors: [HostError] = []
        for address in addresses {
            switch routes[address] {
            case .success(let route)?:
                guard let neighbor = route.neighbor(toward: address), absent.contains(neighbor) else { return nil }
                errors.append(route.gateway.map { .routerSilent($0) } ?? HostError(.unreachable))
            case .failure(let error)? where error.code == .noRoute:
                let diagnosis = path.isKnownToBeMissing ? path.diagnosis : error.diagnosis
                errors.append(HostError(.noRoute, errorNumber: error.errorNumber, diagnosis: diagnosis))
            default: return nil
            }
        }
        // A silent router may come back; a missing route to one family is normal.
        let order: [HostError.Code] = [.routerSilent, .unreachable, .noRoute]
        return order.lazy.compactMap { code in errors.first { $0.code == code } }.first
    }
}

extension HostError {
    /// The error of a router that does not answer on its link.
    fileprivate static func routerSilent(_ gateway: NetworkPath.Gateway) -> Self {
        HostError(.routerSilent, explanation: "The router \(gateway) does not answer.")
    }
}
