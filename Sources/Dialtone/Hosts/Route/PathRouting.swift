// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)

import Dispatch
import OpenNetwork
import SystemSupport

/// Apple's path, and for each address the route that a UDP socket would use; it sends nothing.
///
/// A change of routes that does not change the path is not detected.
struct PathRouting: HostRouting {
    func watch(_ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void) -> HostRoutingWatch
    {
        let watch = Watch(addresses, receive)
        watch.monitor.pathUpdateHandler = { [weak watch] in watch?.receive(NetworkPath($0)) }
        watch.monitor.start(queue: watch.queue)
        return HostRoutingWatch(onChange: { watch.replace($0) }, onCancel: { watch.monitor.cancel() })
    }

    private final class Watch: Sendable {
        let monitor = NWPathMonitor()
        let queue = DispatchQueue(label: "dialtone.routing")
        private let state: Mutex<(addresses: Set<NetworkAddress>, path: NetworkPath?, view: HostView?)>
        private let receive: @Sendable (HostView) -> Void

        init(_ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void) {
            state = Mutex((addresses, nil, nil))
            self.receive = receive
        }

        func replace(_ addresses: Set<NetworkAddress>) {
            state.withLock { $0.addresses = addresses }
            queue.async { self.state.withLock { $0.path }.map(self.receive) }
        }

        func receive(_ path: NetworkPath) {
            let addresses = state.withLock { $0.addresses }
            var view = HostView(path: path)
            for address in addresses { view.routes[address] = ProbedRoute.find(address) }
            let isNews = state.withLock { state in
                state.path = path
                defer { state.view = view }
                return state.view != view
            }
            if isNews { receive(view) }
        }
    }
}

#endif
