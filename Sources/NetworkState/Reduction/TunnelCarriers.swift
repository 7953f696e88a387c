//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink

/// Over which links tunnels send their packets: (links, what the kernel says of the other ends) -> carriers.
///
/// Pure; only tunnels that a path leads through are looked at, so that a host without one pays nothing.
struct TunnelCarriers {
    /// How to find out what carries a tunnel.
    enum Way: Hashable {
        /// It is bound to this link.
        case link(Int32)
        /// By where a packet to its other end would go.
        case lookup(RouteLookup)
    }

    /// How many tunnels inside one another are followed.
    static let mostLayers = 4

    private let links: [Int32: LinkMessage]

    init(_ links: [Int32: LinkMessage]) { self.links = links }

    /// The tunnels that answers lead into.
    func tunnels(in routing: RoutingAnswers) -> Set<Int32> {
        guard links.values.contains(where: Self.isTunnel) else { return [] }
        let answers = routing.general + routing.byInterface.values.joined()
        let egress = answers.flatMap { answer -> [Int32] in
            guard case .route(let route) = answer.outcome, route.type == .unicast else { return [] }
            return route.nextHops.compactMap(\.interface)
        }
        return Set(egress).filter(isTunnel)
    }

    /// Whether a link is a tunnel.
    func isTunnel(_ index: Int32) -> Bool { links[index].map(Self.isTunnel) ?? false }

    /// How to find out what carries a tunnel; nil when nobody in this namespace can know.
    ///
    /// - Parameter wireGuard: a WireGuard tunnel's peers, where they may be read.
    func way(of index: Int32, wireGuard: WireGuardDevice?) -> Way? {
        // A tunnel that was made in another namespace sends its packets there.
        guard let link = links[index], link.lowerNamespace == nil else { return nil }
        if let wireGuard {
            let endpoint = RoutingQuestions.all.lazy.compactMap(wireGuard.endpoint(for:)).first
            return endpoint.map { .lookup(RouteLookup(to: $0, mark: wireGuard.mark)) }
        }
        guard let tunnel = link.tunnel else { return nil }
        if let lower = tunnel.link, links[lower]?.kind != "vrf" { return lower == index ? nil : .link(lower) }
        guard let remote = tunnel.remote, !remote.isMulticast else { return nil }
        return .lookup(RouteLookup(to: remote, interface: tunnel.link, source: tunnel.local, mark: tunnel.mark))
    }

    /// The link that the answer for a tunnel's other end names; nil when there is none, or none that could carry it.
    ///
    /// A way that leads back into the tunnel means that its packets do not go by this namespace.
    static func carrier(of index: Int32, by answer: RouteAnswer) -> Int32? {
        guard case .route(let route) = answer.outcome, route.type == .unicast,
            let egress = route.nextHops.lazy.compactMap(\.interface).first, egress != index
        else { return nil }
        return egress
    }

    private static func isTunnel(_ link: LinkMessage) -> Bool {
        link.kind.map(InterfaceClassifier.isTunnel(kind:)) ?? false
    }
}

extension TunnelCarriers {
    /// What was found out.
    struct Found: Hashable {
        /// The carriers, by the tunnels' numbers.
        var carriers: [Int32: Int32] = [:]
        /// The other ends: a route to one of them may change the carrier.
        var endpoints: Set<InetAddress> = []
    }

    /// Follows the tunnels that answers lead into down to what carries them.
    ///
    /// - Parameters:
    ///   - peers: reads the peers of a link of the kind `wireguard`.
    ///   - ask: gives an answer to each question, in their order.
    func find<Failure: Error>(
        in routing: RoutingAnswers, peers: (Int32) -> WireGuardDevice?,
        ask: ([RouteLookup]) throws(Failure) -> [RouteAnswer]
    ) throws(Failure) -> Found {
        var found = Found()
        var seen: Set<Int32> = []
        var tunnels = tunnels(in: routing)
        for _ in 0..<Self.mostLayers where !tunnels.isEmpty {
            seen.formUnion(tunnels)
            var questions: [(tunnel: Int32, lookup: RouteLookup)] = []
            for tunnel in tunnels.sorted() {
                let device = links[tunnel]?.kind == "wireguard" ? peers(tunnel) : nil
                switch way(of: tunnel, wireGuard: device) {
                case .link(let lower): found.carriers[tunnel] = lower
                case .lookup(let lookup): questions.append((tunnel, lookup))
                case nil: break
                }
            }
            let answers = questions.isEmpty ? [] : try ask(questions.map(\.lookup))
            for (question, answer) in zip(questions, answers) {
                found.endpoints.insert(question.lookup.destination)
                found.carriers[question.tunnel] = Self.carrier(of: question.tunnel, by: answer)
            }
            tunnels = Set(tunnels.compactMap { found.carriers[$0] }.filter(isTunnel)).subtracting(seen)
        }
        return found
    }
}
