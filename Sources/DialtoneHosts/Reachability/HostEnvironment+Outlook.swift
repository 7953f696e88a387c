// SPDX-License-Identifier: Apache-2.0

/// A resolver whose answers come from the files and name servers of this machine.
///
/// Other resolvers may know names without any network.
protocol SystemNameResolver: NameResolver {}

extension SystemResolver: SystemNameResolver {}
extension HostResolver: SystemNameResolver {}

extension HostEnvironment {
    /// What the routes allow at this moment.
    package enum Outlook: Hashable, Sendable {
        /// This machine has a path, or that is not known.
        case open
        /// There is no path, for this reason, but hosts on this machine's own links may be there.
        case isolated(PathDiagnosis?)
        /// None of the hosts can be contacted.
        case blocked(HostError)
    }

    /// Whether these hosts can be contacted at this moment, decided from routes alone: no packet is sent.
    ///
    /// While this machine has a path, a host may always be there. Without one, hosts on its own links remain: those that
    /// have a route, and names for which there is a route to a name server.
    ///
    /// - Parameters:
    ///   - hosts: what would be contacted first; none of them means that nothing can be contacted without a path.
    ///   - path: the path where it is known already.
    package func outlook(on hosts: [HostTarget.Host], over path: NetworkPath? = nil) async -> Outlook {
        guard resolver is any SystemNameResolver, path?.isKnownToBeMissing ?? true,
            let first = await routing.view(of: []), first.path.isKnownToBeMissing
        else { return .open }
        var contacts = Contacts(hosts, nameServers: first.nameServers)
        contacts.readHostsFile()
        guard let view = await routing.view(of: contacts.addresses), view.path.isKnownToBeMissing else { return .open }
        let diagnosis = view.path.diagnosis
        return contacts.canBeReached(view.routes)
            ? .isolated(diagnosis) : .blocked(HostError(.noRoute, diagnosis: diagnosis))
    }

    /// Some hosts, as addresses to which a route is needed.
    struct Contacts {
        /// Every address of which one is enough.
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

        /// Adds the addresses that names have without any name server.
        mutating func readHostsFile() {
            for name in names { addresses.formUnion(ResolverFiles.hostsFileAddresses(of: name)) }
        }

        /// Whether there is a route to at least one of the addresses, or that is not known.
        func canBeReached(_ routes: [NetworkAddress: Result<HostRoute, HostError>]) -> Bool {
            addresses.contains { address in
                guard case .failure(let error)? = routes[address] else { return true }
                return error.code != .noRoute
            }
        }
    }
}

extension NetworkPath {
    /// Whether the system says that there is no path; false where it cannot be seen, and for links that dial on demand.
    package var isKnownToBeMissing: Bool {
        guard !isUnknown else { return false }
        switch status {
        case .satisfied, .requiresConnection: return false
        default: return true
        }
    }
}
