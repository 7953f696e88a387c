// SPDX-License-Identifier: Apache-2.0

package import SystemSupport

extension InternetCheck {
    /// Determines from routes alone whether the endpoints can currently be contacted.
    ///
    /// This applies only to the system's own prober and resolver: others may need no route.
    ///
    /// - Parameter path: the path, if it is already known.
    func outlook(over path: NetworkPath?) async -> HostEnvironment.Outlook {
        guard let contacts else { return .open }
        return await transport.environment.outlook(on: contacts, over: path)
    }

    /// Determines from routes alone whether the endpoints can be contacted in one state of the network.
    func outlook(under view: HostView) async -> HostEnvironment.Outlook {
        guard let contacts else { return .open }
        return await transport.environment.outlook(on: contacts, under: view)
    }

    /// The hosts that would be contacted first; nil if routes do not decide whether the check can succeed.
    private var contacts: [HostTarget.Host]? {
        #if canImport(Darwin)
        return nil
        #else
        guard let settings = systemProxies else { return nil }
        // Without a path there is no route to the default endpoints' public addresses, whatever a resolver on this link
        // answers.
        let unreachable = Set([Endpoint].defaults.map(\.url))
        // An unusable proxy fails later, with its own error.
        return try? zip(configuration.endpoints, targets).compactMap { endpoint, target in
            let proxy = try settings.proxy(for: target)?.host
            return (proxy ?? (unreachable.contains(endpoint.url) ? nil : target.host)).map { .init(contact: $0) }
        }
        #endif
    }

    /// The hosts that a check contacts, and that may have a route although there is no path to the Internet: the
    /// environment's proxies, if the configuration uses them, and endpoints given by an address or as `localhost`.
    ///
    /// It is empty on Apple platforms, where the system decides, and for a check that is bound to an interface, or that has
    /// its own prober or resolver.
    public var nearbyHosts: [HostTarget.Host] {
        #if canImport(Darwin)
        return []
        #else
        guard let settings = systemProxies else { return [] }
        return targets.compactMap { target -> HostTarget.Host? in
            do {
                let proxy = try settings.proxy(for: target)
                let host = HostTarget.Host(contact: proxy?.host ?? target.host)
                return proxy == nil && host.knownAddresses.isEmpty ? nil : host
            } catch {
                // An unusable proxy fails in the check, with its own error.
                return nil
            }
        }.uniqued
        #endif
    }

    /// Whether at least one endpoint is contacted without a proxy.
    var contactsDirectly: Bool {
        #if !canImport(Darwin)
        if let settings = usedProxies {
            return targets.contains { target in
                do { return try settings.proxy(for: target) == nil } catch { return false }
            }
        }
        #endif
        return configuration.proxies == .bypass && !targets.isEmpty
    }

    #if !canImport(Darwin)
    /// The proxies of a check whose hosts must have a route; nil if routes do not decide whether it can succeed.
    private var systemProxies: ProxySettings? {
        configuration.binding == .none && !isBoundToPath ? usedProxies : nil
    }

    /// The proxies of the check; nil if it has its own prober or resolver, and without endpoints.
    private var usedProxies: ProxySettings? {
        guard !targets.isEmpty, let prober = prober as? SocketHTTPProbe, prober.isSystems else { return nil }
        return ProxySettings(environment: configuration.proxies == .environment ? prober.environment() : [:])
    }
    #endif

    /// The report of a check that sent nothing, because nothing can be contacted.
    ///
    /// If a sandbox refuses sockets, that says nothing about the network.
    package static func report(
        without error: HostError, endpoints: [Endpoint], since start: ContinuousClock.Instant, at date: Date,
        on time: TimeSource = .system
    ) -> Report {
        let isDenied = error.code == .denied
        return Report(
            verdict: isDenied ? .inconclusive : .noInternet(.unreachable), checkedAt: date,
            duration: start.duration(to: time.now),
            endpoints: endpoints.map {
                Evidence(
                    url: $0.url, operatorName: $0.operatorName,
                    .failed(
                        ProbeError(
                            isDenied ? .notPermitted : .unreachable, during: .prepare,
                            error.description.withoutFullStop)))
            }, diagnosis: error.diagnosis)
    }
}

extension HostTarget.Host {
    /// The host of a URL, as it is contacted.
    fileprivate init(contact host: String) {
        self = NetworkAddress(host).map { .address($0) } ?? .name(host.lowercased())
    }
}

extension InternetCheck {
    /// The addresses that a check may contact without names.
    var publicAddresses: [NetworkAddress] {
        guard contactsDirectly else { return [] }
        let isDefault = Set(configuration.endpoints.map(\.url)).isSubset(of: [Endpoint].defaults.map(\.url))
        return (configuration.publicAddresses ?? (isDefault ? .publicResolvers : []))
            .filter(configuration.family.allows)
    }

    /// Those that it may contact over a path.
    func publicAddresses(over path: NetworkPath) -> [NetworkAddress] {
        publicAddresses.filter { path.isUnknown || path.supports($0.version) }
    }
}
