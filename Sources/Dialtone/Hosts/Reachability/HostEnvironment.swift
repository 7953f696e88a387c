// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// The dependencies of host reachability, which tests replace.
package struct HostEnvironment: Sendable {
    var routing: any HostRouting
    var resolver: any NameResolver
    var openSocket: ConnectionRace<HostError>.OpenSocket
    /// The delays between attempts; the time limit comes from the check.
    var pace = HappyEyeballs.Pace()
    /// The file that names some hosts without a name server.
    var hostsFile = HostsFileReader.system
    /// The clock of its time limits and durations.
    var time = TimeSource.system
    /// Runs what queries name servers.
    var runner: any SocketRunner = KernelSocketRunner()
    /// Returns those neighbors on this machine's links that are known to be absent.
    var absent: @Sendable (Set<Neighbor>) async -> Set<Neighbor> = Neighbor.absent
}

extension HostEnvironment {
    /// The system's own.
    package static var system: HostEnvironment {
        #if canImport(Darwin)
        let routing = PathRouting()
        #else
        let routing = KernelRouting()
        #endif
        return HostEnvironment(routing: routing, resolver: SearchDomainResolver()) { version throws(SystemError) in
            try Sockets.openSocket(version, .stream)
        }
    }

    /// The error of a sandbox that refuses the sockets of both IP versions; nil if it allows one.
    ///
    /// Without sockets nothing is known about the network, and libraries report that names are not found.
    package var socketRefusal: HostError? {
        var refusal: HostError?
        for version in [IPVersion.ipv4, .ipv6] {
            do {
                _ = try openSocket(version)
                return nil
            } catch {
                guard [EPERM, EACCES, EAFNOSUPPORT].contains(error.number) else { return nil }
                refusal = HostError(
                    .denied, errorNumber: error.number,
                    explanation: "A sandbox forbids network sockets: allow AF_INET and AF_INET6 (in a systemd unit, "
                        + "RestrictAddressFamilies=).")
            }
        }
        return refusal
    }

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
        if let socketRefusal { return .blocked(socketRefusal) }
        guard path?.isKnownToBeMissing ?? true,
            let view = await routing.view(of: hosts.reduce(into: []) { $0.formUnion($1.knownAddresses) })
        else { return .open }
        return await outlook(on: hosts, under: view)
    }

    /// Determines from routes alone whether these hosts can be contacted in one state of the network.
    ///
    /// - Parameters:
    ///   - hosts: the hosts that would be contacted first; if there are none, nothing can be contacted without a path.
    ///   - view: the state. A route that decides and that it lacks is looked up.
    func outlook(on hosts: [HostTarget.Host], under view: HostView) async -> Outlook {
        if let socketRefusal { return .blocked(socketRefusal) }
        // Resolvers other than those of this machine may resolve names without any network.
        guard resolver is SystemResolver || resolver is SearchDomainResolver, view.path.isKnownToBeMissing else {
            return .open
        }
        let file = hosts.contains(where: \.needsResolution) ? await hostsFile.current() : nil
        let contacts = Contacts(hosts, nameServers: view.nameServers, file)
        var view = view
        if !view.hasRoutes(to: contacts.addresses) {
            guard let extended = await routing.view(of: contacts.addresses), extended.path.isKnownToBeMissing else {
                return .open
            }
            view = extended
        }
        let diagnosis = view.path.diagnosis
        return contacts.canBeReached(view.routes)
            ? .isolated(diagnosis) : .blocked(HostError(.noRoute, diagnosis: diagnosis))
    }

    /// Watches the routes to the addresses that decide whether these hosts can be contacted without a path.
    ///
    /// - Parameter receive: called with the routes that exist, and then with each different set of them; one call at a
    ///   time, quickly, outside any lock.
    func watchRoutes(
        to hosts: [HostTarget.Host], _ receive: @escaping @Sendable ([NetworkAddress: HostRoute]) -> Void
    ) -> UpdateSubscription {
        let watcher = ContactWatcher(hosts, hostsFile, receive)
        watcher.start(routing)
        return UpdateSubscription { watcher.cancel() }
    }

    /// The addresses of some hosts to which a route is needed.
    struct Contacts {
        /// The addresses; a route to one of them is enough.
        private(set) var addresses: Set<NetworkAddress> = []

        /// Creates the addresses.
        ///
        /// - Parameters:
        ///   - hosts: the hosts.
        ///   - nameServers: the name servers, which are needed for names.
        ///   - file: the addresses of names that need no name server.
        init(_ hosts: [HostTarget.Host], nameServers: [ResolverConfiguration.Server], _ file: HostsFile?) {
            for host in hosts {
                switch host {
                case .address(let address): addresses.insert(address)
                case .name(let name) where HostName.isLocalhost(name): addresses.formUnion(NetworkAddress.loopbacks)
                case .name(let name):
                    // A name server on this machine itself only forwards, so a route to it proves nothing.
                    addresses.formUnion(nameServers.map(\.address).filter { !$0.isThisHost })
                    addresses.formUnion(file?.addresses(of: name) ?? [])
                }
            }
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

extension HostTarget {
    /// Whether there is a route to this host.
    ///
    /// A name is resolved first, unless no name server has a route either. If that takes longer than a second, there is
    /// no route.
    package func hasRoute(in environment: HostEnvironment = .system) async -> Bool {
        if !isResolvedOnLink, case .blocked = await environment.outlook(on: [host]) { return false }
        let addresses = (try? await environment.addresses(of: host, within: .seconds(1)).get()) ?? []
        guard !addresses.isEmpty, let view = await environment.routing.view(of: addresses) else { return false }
        return addresses.contains { (try? view.routes[$0]?.get()) != nil }
    }

    /// Whether the host has a name that is resolved without a name server, by multicast DNS (RFC 6762).
    private var isResolvedOnLink: Bool {
        if case .name(let name) = host { name.lowercased().hasSuffix(".local") } else { false }
    }

    /// Whether this host is this machine, or on one of its links, so that reaching it needs no path.
    package func isOnLink() async -> Bool {
        guard let route = await HostReachability(self).check().route.value else { return false }
        return route.isLocalAddress || route.isDirect
    }
}
