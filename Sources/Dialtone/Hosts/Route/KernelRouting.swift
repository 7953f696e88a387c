// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dispatch
import Netlink
import NetworkState
import Synchronization
import SystemSupport

/// Linux's routing: every query is a FIB lookup in the same settled exchange as the path, and sends no packet.
struct KernelRouting: HostRouting {
    /// The source; nil means the kernel, in the network namespace of the watching thread.
    var source: (any NetworkStateSource)?

    func watch(_ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void) -> HostRoutingWatch
    {
        let source = source ?? KernelSource.shared()
        let watch = Watch(addresses, receive)
        let subscription = source.subscribe(watching: Self.lookups(addresses)) {
            watch.receive($0.state)
        }
        return HostRoutingWatch(
            onChange: { addresses in
                watch.replace(addresses)
                subscription.watch(Self.lookups(addresses))
            },
            onCancel: { subscription.cancel() })
    }

    func view(of addresses: Set<NetworkAddress>) async -> HostView? {
        guard source == nil else { return await viewOfWatch(of: addresses) }
        let state = await KernelSource.state(of: Self.lookups(addresses)) { Self.lookups(Self.hops($0)) }
        return state.flatMap { HostView($0, addresses.union(Self.hops($0))) }
    }

    private static func hops(_ state: EvaluatedSnapshot) -> Set<NetworkAddress> { HostView(state, [])?.hops ?? [] }

    private static func lookups(_ addresses: Set<NetworkAddress>) -> Set<RouteLookup> {
        Set(addresses.map { RouteLookup(to: $0) })
    }

    /// Views states on a queue, so that views arrive in order whatever caused them.
    private final class Watch: Sendable {
        private struct State {
            var addresses: Set<NetworkAddress>
            var latest: EvaluatedSnapshot?
            var view: HostView?
        }

        private let state: Mutex<State>
        // One queue for all: a queue without a target uses its own thread whenever it has work, so a thousand hosts
        // would use a thousand threads.
        private static let queue = DispatchQueue(label: "dialtone.routing")
        private let receive: @Sendable (HostView) -> Void

        init(_ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void) {
            state = Mutex(State(addresses: addresses))
            self.receive = receive
        }

        func replace(_ addresses: Set<NetworkAddress>) {
            state.withLock { $0.addresses = addresses }
            // If the results are already known, no later event delivers them.
            Self.queue.async { self.view() }
        }

        func receive(_ latest: EvaluatedSnapshot) {
            state.withLock { $0.latest = latest }
            Self.queue.async { self.view() }
        }

        private func view() {
            let (addresses, latest) = state.withLock { ($0.addresses, $0.latest) }
            guard let latest, let view = HostView(latest, addresses) else { return }
            let isNews = state.withLock { state in
                defer { state.view = view }
                return state.view != view
            }
            if isNews { receive(view) }
        }
    }
}

extension HostView {
    /// The view that a state gives of some addresses; nil until it has the lookups for all of them.
    fileprivate init?(_ state: EvaluatedSnapshot, _ addresses: Set<NetworkAddress>) {
        let snapshot = state.snapshot
        path = state.path
        nameServers = snapshot.resolver.servers.compactMap { server in
            server.scoped { name in
                snapshot.interfaces.first { $0.name == name }.map { UInt32(bitPattern: $0.index) }
            }
        }
        searchDomains = snapshot.resolver.searchDomains
        tunnels = Self.tunnels(state)
        for address in addresses {
            if case .unavailable = snapshot.visibility {
                routes[address] = ProbedRoute.find(address)
            } else {
                guard let evaluation = state.route(RouteLookup(to: address)) else { return nil }
                routes[address] = Self.result(evaluation)
            }
        }
    }

    /// The tunnels, each with the routers of its carrier.
    ///
    /// Links on top of Ethernet have routers of their own, and a modem's link is no tunnel of this machine.
    private static func tunnels(_ state: EvaluatedSnapshot) -> [String: Tunnel] {
        let links = state.snapshot.interfaces
        var tunnels: [String: Tunnel] = [:]
        for place in links.indices where links[place].type == .other {
            let link = links[place]
            guard link.isTunnel, link.linkKind != "ppp", link.isPointToPoint || link.flags.contains(.noARP) else {
                continue
            }
            tunnels[link.name] = Tunnel(carriers: carrier(of: link, in: state).map { gateways($0, in: state) } ?? [])
        }
        return tunnels
    }

    /// The link that carries a tunnel: the one that the kernel names, else the only one that leads to the Internet and is no tunnel.
    private static func carrier(of tunnel: NetworkInterface, in state: EvaluatedSnapshot) -> NetworkInterface? {
        let snapshot = state.snapshot
        var link = tunnel
        var seen = [tunnel.index]
        while link.isTunnel {
            guard let index = link.carrierIndex, !seen.contains(index), let next = snapshot.interface(index) else {
                let others = state.path.interfaces.compactMap(snapshot.interface).filter { !$0.isTunnel }
                return others.count == 1 ? others.first : nil
            }
            link = next
            seen.append(index)
        }
        return link
    }

    /// The routers of the routes that are bound to a link.
    private static func gateways(_ link: NetworkInterface, in state: EvaluatedSnapshot) -> [NetworkPath.Gateway] {
        state.path(PathFilter(interfaceName: link.name)).path.gateways.filter { $0.interface == link.name }
    }

    private static func result(_ evaluation: AddressEvaluation) -> Result<HostRoute, HostError> {
        guard evaluation.status == .satisfied else {
            return .failure(HostError(.noRoute, diagnosis: evaluation.diagnosis))
        }
        let interface = evaluation.interface?.pathInterface
        let gateway = evaluation.gateway.map {
            NetworkPath.Gateway($0, on: evaluation.interface?.index ?? 0, named: interface?.name)
        }
        return .success(
            HostRoute(
                interface: interface, gateway: gateway, isDirect: evaluation.isDirect,
                isLocalAddress: evaluation.isLocalAddress))
    }
}

#endif
