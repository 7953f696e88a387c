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
        let (ipv4, ipv6) = (evaluate(.ipv4, filter), evaluate(.ipv6, filter))
        let legs = ipv4.legs + ipv6.legs
        guard !legs.isEmpty else {
            diagnose(&path, [ipv4.verdict, ipv6.verdict], filter)
            return path
        }
        path.status = .satisfied
        path.supportsDNS = !snapshot.resolver.servers.isEmpty
        path.supportsIPv4 = !ipv4.legs.isEmpty
        path.supportsIPv6 = !ipv6.legs.isEmpty

        var links: [NetworkInterface] = []
        for leg in legs {
            append(leg.interface, to: &links)
            guard let gateway = leg.gateway.map({ self.gateway($0, leg.interface) }) else { continue }
            if !path.gateways.contains(gateway) { path.gateways.append(gateway) }
        }
        let preferred = links
        let others = (ipv4.others + ipv6.others).sorted {
            ($0.priority, $0.interface) < ($1.priority, $1.interface)
        }
        for leg in others { append(leg.interface, to: &links) }
        path.interfaces = links.map(\.pathInterface)
        describe(&path, using: usedLinks(preferred, among: links))
        return path
    }

    /// Appends the link with an index, unless it is there already.
    private func append(_ index: Int32, to links: inout [NetworkInterface]) {
        guard !links.contains(where: { $0.index == index }), let link = snapshot.interface(index) else { return }
        links.append(link)
    }

    private func gateway(_ address: NetworkAddress, _ index: Int32) -> NetworkPath.Gateway {
        let scope = address.isLinkLocal ? UInt32(bitPattern: index) : 0
        return NetworkPath.Gateway(
            NetworkAddress(version: address.version, bits: address.bits, scope: scope),
            interface: snapshot.interface(index)?.name)
    }

    /// The result for one family: the legs in use, and further links that could be used.
    private struct FamilyResult {
        var verdict: FamilyEvaluator.Outcome
        var legs: [FamilyEvaluator.Egress] = []
        var others: [FamilyEvaluator.Egress] = []
    }

    private func evaluate(_ family: AddressFamily, _ filter: PathFilter) -> FamilyResult {
        let (general, byLink) = (snapshot.routing.general, snapshot.routing.byLink)
        guard general.contains(family) || byLink.containsValue(where: { $0.contains(family) }) else {
            return FamilyResult(verdict: .noRoute)
        }
        let evaluator = FamilyEvaluator(snapshot: snapshot, family: family)
        let verdict = evaluator.verdict(general)
        let only = ReferenceLookups.onlyEgress(general, of: family)
        let isUnrestricted = filter.isUnrestricted
        let allowed =
            isUnrestricted
            ? snapshot.interfaces : snapshot.interfaces.filter { filter.allows($0, in: snapshot) }

        var perLink: [FamilyEvaluator.Egress] = []
        var obstacles: [FamilyEvaluator.Outcome] = []
        for place in allowed.indices {
            let index = allowed[place].index
            let ofLink: FamilyEvaluator.Outcome
            if let answers = byLink[index] {
                guard !answers.isEmpty else { continue }
                ofLink = evaluator.verdict(answers) { $0.index == index }
            } else if index == only {
                ofLink = verdict
            } else {
                continue
            }
            switch ofLink {
            case .usable(let legs): perLink += legs
            case let other: obstacles.append(other)
            }
        }
        func isAllowed(_ leg: FamilyEvaluator.Egress) -> Bool {
            isUnrestricted || allowed.contains { $0.index == leg.interface }
        }
        if case .usable(let legs) = verdict, legs.allSatisfy(isAllowed) {
            return FamilyResult(verdict: verdict, legs: legs, others: perLink)
        }
        // Without restrictions the kernel's own choice decides, even if it chooses a dead link over a live one.
        guard !isUnrestricted else { return FamilyResult(verdict: verdict) }
        let ordered = perLink.sorted { ($0.priority, $0.interface) < ($1.priority, $1.interface) }
        guard let best = ordered.first else {
            return FamilyResult(
                verdict: obstacles.first { if case .blocked = $0 { true } else { false } } ?? obstacles.first
                    ?? .noRoute)
        }
        let legs = ordered.filter { $0.interface == best.interface }
        return FamilyResult(verdict: .usable(legs), legs: legs, others: ordered)
    }

    /// Returns the links in use and, for a tunnel, the links that carry it.
    ///
    /// If the carrier is unknown, the best usable link that is not a tunnel takes its place.
    private func usedLinks(_ used: [NetworkInterface], among all: [NetworkInterface]) -> [NetworkInterface] {
        var links = used
        var place = 0
        // The list grows in the loop. Each link is added only once, so that a cycle of tunnels terminates.
        while place < links.count {
            let tunnel = links[place]
            place += 1
            guard tunnel.isTunnel else { continue }
            // The modem itself carries its PPP link.
            let guess = tunnel.type == .other ? all.first { !$0.isTunnel } : nil
            guard let carrier = tunnel.carrierIndex.flatMap(snapshot.interface) ?? guess,
                !links.contains(where: { $0.index == carrier.index })
            else { continue }
            links.append(carrier)
        }
        return links
    }

    /// Sets the types, costs and quality of the links in use.
    private func describe(_ path: inout NetworkPath, using links: [NetworkInterface]) {
        let costs = snapshot.costs
        path.usedInterfaceTypes = []
        for link in links {
            path.usedInterfaceTypes.insert(link.type)
            path.isExpensive = path.isExpensive || costs.isExpensive(link)
            path.isConstrained = path.isConstrained || costs.isConstrained(link)
            path.isUltraConstrained = path.isUltraConstrained || costs.isUltraConstrained(link)
        }
        path.linkQuality = links.first { $0.wifi != nil }?.wifi?.quality ?? .unknown
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
        path.usedInterfaceTypes = [.loopback]
        path.supportsIPv4 = running.contains { $0.addresses.contains { $0.address.family == .ipv4 } }
        path.supportsIPv6 = running.contains { $0.addresses.contains { $0.address.family == .ipv6 } }
        path.supportsDNS = !snapshot.resolver.servers.isEmpty
    }

    private func diagnose(
        _ path: inout NetworkPath, _ verdicts: [FamilyEvaluator.Outcome], _ filter: PathFilter
    ) {
        let finder = DiagnosisFinder(snapshot: snapshot, filter: filter)
        if let dormant = finder.dormantLink?.pathInterface {
            path.status = .requiresConnection
            path.diagnosis = PathDiagnosis(.dormant, interface: dormant)
            path.interfaces = [dormant]
            return
        }
        let diagnosis = finder.diagnosis(verdicts)
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
    fileprivate func contains(_ family: AddressFamily) -> Bool { contains { $0.destination.family == family } }
}
