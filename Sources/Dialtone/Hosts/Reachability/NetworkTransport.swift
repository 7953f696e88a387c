// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// What Dialtone sends into a network and receives from it: the sockets and the resolver of this machine, or a network in memory.
///
/// It is opaque. `ScriptedNetwork`, in DialtoneTesting, makes one for tests.
public struct NetworkTransport: Sendable {
    /// The routes, the clock and the rest of what hosts and checks depend on.
    package internal(set) var environment: HostEnvironment
    /// The resolver of names as this machine resolves them.
    let resolver: SystemResolver

    /// Runs what sends and waits.
    var runner: any SocketRunner { environment.runner }
    /// Whether it is a network in memory.
    var isInMemory: Bool { resolver !== SystemResolver.shared }

    /// The sockets and the resolver of this machine.
    public static let system = NetworkTransport(environment: .system, resolver: .shared)

    private init(environment: HostEnvironment, resolver: SystemResolver) {
        self.environment = environment
        self.resolver = resolver
    }

    /// Creates the transport of a machine in memory.
    ///
    /// - Parameters:
    ///   - path: its path, whose gateways are its routers.
    ///   - carriers: if the path is a tunnel, the routers of the link that carries it.
    ///   - host: how it resolves names.
    ///   - runner: runs what sends and waits.
    package init(
        path: NetworkPath, carriedBy carriers: [NetworkPath.Gateway]? = nil, resolving host: NameServiceHost,
        over runner: any SocketRunner
    ) {
        let resolver = SystemResolver(of: host, over: runner)
        environment = HostEnvironment(
            routing: FixedRouting(path: path, carriers: carriers), resolver: resolver,
            openSocket: { _ throws(SystemError) in
                throw SystemError(ENOSYS)
            }, time: runner.time, runner: runner, absent: { _ in [] })
        self.resolver = resolver
    }
}

/// The routing of a machine whose packets all take one path, except for those to the routers of a tunnel's carrier.
private struct FixedRouting: HostRouting {
    let path: NetworkPath
    let carriers: [NetworkPath.Gateway]?

    func watch(
        _ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void
    ) -> HostRoutingWatch {
        receive(view(addresses))
        return HostRoutingWatch { receive(view($0)) }
    }

    func view(of addresses: Set<NetworkAddress>) async -> HostView? { view(addresses) }

    private func view(_ addresses: Set<NetworkAddress>) -> HostView {
        var view = HostView(path: path)
        if let carriers, let name = path.interfaces.first?.name {
            view.tunnels[name] = HostView.Tunnel(carriers: carriers)
        }
        for address in addresses.union(view.hops) {
            let gateway = path.gateways.first { $0.address.version == address.version }
            view.routes[address] =
                path.supports(address.version)
                ? .success(
                    HostRoute(
                        interface: path.interfaces.first, gateway: gateway?.address == address ? nil : gateway,
                        isDirect: gateway?.address == address))
                : .failure(HostError(.noRoute, diagnosis: path.diagnosis))
            if carriers?.contains(where: { $0.address == address }) == true {
                view.routes[address] = .success(HostRoute(isDirect: true))
            }
        }
        return view
    }
}
