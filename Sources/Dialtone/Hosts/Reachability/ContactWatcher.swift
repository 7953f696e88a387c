// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Watches the routes to the contacts of some hosts, which change with the name servers.
final class ContactWatcher: Sendable {
    private struct State {
        var watch: HostRoutingWatch?
        var watched: Set<NetworkAddress> = []
        var routes: [NetworkAddress: HostRoute]?
        /// The hosts file, which is kept for the next view; all watchers share it.
        var file: HostsFile?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let hosts: [HostTarget.Host]
    private let hostsFile: HostsFileReader
    private let receive: @Sendable ([NetworkAddress: HostRoute]) -> Void

    init(
        _ hosts: [HostTarget.Host], _ hostsFile: HostsFileReader,
        _ receive: @escaping @Sendable ([NetworkAddress: HostRoute]) -> Void
    ) {
        self.hosts = hosts
        self.hostsFile = hostsFile
        self.receive = receive
    }

    func start(_ routing: any HostRouting) {
        let watch = routing.watch([]) { [weak self] in self?.receive($0) }
        let (isUnwanted, watched) = state.withLock { state in
            if !state.isCancelled { state.watch = watch }
            return (state.isCancelled, state.watched)
        }
        if isUnwanted { watch.cancel() } else if !watched.isEmpty { watch.watch(watched) }
    }

    /// Ends the watch; may be called more than once.
    func cancel() {
        let watch = state.withLock { state in
            state.isCancelled = true
            defer { state.watch = nil }
            return state.watch
        }
        watch?.cancel()
    }

    private func receive(_ view: HostView) {
        guard hosts.contains(where: \.needsResolution) else { return receive(view, nil) }
        hostsFile.withCurrent { self.receive(view, $0) }
    }

    private func receive(_ view: HostView, _ file: HostsFile?) {
        let addresses = HostEnvironment.Contacts(hosts, nameServers: view.nameServers, file).addresses
        let routes = view.routes.filter { addresses.contains($0.key) }.compactMapValues { try? $0.get() }
        let (watch, isNew) = state.withLock { state -> (HostRoutingWatch?, Bool) in
            guard !state.isCancelled else { return (nil, false) }
            state.file = file
            guard addresses == state.watched else {
                // A view with their routes follows.
                state.watched = addresses
                return (state.watch, false)
            }
            defer { state.routes = routes }
            return (nil, routes != state.routes)
        }
        watch?.watch(addresses)
        if isNew { receive(routes) }
    }
}
