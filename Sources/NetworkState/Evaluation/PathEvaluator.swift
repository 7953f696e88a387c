// SPDX-License-Identifier: Apache-2.0

import Netlink

/// Evaluates whether packets can reach the Internet, and over which links.
///
/// The result depends only on the snapshot, which contains the kernel's answers.
public struct PathEvaluator {
    private let snapshot: NetworkSnapshot

    /// Creates an evaluator for one snapshot.
    public init(_ snapshot: NetworkSnapshot) { self.snapshot = snapshot }

    /// Returns the path over the links that a filter allows.
    public func evaluate(_ filter: PathFilter = PathFilter()) -> NetworkPath {
        var path = NetworkPath(status: .unsatisfied, limitation: snapshot.visibility.limitation)
        if path.isUnknown { return path }
        let filter = filter.restricts(snapshot) ? filter : PathFilter()
        if filter.asksForLoopback {
            evaluateLoopback(&path, filter)
            return path
        }
        let ipv4 = evaluate(.ipv4, filter)
        let ipv6 = evaluate(.ipv6, filter)
        guard !ipv4.legs.isEmpty || !ipv6.legs.isEmpty else {
            diagnose(&path, [ipv4.outcome, ipv6.outcome], filter)
            return path
        }
        path.status = .satisfied
        path.supportsDNS = !snapshot.resolver.servers.isEmpty
        path.supportsIPv4 = !ipv4.legs.isEmpty
        path.supportsIPv6 = !ipv6.legs.isEmpty

        var links: [Int] = []
        // The packets of a translator on this host leave over IPv6's link, which then names the path.
        let isTranslated = !ipv6.legs.isEmpty && ipv4.legs.contains { isTranslator($0.interface) }
        for legs in isTranslated ? [ipv6.legs, ipv4.legs] : [ipv4.legs, ipv6.legs] {
            for leg in legs {
                append(leg.interface, to: &links)
                guard let gateway = leg.gateway.map({ self.gateway($0, leg.interface) }) else { continue }
                if !path.gateways.contains(gateway) { path.gateways.append(gateway) }
            }
        }
        let preferred = links
        let others = ipv6.others.isEmpty ? ipv4.others : ipv4.others + ipv6.others
        for leg in others.count > 1 ? others.sorted(by: Self.isPreferred) : others {
            append(leg.interface, to: &links)
        }
        path.interfaces = links.map { snapshot.interfaces[$0].pathInterface }
        describe(&path, using: usedLinks(preferred, among: links))
        return path
    }

    private static func isPreferred(_ leg: FamilyEvaluator.Egress, _ other: FamilyEvaluator.Egress) -> Bool {
        (leg.priority, leg.interface) < (other.priority, other.interface)
    }

    /// Appends the place of the link with an index, unless it is there already.
    ///
    /// The evaluator handles links by their places, because copying a link takes longer than any question about it.
    private func append(_ index: Int32, to links: inout [Int]) {
        guard let place = place(of: index), !links.contains(place) else { return }
        links.append(place)
    }

    /// Whether a link is the tunnel of a translator on this host (CLAT), as clatd and systemd-networkd make it.
    private func isTranslator(_ index: Int32) -> Bool {
        guard let place = place(of: index), snapshot.interfaces[place].type == .other else { return false }
        return snapshot.interfaces[place].addresses.contains(where: \.isOfTranslator)
    }

    private func place(of index: Int32) -> Int? { snapshot.interfaces.firstIndex { $0.index == index } }

    private func gateway(_ address: NetworkAddress, _ index: Int32) -> NetworkPath.Gateway {
        NetworkPath.Gateway(address, on: index, named: place(of: index).map { snapshot.interfaces[$0].name })
    }

    /// The result for one family: the legs in use, and further links that could be used.
    private struct FamilyResult {
        var outcome: FamilyEvaluator.Outcome
        var legs: [FamilyEvaluator.Egress] = []
        var others: [FamilyEvaluator.Egress] = []
    }

