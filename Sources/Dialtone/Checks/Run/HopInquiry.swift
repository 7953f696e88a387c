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
    /// The network.
    let transport: NetworkTransport
    /// The start of the check: the name servers' reactions to earlier queries do not count.
    let start: ContinuousClock.Instant

    /// Asks the hops of one kind.
    ///
    /// - Parameter limit: the time limit; an answer that takes seconds tells a slow connection from a dead one.
    func ask(_ kind: HopCollection.Kind, within limit: Duration) async -> HopCollection.Part {
        switch kind {
        case .routers:
            // The routers of another interface may have the same addresses.
            guard binding == .none else { return .routers([]) }
            return .routers(await RouterProbe(path.gateways, over: transport.runner).run())
        case .nameServers:
            let servers = await transport.resolver.nameServers(about: name, since: start)
            return .nameServers(await transport.answers(servers ?? NameServers(), under: view))
        case .publicAddresses:
            let probe = PublicAddressProbe(publicAddresses, binding: binding, over: transport.runner)
            return .publicAddresses(await probe.run(within: limit))
        case .largePackets: return .largePackets(.unclear)
        case .loss: return .loss(.init())
        case .family: return .family([])
        }
    }
}

extension NetworkTransport {
    /// Name servers with their reactions; one that has not reacted is silent.
    func answers(
        _ servers: NameServers, under view: HostView?
    ) async -> [InternetCheck.NameServerAnswer] {
        let addresses = Set(servers.reactions.map(\.server))
        var view = view
        if !addresses.isSubset(of: view.map { Set($0.routes.keys) } ?? []) {
            view = await environment.routing.view(of: addresses)
        }
        return servers.reactions.map { server, answer in
            let route = try? view?.routes[server]?.get()
            let isNearby = route.map { $0.isDirect || $0.isLocalAddress } ?? false
            return .init(
                server, answer.map { .init($0.outcome) } ?? .silent, isNearby: isNearby,
                after: answer?.duration ?? .zero)
        }
    }
}

extension InternetCheck {
    /// The inquiry of a check that may ask the hops; nil for one with its own prober or resolver, which may need none of them.
    func inquiry(
        over path: NetworkPath?, under view: HostView?, since start: ContinuousClock.Instant
    ) async -> HopInquiry? {
        #if !canImport(Darwin)
        guard let prober = prober as? SocketHTTPProbe, prober.isSystems else { return nil }
        #endif
        let current = if let path { path } else { await transport.environment.routing.view(of: [])?.path }
        guard let current, current.canBeChecked else { return nil }
        return HopInquiry(
            path: current, view: view, binding: configuration.binding,
            name: targets.lazy.map(\.host).first { NetworkAddress($0) == nil } ?? "",
            publicAddresses: publicAddresses(over: current), transport: transport, start: start)
    }
}

extension InternetCheck.Report {
    /// Adds the name servers that have reacted to a lookup of the check, if none answered the check or names are slow.
    mutating func addNameServers(
        since start: ContinuousClock.Instant, isAsked: Bool, over transport: NetworkTransport, under view: HostView?
    ) async {
        guard isAsked || (hops == nil && Facts(self).hasSlowNames) else { return }
        let answers = await transport.answers(transport.resolver.nameServers(queriedSince: start), under: view)
        if !answers.isEmpty { hops = hops ?? .init() }
        hops?.nameServers = answers
    }
}
