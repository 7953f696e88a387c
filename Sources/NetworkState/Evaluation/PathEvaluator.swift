//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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
        let families = [AddressFamily.ipv4, .ipv6].map { ($0, evaluate($0, filter)) }
        guard families.contains(where: { !$0.1.legs.isEmpty }) else {
            diagnose(&path, families.map(\.1.verdict), filter)
            return path
        }
        path.status = .satisfied
        path.supportsDNS = !snapshot.resolver.servers.isEmpty

        for (family, result) in families where !result.legs.isEmpty {
            if family == .ipv4 { path.supportsIPv4 = true } else { path.supportsIPv6 = true }
            for leg in result.legs {
                guard let gateway = leg.gateway.map({ self.gateway($0, leg.interface) }) else { continue }
                if !path.gateways.contains(gateway) { path.gateways.append(gateway) }
            }
        }
        let preferred = families.flatMap { $0.1.legs.map(\.interface) }
        let others = families.flatMap { $0.1.others }.sorted {
            ($0.priority, $0.interface) < ($1.priority, $1.interface)
        }
        let links = (preferred + others.map(\.interface)).unique.compactMap(snapshot.interface)
        path.interfaces = links.map(\.pathInterface)
        describe(&path, using: usedLinks(preferred.unique.compactMap(snapshot.interface), among: links))
        return path
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
        let (general, byInterface) = (snapshot.routing.general, snapshot.routing.byInterface)
        guard general.contains(family) || byInterface.values.contains(where: { $0.contains(family) }) else {
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
        for link in allowed {
            let ofLink: FamilyEvaluator.Outcome
            if let answers = byInterface[link.index] {
                guard !answers.isEmpty else { continue }
                ofLink = evaluator.verdict(answers) { $0.index == link.index }
            } else if link.index == only {
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
        path.usedInterfaceTypes = Set(links.map(\.type))
        path.isExpensive = links.contains(where: snapshot.costs.isExpensive)
        path.isConstrained = links.contains(where: snapshot.costs.isConstrained)
        path.isUltraConstrained = links.contains(where: snapshot.costs.isUltraConstrained)
        path.linkQuality = links.lazy.compactMap(\.wifi).first?.quality ?? .unknown
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

extension [Int32] {
    /// The numbers without duplicates, in order of first occurrence.
    fileprivate var unique: [Int32] {
        var seen: Set<Int32> = []
        return filter { seen.insert($0).inserted }
    }
}
