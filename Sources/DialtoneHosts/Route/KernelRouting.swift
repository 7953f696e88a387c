// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dispatch
import Netlink
import NetworkState
import Synchronization

/// Linux's routing: every query is a FIB lookup in the same settled exchange as the path, and sends no packet.
struct KernelRouting: HostRouting {
    /// The source; nil means the kernel, in the network namespace of the watching thread.
    var source: (any NetworkStateSource)?

    func watch(_ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void) -> HostRoutingWatch
    {
        let source = source ?? KernelSource.shared()
        let watch = Watch(addresses, receive)
        let subscription = source.subscribe(watching: Set(addresses.map { RouteLookup(to: $0) })) {
            watch.take($0.snapshot)
        }
        return HostRoutingWatch(
            onChange: { addresses in
                watch.replace(addresses)
                subscription.watch(Set(addresses.map { RouteLookup(to: $0) }))
            },
            onCancel: { subscription.cancel() })
    }

    /// Evaluates snapshots on a queue, so that views arrive in order whatever caused them.
    private final class Watch: Sendable {
        private struct State {
            var addresses: Set<NetworkAddress>
            var snapshot: NetworkSnapshot?
            var view: HostView?
        }

        private let state: Mutex<State>
        // One queue for all: a queue without a target uses its own thread whenever it has work, so a thousand hosts
        // would use a thousand threads.
        private static let thread = DispatchQueue(label: "dialtone.routing")
        private let queue = DispatchQueue(label: "dialtone.routing", target: thread)
        private let receive: @Sendable (HostView) -> Void

        init(_ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void) {
            state = Mutex(State(addresses: addresses))
            self.receive = receive
        }

        func replace(_ addresses: Set<NetworkAddress>) {
            state.withLock { $0.addresses = addresses }
            // If the results are already known, no later event delivers them.
            queue.async { self.judge() }
        }

        func take(_ snapshot: NetworkSnapshot) {
            state.withLock { $0.snapshot = snapshot }
            queue.async { self.judge() }
        }

        private func judge() {
            let (addresses, snapshot) = state.withLock { ($0.addresses, $0.snapshot) }
            guard let snapshot, let view = HostView(snapshot, addresses) else { return }
            let isNews = state.withLock { state in
                defer { state.view = view }
                return state.view != view
            }
            if isNews { receive(view) }
        }
    }
}

extension HostView {
    /// The view that a snapshot gives of some addresses; nil until it has the lookups for all of them.
    fileprivate init?(_ snapshot: NetworkSnapshot, _ addresses: Set<NetworkAddress>) {
        path = PathEvaluator(snapshot).evaluate()
        nameServers = snapshot.resolver.servers.map { server in
            server.scope.map { "\(server.address)%\($0)" } ?? "\(server.address)"
        }
        searchDomains = snapshot.resolver.searchDomains
        let evaluator = HostEvaluator(snapshot)
        for address in addresses {
            if case .unavailable = snapshot.visibility {
                routes[address] = ProbedRoute.find(address)
            } else {
                guard let evaluation = evaluator.evaluate(RouteLookup(to: address)) else { return nil }
                routes[address] = Self.result(evaluation)
            }
        }
    }

    private static func result(_ evaluation: HostEvaluation) -> Result<HostRoute, HostError> {
        guard evaluation.status == .satisfied else {
            return .failure(HostError(.noRoute, diagnosis: evaluation.diagnosis))
        }
        let interface = evaluation.interface?.pathInterface
        let gateway = evaluation.gateway.map { gateway in
            gateway.isLinkLocal ? "\(gateway)%\(interface?.name ?? "")" : "\(gateway)"
        }
        return .success(
            HostRoute(
                interface: interface, gateway: gateway, isDirect: evaluation.isDirect,
                isLocalAddress: evaluation.isLocalAddress))
    }
}

#endif
