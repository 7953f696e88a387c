// SPDX-License-Identifier: Apache-2.0

/// Asks the hops between this machine and the Internet, each kind at the same time as the others.
struct HopInquiry: Sendable {
    /// The routers of the path, and the IP versions that it has.
    let path: NetworkPath
    /// The state of the network that the check began with; nil if it is read when it is needed.
    let view: HostView?
    /// The interface or address that the check is bound to.
    let binding: InternetCheck.Configuration.Binding
    /// A name that the check resolves anyway, so that the name servers learn nothing new; else the root.
    let name: String
    /// The public addresses of the IP versions that the check may use.
    let publicAddresses: [NetworkAddress]
    let transport: NetworkTransport
    /// The start of the check: the name servers' reactions to earlier queries do not count.
    let start: ContinuousClock.Instant

    /// The tunnel that all packets of the check to the Internet enter; nil if some do not, or if that is not known.
    var tunnel: String? { view?.tunnel(of: path).flatMap { binding.allows($0) ? $0 : nil } }

    /// Asks the hops of one kind.
    ///
    /// - Parameter limit: the time limit; an answer that takes seconds tells a slow connection from a dead one.
    func ask(_ kind: HopCollection.Kind, within limit: Duration) async -> HopCollection.Answers {
        switch kind {
        case .routers:
            async let carriers = carrierAnswers(tunnel.flatMap { view?.tunnels[$0]?.carriers } ?? [])
            let gateways = path.gateways.filter { binding.allows($0.interface) }
            var answers = await RouterProbe(routers: gateways, binding: binding, runner: transport.runner).run()
            if tunnel != nil { for place in answers.indices { answers[place].egress = .tunnel } }
            return .routers(answers + (await carriers))
        case .nameServers:
            let servers = await transport.resolver.nameServers(about: name, since: start)
            return .nameServers(await transport.answers(servers ?? NameServers(), under: view))
        case .publicAddresses:
            let probe = PublicAddressProbe(addresses: publicAddresses, binding: binding, runner: transport.runner)
            return .publicAddresses(await probe.run(within: limit))
        case .largePackets, .loss, .family, .page, .certificate: return .family([])
        }
    }

    /// The answers of the routers of a tunnel's carrier, as far as they could be asked over it: toward it nothing else is asked, so
    /// that the tunnel hides what it did before.
    private func carrierAnswers(_ routers: [NetworkPath.Gateway]) async -> [InternetCheck.RouterAnswer] {
        guard let link = routers.first?.interface else { return [] }
        let probe = RouterProbe(routers: routers, destinations: [], binding: .interface(link), runner: transport.runner)
        var answers = await probe.run()
        for place in answers.indices { answers[place].egress = .carrier }
        return answers
    }
}

extension NetworkTransport {
    /// Name servers with their reactions; one that has not reacted is silent.
    func answers(_ servers: NameServers, under view: HostView?) async -> [InternetCheck.NameServerAnswer] {
        let addresses = Set(servers.reactions.map(\.server))
        var view = view
        if !addresses.isSubset(of: view.map { Set($0.routes.keys) } ?? []) {
            view = await environment.routing.view(of: addresses)
        }
        return servers.reactions.map { server, answer in
            let route = try? view?.routes[server]?.get()
            let isNearby = route.map { $0.isDirect || $0.isLocalAddress } ?? false
            var result = InternetCheck.NameServerAnswer(
                server, answer?.outcome ?? .silent, isNearby: isNearby, after: answer?.duration ?? .zero)
            result.tunnel = route.flatMap { view?.tunnel(of: $0) }
            return result
        }
    }
}

extension InternetCheck {
    /// A name that the check resolves anyway, so that the name servers learn nothing new; else the root.
    var nameToQuery: String { targets.lazy.map(\.host).first { NetworkAddress($0) == nil } ?? "" }

    /// The inquiry of a check that may ask the hops; nil for one with its own prober or resolver, which may need none of them.
    func inquiry(
        over path: NetworkPath?, under view: HostView?, since start: ContinuousClock.Instant
    ) async -> HopInquiry? {
        #if !canImport(Darwin)
        guard let prober = prober as? SocketHTTPProbe, prober.isSystems else { return nil }
        #endif
        var view = view
        // A link of another type may be a tunnel.
        if view == nil, path?.interfaces.first.map({ $0.type == .other }) ?? true {
            view = await transport.environment.routing.view(of: [])
        }
        guard let current = path ?? view?.path, current.canBeChecked else { return nil }
        return HopInquiry(
            path: current, view: view, binding: configuration.binding,
            name: nameToQuery,
            publicAddresses: publicAddresses(over: current), transport: transport, start: start)
    }
}

extension InternetCheck.Report {
    /// Adds the name servers that have reacted to a lookup of the check.
    mutating func addNameServers(
        since start: ContinuousClock.Instant, over transport: NetworkTransport, under view: HostView?
    ) async {
        let answers = await transport.answers(transport.resolver.nameServers(queriedSince: start), under: view)
        if !answers.isEmpty { hops = hops ?? .init() }
        hops?.nameServers = answers
    }

    /// Adds the IP version for whose addresses the name servers do not answer queries, if lookups did not wait for them.
    mutating func addUnansweredQueries(
        since start: ContinuousClock.Instant, about name: String, over transport: NetworkTransport
    ) async {
        guard await transport.resolver.areQueriesForIPv6Dropped(since: start, about: name) else { return }
        hops = hops ?? .init()
        hops?.unansweredQueries = .ipv6
    }

    /// Adds the tunnel that leads to the proxy to which connections fail.
    mutating func addProxyTunnel(of failures: [InternetCheck.Evidence], over transport: NetworkTransport) async {
        let addresses = Set(failures.flatMap { $0.failedAttempts.map(\.address) + [$0.address].compactMap(\.self) })
        guard let view = await transport.environment.routing.view(of: addresses) else { return }
        let tunnels = addresses.compactMap { try? view.routes[$0]?.get() }.map { view.tunnel(of: $0) }
        guard let first = tunnels.first, let tunnel = first, tunnels.allSatisfy({ $0 == tunnel }) else { return }
        hops = hops ?? .init()
        hops?.proxyTunnel = tunnel
    }
}