    private func evaluate(_ family: AddressFamily, _ filter: PathFilter) -> FamilyResult {
        let general = snapshot.routing.general
        let byLink = snapshot.routing.byLink
        guard general.contains(family) || byLink.containsValue(where: { $0.contains(family) }) else {
            return FamilyResult(outcome: .noRoute)
        }
        let evaluator = FamilyEvaluator(snapshot: snapshot, family: family)
        let outcome = evaluator.outcome(general)
        let isUnrestricted = filter.isUnrestricted
        // Without restrictions the kernel's own choice decides, even if it chooses a dead link over a live one.
        if isUnrestricted { guard case .usable = outcome else { return FamilyResult(outcome: outcome) } }
        let only = ReferenceLookups.onlyEgress(general, of: family)
        func isAllowed(_ place: Int) -> Bool {
            isUnrestricted || filter.allows(snapshot.interfaces[place], in: snapshot)
        }

        var perLink: [FamilyEvaluator.Egress] = []
        var obstacles: [FamilyEvaluator.Outcome] = []
        for place in snapshot.interfaces.indices where isAllowed(place) {
            let index = snapshot.interfaces[place].index
            let ofLink: FamilyEvaluator.Outcome
            if let answers = byLink[index] {
                guard !answers.isEmpty else { continue }
                ofLink = evaluator.outcome(answers, over: index)
            } else if index == only {
                ofLink = outcome
            } else {
                continue
            }
            switch ofLink {
            case .usable(let legs): perLink += legs
            // Without restrictions, nothing reads them.
            case let other: if !isUnrestricted { obstacles.append(other) }
            }
        }
        if case .usable(let legs) = outcome,
            isUnrestricted || legs.allSatisfy({ place(of: $0.interface).map(isAllowed) ?? false })
        {
            return FamilyResult(outcome: outcome, legs: legs, others: perLink)
        }
        let ordered = perLink.sorted(by: Self.isPreferred)
        guard let best = ordered.first else {
            return FamilyResult(
                outcome: obstacles.first { if case .blocked = $0 { true } else { false } } ?? obstacles.first
                    ?? .noRoute)
        }
        let legs = ordered.filter { $0.interface == best.interface }
        return FamilyResult(outcome: .usable(legs), legs: legs, others: ordered)
    }

    /// Returns the links in use and, for a tunnel, the links that carry it.
    ///
    /// If the carrier is unknown, the best usable link that is not a tunnel takes its place.
    private func usedLinks(_ used: [Int], among all: [Int]) -> [Int] {
        let interfaces = snapshot.interfaces
        var links = used
        var next = 0
        // The list grows in the loop. Each link is added only once, so that a cycle of tunnels terminates.
        while next < links.count {
            let tunnel = links[next]
            next += 1
            // Comparing the kind with the names of all tunnels takes 800 instructions.
            let mayHaveCarrier = interfaces[tunnel].type == .other || interfaces[tunnel].carrierIndex != nil
            guard mayHaveCarrier, interfaces[tunnel].isTunnel else { continue }
            // The modem itself carries its PPP link.
            let guess = interfaces[tunnel].type == .other ? all.first { !interfaces[$0].isTunnel } : nil
            guard let carrier = interfaces[tunnel].carrierIndex.flatMap(place) ?? guess, !links.contains(carrier)
            else { continue }
            links.append(carrier)
        }
        return links
    }

    /// Sets the types, costs and quality of the links in use.
    private func describe(_ path: inout NetworkPath, using links: [Int]) {
        let interfaces = snapshot.interfaces
        let costs = snapshot.costs
        for place in links {
            let link = interfaces[place]
            path.usedTypes.insert(link.type)
            path.isExpensive = path.isExpensive || costs.isExpensive(link)
            path.isConstrained = path.isConstrained || costs.isConstrained(link)
            path.isUltraConstrained = path.isUltraConstrained || costs.isUltraConstrained(link)
        }
        path.linkQuality = links.lazy.compactMap { interfaces[$0].wifi?.quality }.first ?? .unknown
    }

    private func evaluateLoopback(_ path: inout NetworkPath, _ filter: PathFilter) {
        let links = snapshot.interfaces.filter { $0.isLoopback && filter.allows($0) }
        let running = links.filter { $0.isUp && !$0.addresses.isEmpty }
        guard !running.isEmpty else {
            let reason: PathDiagnosis.Reason =
                links.isEmpty ? .noInterface : links.contains(where: \.isUp) ? .noAddress : .allDown
            path.diagnosis = PathDiagnosis(reason, interface: links.first?.pathInterface)
            return
        }
        path.status = .satisfied
        path.interfaces = running.map(\.pathInterface)
        path.usedTypes.insert(.loopback)
        path.supportsIPv4 = running.contains { $0.addresses.contains { $0.address.family == .ipv4 } }
        path.supportsIPv6 = running.contains { $0.addresses.contains { $0.address.family == .ipv6 } }
        path.supportsDNS = !snapshot.resolver.servers.isEmpty
    }

    private func diagnose(
        _ path: inout NetworkPath, _ outcomes: [FamilyEvaluator.Outcome], _ filter: PathFilter
    ) {
        let finder = DiagnosisFinder(snapshot: snapshot, filter: filter)
        if let dormant = finder.dormantLink {
            path.status = .requiresConnection
            path.diagnosis = PathDiagnosis(.dormant, interface: dormant)
            path.interfaces = [dormant]
            return
        }
        var diagnosis = finder.diagnosis(outcomes)
        if diagnosis.reason == .noInterface, !filter.isUnrestricted { diagnosis.filter = filter }
        path.diagnosis = diagnosis
        // A radio that the user has switched off counts as a denial; Apple defines no reason for other causes.
        switch (diagnosis.reason, diagnosis.interface?.type) {
        case (.radioOff, .wifi): path.unsatisfiedReason = .wifiDenied
        case (.radioOff, .cellular): path.unsatisfiedReason = .cellularDenied
        default: break
        }
    }
}

extension [RouteAnswer] {
    fileprivate func contains(_ family: AddressFamily) -> Bool {
        let version = family.version
        return indices.contains { self[$0].destination.version == version }
    }
}
