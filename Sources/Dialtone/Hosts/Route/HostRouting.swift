// SPDX-License-Identifier: Apache-2.0

/// What this machine's network is now: its path, routes, routers and name servers, all from one state.
protocol HostRouting: Sendable {
    /// Watches the routes to some addresses, and the path to the Internet.
    ///
    /// - Parameters:
    ///   - addresses: the addresses to watch; they may be replaced later.
    ///   - receive: called with the current view, once the route to every address is known, and then with each
    ///     different one; one call at a time, quickly, outside any lock.
    func watch(_ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void) -> HostRoutingWatch

    /// Returns the current view, with the routes to some addresses, to the routers and to the name servers.
    ///
    /// It describes a state no older than the call. Nothing is watched afterwards.
    ///
    /// - Parameter addresses: the addresses of hosts.
    /// - Returns: the view; nil if the task is cancelled first.
    func view(of addresses: Set<NetworkAddress>) async -> HostView?
}

/// This machine's routing in one state.
struct HostView: Hashable, Sendable {
    /// The path to the Internet.
    var path: NetworkPath
    /// The routes to the addresses that were asked for, and of a view that is not watched, to its ``hops``.
    var routes: [NetworkAddress: Result<HostRoute, HostError>] = [:]
    /// The name servers, in the order in which they are queried, without those on links that do not exist.
    var nameServers: [ResolverConfiguration.Server] = []
    /// The search domains, so that a change is detected.
    var searchDomains: [String] = []
    /// This machine's tunnels, such as VPNs, by the names of their links.
    var tunnels: [String: Tunnel] = [:]

    /// The addresses of the routers and of the name servers.
    var hops: Set<NetworkAddress> { Set(path.gateways.map(\.address) + nameServers.map(\.address)) }
}

extension HostView {
    /// A tunnel whose packets another link carries.
    struct Tunnel: Hashable, Sendable {
        /// The routers of the link that carries it; empty if that link is not known, or has no router.
        var carriers: [NetworkPath.Gateway] = []
    }

    /// The tunnel that all packets of a path enter; nil if some do not.
    func tunnel(of path: NetworkPath) -> String? {
        guard !tunnels.isEmpty, let name = path.interfaces.first?.name, tunnels[name] != nil else { return nil }
        return path.gateways.allSatisfy { $0.interface.map { tunnels[$0] != nil } ?? false } ? name : nil
    }

    /// The tunnel that a route leads into; nil if it leads into none.
    func tunnel(of route: HostRoute) -> String? {
        guard !route.isLocalAddress, let name = route.interface?.name, tunnels[name] != nil else { return nil }
        return name
    }
}

/// Keeps a watch alive: it ends when this object is released, at the latest.
final class HostRoutingWatch: Sendable {
    private let onChange: @Sendable (Set<NetworkAddress>) -> Void
    private let onCancel: @Sendable () -> Void

    init(onChange: @escaping @Sendable (Set<NetworkAddress>) -> Void, onCancel: @escaping @Sendable () -> Void = {}) {
        self.onChange = onChange
        self.onCancel = onCancel
    }

    deinit { onCancel() }

    /// Replaces the addresses; a view with their routes follows.
    func watch(_ addresses: Set<NetworkAddress>) { onChange(addresses) }

    /// Ends the watch; may be called more than once.
    func cancel() { onCancel() }
}

extension HostView {
    /// The route to a target if it is an address, else the route to the Internet.
    func route(to target: HostTarget) -> Result<HostRoute, HostError> {
        switch target.host {
        case .address(let address) where !address.isUnspecified: route(to: address)
        case .name(let name) where HostName.isLocalhost(name):
            NetworkAddress.loopbacks.reversed().lazy.compactMap { routes[$0] }.first ?? .failure(HostError(.unknown))
        default: routeToInternet
        }
    }

    /// The route to an address; without any path, the error has the path's diagnosis.
    private func route(to address: NetworkAddress) -> Result<HostRoute, HostError> {
        let route = routes[address] ?? .failure(HostError(.unknown))
        guard case .failure(let error) = route, error.code == .noRoute, path.isKnownToBeMissing else { return route }
        return .failure(HostError(.noRoute, errorNumber: error.errorNumber, diagnosis: path.diagnosis))
    }

    private var routeToInternet: Result<HostRoute, HostError> {
        if case .unavailable(let explanation) = path.limitation {
            return .failure(HostError(.unknown, explanation: explanation))
        }
        guard path.status == .satisfied else { return .failure(HostError(.noRoute, diagnosis: path.diagnosis)) }
        return .success(HostRoute(interface: path.interfaces.first, gateway: path.gateways.first))
    }
}

extension HostTarget.Host {
    /// The addresses that need no resolution.
    var knownAddresses: Set<NetworkAddress> {
        switch self {
        case .address(let address): address.isUnspecified ? [] : [address]
        case .name(let name): HostName.isLocalhost(name) ? Set(NetworkAddress.loopbacks) : []
        }
    }

    /// Whether it is a name that a resolver must resolve.
    var needsResolution: Bool {
        if case .name(let name) = self { !HostName.isLocalhost(name) } else { false }
    }
}

extension HostRouting {
    /// Reads the view from the start of a watch.
    func view(of addresses: Set<NetworkAddress>) async -> HostView? { await viewOfWatch(of: addresses) }

    func viewOfWatch(of addresses: Set<NetworkAddress>) async -> HostView? {
        guard let view = await firstView(of: addresses) else { return nil }
        let all = addresses.union(view.hops)
        return view.hasRoutes(to: all) ? view : await firstView(of: all)
    }

    private func firstView(of addresses: Set<NetworkAddress>) async -> HostView? {
        let (views, continuation) = AsyncStream.makeStream(of: HostView.self, bufferingPolicy: .bufferingOldest(1))
        let watch = watch(addresses) { continuation.yield($0) }
        defer { watch.cancel() }
        return await views.first { _ in true }
    }
}

extension HostView {
    /// Whether it has the route to every one of some addresses, or knows that it is missing.
    func hasRoutes(to addresses: Set<NetworkAddress>) -> Bool { addresses.allSatisfy { routes[$0] != nil } }
}

/// The route that packets to a host take from this machine.
public struct HostRoute: Hashable, Sendable {
    /// The interface that they use.
    public var interface: NetworkPath.Interface?
    /// The next router; nil for a direct or unknown route.
    public var gateway: NetworkPath.Gateway?
    /// Whether there is no router in between.
    public var isDirect: Bool
    /// Whether the address is this machine's own.
    public var isLocalAddress: Bool

    /// Creates a route.
    public init(
        interface: NetworkPath.Interface? = nil, gateway: NetworkPath.Gateway? = nil, isDirect: Bool = false,
        isLocalAddress: Bool = false
    ) {
        self.interface = interface
        self.gateway = gateway
        self.isDirect = isDirect
        self.isLocalAddress = isLocalAddress
    }
}
