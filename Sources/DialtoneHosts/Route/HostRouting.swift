// SPDX-License-Identifier: Apache-2.0

/// The source of routing information.
package protocol HostRouting: Sendable {
    /// Watches the routes to some addresses, and the path to the Internet.
    ///
    /// - Parameters:
    ///   - addresses: the addresses to watch; they may be replaced later.
    ///   - receive: called with the current view, once the route to every address is known, and then with each
    ///     different one; one call at a time, quickly, outside any lock.
    func watch(_ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void) -> HostRoutingWatch

    /// Reads the current view once.
    ///
    /// - Parameter addresses: returns the addresses whose routes the view should contain, after a view without routes;
    ///   called on a thread that may block.
    /// - Returns: the view; nil if the task is cancelled first.
    func view(of addresses: @escaping @Sendable (HostView) -> Set<NetworkAddress>) async -> HostView?
}

/// This machine's routing at one time.
package struct HostView: Hashable, Sendable {
    /// The path to the Internet.
    package var path: NetworkPath
    /// The routes to the watched addresses.
    package var routes: [NetworkAddress: Result<HostRoute, HostError>] = [:]
    /// The addresses of the name servers, in the order in which they are queried; a link-local address ends with `%`
    /// and its interface.
    package var nameServers: [String] = []
    /// The search domains, so that a change is detected.
    var searchDomains: [String] = []
}

/// Keeps a watch alive: it ends when this object is released, at the latest.
package final class HostRoutingWatch: Sendable {
    private let onChange: @Sendable (Set<NetworkAddress>) -> Void
    private let onCancel: @Sendable () -> Void

    init(onChange: @escaping @Sendable (Set<NetworkAddress>) -> Void, onCancel: @escaping @Sendable () -> Void) {
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
        guard path.status == .satisfied else {
            return .failure(HostError(.noRoute, diagnosis: path.diagnosis))
        }
        return .success(HostRoute(interface: path.interfaces.first, gateway: path.gateways.first?.description))
    }
}

extension HostTarget.Host {
    /// The addresses that need no resolution.
    package var knownAddresses: Set<NetworkAddress> {
        switch self {
        case .address(let address): address.isUnspecified ? [] : [address]
        case .name(let name): HostName.isLocalhost(name) ? Set(NetworkAddress.loopbacks) : []
        }
    }
}

extension HostRouting {
    /// The current view of some addresses; nil if the task is cancelled first.
    package func view(of addresses: Set<NetworkAddress>) async -> HostView? { await view { _ in addresses } }

    /// Reads the view from the start of a watch.
    package func view(of addresses: @escaping @Sendable (HostView) -> Set<NetworkAddress>) async -> HostView? {
        await firstView(of: addresses)
    }

    /// The first view of a watch, or the first with the routes to the addresses that depend on it.
    func firstView(of addresses: @Sendable (HostView) -> Set<NetworkAddress>) async -> HostView? {
        guard let view = await firstView(of: []) else { return nil }
        let addresses = addresses(view)
        return addresses.isEmpty ? view : await firstView(of: addresses)
    }

    private func firstView(of addresses: Set<NetworkAddress>) async -> HostView? {
        let (views, continuation) = AsyncStream.makeStream(of: HostView.self, bufferingPolicy: .bufferingOldest(1))
        let watch = watch(addresses) { continuation.yield($0) }
        defer { watch.cancel() }
        return await views.first { _ in true }
    }
}

/// The route that packets to a host take from this machine.
public struct HostRoute: Hashable, Sendable {
    /// The interface that they use.
    public var interface: NetworkPath.Interface?
    /// The next router, nil for a direct or unknown route; a link-local address ends with `%` and the interface.
    public var gateway: String?
    /// Whether there is no router in between.
    public var isDirect: Bool
    /// Whether the address is this machine's own.
    public var isLocalAddress: Bool

    /// Creates a route.
    public init(
        interface: NetworkPath.Interface? = nil, gateway: String? = nil, isDirect: Bool = false,
        isLocalAddress: Bool = false
    ) {
        self.interface = interface
        self.gateway = gateway
        self.isDirect = isDirect
        self.isLocalAddress = isLocalAddress
    }
}
