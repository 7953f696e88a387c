// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The dependencies of host reachability, which tests replace.
package struct HostEnvironment: Sendable {
    /// Opens a non-blocking TCP socket.
    typealias OpenSocket = @Sendable (IPVersion) throws(SystemError) -> Descriptor

    /// The source of routing information.
    package var routing: any HostRouting
    /// The resolver of names.
    var resolver: any NameResolver
    /// Opens sockets.
    var openSocket: OpenSocket
    /// The delays between attempts; the time limit comes from the check.
    var pace = HappyEyeballs.Pace()
    /// Whether a neighbor on a link is there.
    var presence: @Sendable (NetworkAddress) -> NeighborPresence = { NeighborPresence(of: $0) }
}

extension HostEnvironment {
    /// The system's own.
    package static var live: HostEnvironment {
        #if canImport(Darwin)
        let routing = PathRouting()
        #else
        let routing = KernelRouting()
        #endif
        return HostEnvironment(routing: routing, resolver: SearchDomainResolver()) { version throws(SystemError) in
            try Sockets.openSocket(version, .stream)
        }
    }
}

extension HostEnvironment {
    /// The hosts that can currently be contacted, by routes alone.
    package enum Outlook: Hashable, Sendable {
        /// This machine has a path, or may have one.
        case open
        /// There is no path, for this reason, but hosts on this machine's own links may be reachable.
        case isolated(PathDiagnosis?)
        /// None of the hosts can be contacted.
        case blocked(HostError)
    }

    /// Determines from routes alone whether these hosts can currently be contacted: no packet is sent.
    ///
    /// While this machine has a path, any host may be reachable. Without a path, only hosts on its own links may be:
    /// those that have a route, and names for which there is a route to a name server.
    ///
    /// - Parameters:
    ///   - hosts: the hosts that would be contacted first; if there are none, nothing can be contacted without a path.
    ///   - path: the path, if it is already known.
    package func outlook(on hosts: [HostTarget.Host], over path: NetworkPath? = nil) async -> Outlook {
        // Resolvers other than those of this machine may resolve names without any network.
        guard resolver is SystemResolver || resolver is SearchDomainResolver, path?.isKnownToBeMissing ?? true,
            let view = await routing.view(of: { view in
                view.path.isKnownToBeMissing ? Contacts(hosts, under: view).addresses : []
            }), view.path.isKnownToBeMissing
        else { return .open }
        let contacts = Contacts(view.routes.keys.map { .address($0) }, nameServers: [])
        let diagnosis = view.path.diagnosis
        return contacts.canBeReached(view.routes)
            ? .isolated(diagnosis) : .blocked(HostError(.noRoute, diagnosis: diagnosis))
    }

    /// Watches the routes to the addresses that decide whether these hosts can be contacted without a path.
    ///
    /// - Parameter receive: called with the routes that exist, and then with each different set of them; one call at a
    ///   time, quickly, outside any lock.
    package func watchRoutes(
        to hosts: [HostTarget.Host], _ receive: @escaping @Sendable ([NetworkAddress: HostRoute]) -> Void
    ) -> UpdateSubscription {
        let watcher = ContactWatcher(hosts, receive)
        watcher.start(routing)
        return UpdateSubscription { watcher.cancel() }
    }

    /// The addresses of some hosts to which a route is needed.
    struct Contacts {
        /// The addresses; a route to one of them is enough.
        private(set) var addresses: Set<NetworkAddress> = []
        private var names: Set<String> = []
        private let nameServers: Set<NetworkAddress>

        init(_ hosts: [HostTarget.Host], nameServers: [String]) {
            // A name server on this machine itself only forwards, so a route to it proves nothing.
            self.nameServers = Set(nameServers.compactMap(NetworkAddress.init).filter { !$0.isThisHost })
            for host in hosts {
                switch host {
                case .address(let address): addresses.insert(address)
                case .name(let name) where HostName.isLocalhost(name): addresses.formUnion(NetworkAddress.loopbacks)
                case .name(let name): names.insert(name)
                }
            }
            if !names.isEmpty { addresses.formUnion(self.nameServers) }
        }

        /// Includes the addresses of names that need no name server, from the hosts file.
        init(_ hosts: [HostTarget.Host], under view: HostView) {
            self.init(hosts, nameServers: view.nameServers)
            for name in names { addresses.formUnion(NameServiceFiles.hostsFileAddresses(of: name)) }
        }

        /// Whether there is, or may be, a route to at least one of the addresses.
        func canBeReached(_ routes: [NetworkAddress: Result<HostRoute, HostError>]) -> Bool {
            addresses.contains { address in
                guard case .failure(let error)? = routes[address] else { return true }
                return error.code != .noRoute
            }
        }
    }
}

extension NetworkPath {
    /// Whether the system reports no path; false if the network is hidden, and for links that dial on demand.
    package var isKnownToBeMissing: Bool {
        guard !isUnknown else { return false }
        switch status {
        case .satisfied, .requiresConnection: return false
        default: return true
        }
    }
}

extension HostTarget {
    /// Whether there is a route to this host.
    ///
    /// A name is resolved first. If that takes longer than the limit, there is no route.
    package func hasRoute(within limit: Duration = .seconds(1)) async -> Bool {
        await hasRoute(in: .live, within: limit)
    }

    func hasRoute(in environment: HostEnvironment, within limit: Duration = .seconds(1)) async -> Bool {
        await firstAnswer(until: .now + limit, late: false, cancelled: false) {
            var addresses = host.knownAddresses
            if addresses.isEmpty, case .name(let name) = host {
                addresses = Set((try? await environment.resolver.addresses(of: name, family: .any)) ?? [])
            }
            guard !addresses.isEmpty, let view = await environment.routing.view(of: addresses) else { return false }
            return addresses.contains { (try? view.routes[$0]?.get()) != nil }
        }
    }

    /// Whether this host is this machine, or on one of its links, so that reaching it needs no path.
    package func isOnLink() async -> Bool {
        guard let route = await HostReachability(self).check().route.value else { return false }
        return route.isLocalAddress || route.isDirect
    }
}
