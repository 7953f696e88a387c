// SPDX-License-Identifier: Apache-2.0

package import Netlink

/// Finds the links over which tunnels send their packets: (links, routes to the remote endpoints) -> carriers.
///
/// It is pure, and examines only tunnels that a path or a watched host uses, so that a host without tunnels pays
/// nothing.
package struct TunnelCarriers {
    /// How to find a tunnel's carrier.
    enum Source: Hashable {
        /// The tunnel is bound to this link.
        case link(Int32)
        /// By looking up where a packet to the remote endpoint would go.
        case lookup(RouteLookup)
    }

    /// The maximum number of nested tunnels to follow.
    static let mostLayers = 4

    private let links: LinkTable<LinkMessage>

    package init(_ links: LinkTable<LinkMessage>) { self.links = links }

    /// Returns the tunnels that answers lead into.
    func tunnels(in routing: RoutingAnswers, hosts: [RouteAnswer] = []) -> Set<Int32> {
        guard links.containsValue(where: Self.isTunnel) else { return [] }
        let answers = routing.general + routing.byLink.values.joined() + hosts
        let egress = answers.flatMap { answer -> [Int32] in
            guard case .route(let route) = answer.outcome, route.type == .unicast else { return [] }
            return route.nextHops.compactMap(\.interface)
        }
        return Set(egress).filter(isTunnel)
    }

    /// Returns whether a link is a tunnel.
    func isTunnel(_ index: Int32) -> Bool { links[index].map(Self.isTunnel) ?? false }

    /// Returns how to find a tunnel's carrier; nil if it cannot be determined from this namespace.
    ///
    /// - Parameters:
    ///   - wireGuard: a WireGuard tunnel's peers, if they can be read.
    ///   - hosts: the answers for the watched hosts: if no peer leads to the Internet, the peer for one of these hosts is used.
    func source(of index: Int32, wireGuard: WireGuardDevice?, hosts: [RouteAnswer] = []) -> Source? {
        // A tunnel that was created in another namespace sends its packets there.
        guard let link = links[index], link.lowerNamespace == nil else { return nil }
        if let wireGuard {
            let destinations = ReferenceLookups.all + hosts.map(\.destination)
            let endpoint = destinations.lazy.compactMap(wireGuard.endpoint(for:)).first
            return endpoint.map { .lookup(RouteLookup(to: $0, mark: wireGuard.mark)) }
        }
        guard let tunnel = link.tunnel else { return nil }
        if let lower = tunnel.link, links[lower]?.kind != "vrf" { return lower == index ? nil : .link(lower) }
        guard let remote = tunnel.remote, !remote.isMulticast else { return nil }
        return .lookup(RouteLookup(to: remote, interface: tunnel.link, source: tunnel.local, mark: tunnel.mark))
    }

    /// Returns the link that the route to a tunnel's remote endpoint uses; nil without a route, or if the link cannot
    /// carry a tunnel.
    ///
    /// A route back into the tunnel means that its packets do not leave through this namespace.
    static func carrier(of index: Int32, by answer: RouteAnswer) -> Int32? {
        guard case .route(let route) = answer.outcome, route.type == .unicast,
            let egress = route.nextHops.lazy.compactMap(\.interface).first, egress != index
        else { return nil }
        return egress
    }

    private static func isTunnel(_ link: LinkMessage) -> Bool {
        link.kind.map(NetworkInterface.isTunnel(kind:)) ?? false
    }
}

extension TunnelCarriers {
    /// The carriers and remote endpoints that were found.
    package struct Found: Hashable {
        /// The carriers, by the index of the tunnel.
        package var carriers: [Int32: Int32] = [:]
        /// The remote endpoints: a route to one of them may change the carrier.
        var endpoints: Set<NetworkAddress> = []
    }

    /// Follows the tunnels that answers lead into, down to their carriers.
    ///
    /// - Parameters:
    ///   - hosts: the answers for watched hosts.
    ///   - peers: reads the peers of a link of the kind `wireguard`.
    ///   - lookUp: returns a result for each lookup, in order.
    package func find<Failure: Error>(
        in routing: RoutingAnswers, hosts: [RouteAnswer] = [], peers: (Int32) -> WireGuardDevice?,
        lookUp: ([RouteLookup]) throws(Failure) -> [RouteAnswer]
    ) throws(Failure) -> Found {
        var found = Found()
        var seen: Set<Int32> = []
        var tunnels = tunnels(in: routing, hosts: hosts)
        for _ in 0..<Self.mostLayers where !tunnels.isEmpty {
            seen.formUnion(tunnels)
            var questions: [(tunnel: Int32, lookup: RouteLookup)] = []
            for tunnel in tunnels.sorted() {
                let device = links[tunnel]?.kind == "wireguard" ? peers(tunnel) : nil
                switch source(of: tunnel, wireGuard: device, hosts: hosts) {
                case .link(let lower): found.carriers[tunnel] = lower
                case .lookup(let lookup): questions.append((tunnel, lookup))
                case nil: break
                }
            }
            let answers = questions.isEmpty ? [] : try lookUp(questions.map(\.lookup))
            for (question, answer) in zip(questions, answers) {
                found.endpoints.insert(question.lookup.destination)
                found.carriers[question.tunnel] = Self.carrier(of: question.tunnel, by: answer)
            }
            tunnels = Set(tunnels.compactMap { found.carriers[$0] }.filter(isTunnel)).subtracting(seen)
        }
        return found
    }
}
