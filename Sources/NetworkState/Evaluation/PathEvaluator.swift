//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink

/// (snapshot, requirements) -> path.
///
/// Pure: the kernel's answers are in the snapshot.
public struct PathEvaluator {
    private let snapshot: NetworkSnapshot

    /// Makes an evaluator of one snapshot.
    public init(_ snapshot: NetworkSnapshot) { self.snapshot = snapshot }

    /// Whether and over what packets can leave under these requirements.
    public func evaluate(_ requirements: PathRequirements = PathRequirements()) -> PathEvaluation {
        if case .unavailable = snapshot.visibility { return PathEvaluation(status: .unsatisfied) }
        let requirements = requirements.restricts(snapshot) ? requirements : PathRequirements()
        if requirements.asksForLoopback { return loopback(requirements) }
        let families = [AddressFamily.ipv4, .ipv6].map { ($0, judge($0, requirements)) }
        let isUsable = families.contains { !$0.1.legs.isEmpty }
        var path = PathEvaluation(status: isUsable ? .satisfied : .unsatisfied)
        path.supportsDNS = !snapshot.resolver.servers.isEmpty && isUsable
        guard isUsable else { return explain(path, families.map(\.1.verdict), requirements) }

        for (family, judgement) in families where !judgement.legs.isEmpty {
            if family == .ipv4 { path.supportsIPv4 = true } else { path.supportsIPv6 = true }
            for leg in judgement.legs {
                guard let gateway = leg.gateway else { continue }
                let entry = PathEvaluation.Gateway(address: gateway, interface: leg.interface)
                if !path.gateways.contains(entry) { path.gateways.append(entry) }
            }
        }
        let preferred = families.flatMap { $0.1.legs.map(\.interface) }
        let others = families.flatMap { $0.1.others }.sorted {
            ($0.priority, $0.interface) < ($1.priority, $1.interface)
        }
        path.interfaces = (preferred + others.map(\.interface)).unique.compactMap(snapshot.interface)
        describe(&path, using: usedLinks(preferred.unique.compactMap(snapshot.interface), among: path.interfaces))
        return path
    }

    /// How one family fares: the legs in use, and further links that could be used.
    private struct Judgement {
        var verdict: FamilyEvaluator.Verdict
        var legs: [FamilyEvaluator.Leg] = []
        var others: [FamilyEvaluator.Leg] = []
    }

    private func judge(_ family: AddressFamily, _ requirements: PathRequirements) -> Judgement {
        let (general, byInterface) = (snapshot.routing.general, snapshot.routing.byInterface)
        guard general.speak(of: family) || byInterface.values.contains(where: { $0.speak(of: family) }) else {
            return Judgement(verdict: .noRoute)
        }
        let evaluator = FamilyEvaluator(snapshot: snapshot, family: family)
        let verdict = evaluator.verdict(general)
        let only = RoutingQuestions.onlyEgress(general, of: family)
        let isUnrestricted = requirements.isUnrestricted
        let allowed =
            isUnrestricted
            ? snapshot.interfaces : snapshot.interfaces.filter { requirements.allows($0, in: snapshot) }

        var perLink: [FamilyEvaluator.Leg] = []
        var obstacles: [FamilyEvaluator.Verdict] = []
        for link in allowed {
            let ofLink: FamilyEvaluator.Verdict
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
        func isAllowed(_ leg: FamilyEvaluator.Leg) -> Bool {
            isUnrestricted || allowed.contains { $0.index == leg.interface }
        }
        if case .usable(let legs) = verdict, legs.allSatisfy(isAllowed) {
            return Judgement(verdict: verdict, legs: legs, others: perLink)
        }
        // Without restrictions the kernel's own choice decides, even when it chooses a dead link before a live one.
        guard !isUnrestricted else { return Judgement(verdict: verdict) }
        let ordered = perLink.sorted { ($0.priority, $0.interface) < ($1.priority, $1.interface) }
        guard let best = ordered.first else {
            return Judgement(
                verdict: obstacles.first { if case .blocked = $0 { true } else { false } } ?? obstacles.first
                    ?? .noRoute)
        }
        let legs = ordered.filter { $0.interface == best.interface }
        return Judgement(verdict: .usable(legs), legs: legs, others: ordered)
    }

    /// A tunnel's path also uses what carries the tunnel, and what carries that: where it is not known, the best link that could
    /// be used and is no tunnel.
    private func usedLinks(_ used: [NetworkInterface], among all: [NetworkInterface]) -> [NetworkInterface] {
        var links = used
        var place = 0
        // It grows on the way; each link is in it once, so that tunnels inside one another come to an end.
        while place < links.count {
            let tunnel = links[place]
            place += 1
            guard tunnel.isTunnel else { continue }
            // What a modem's PPP link runs over is the modem.
            let guess = tunnel.type == .other ? all.first { !$0.isTunnel } : nil
            guard let carrier = tunnel.carrierIndex.flatMap(snapshot.interface) ?? guess,
                !links.contains(where: { $0.index == carrier.index })
            else { continue }
            links.append(carrier)
        }
        return links
    }

    /// What the links in use make of the path: their types, costs and quality.
    private func describe(_ path: inout PathEvaluation, using links: [NetworkInterface]) {
        path.usedTypes = Set(links.map(\.type))
        path.isExpensive = links.contains(where: snapshot.costs.isExpensive)
        path.isConstrained = links.contains(where: snapshot.costs.isConstrained)
        path.isUltraConstrained = links.contains(where: snapshot.costs.isUltraConstrained)
        path.linkQuality = links.lazy.compactMap(\.wifi).first?.quality ?? .unknown
    }

    private func loopback(_ requirements: PathRequirements) -> PathEvaluation {
        let links = snapshot.interfaces.filter { $0.isLoopback && requirements.allows($0) }
        let running = links.filter { $0.isUp && !$0.addresses.isEmpty }
        guard !running.isEmpty else {
            let reason: Obstacle.Reason =
                links.isEmpty ? .noInterface : links.contains(where: \.isUp) ? .noAddress : .allDown
            return PathEvaluation(status: .unsatisfied, obstacle: Obstacle(reason, interface: links.first?.name))
        }
        var path = PathEvaluation(status: .satisfied, interfaces: running, usedTypes: [.loopback])
        path.supportsIPv4 = running.contains { $0.addresses.contains { $0.address.family == .ipv4 } }
        path.supportsIPv6 = running.contains { $0.addresses.contains { $0.address.family == .ipv6 } }
        path.supportsDNS = !snapshot.resolver.servers.isEmpty
        return path
    }

    private func explain(
        _ path: PathEvaluation, _ verdicts: [FamilyEvaluator.Verdict], _ requirements: PathRequirements
    ) -> PathEvaluation {
        var path = path
        let explainer = ObstacleExplainer(snapshot: snapshot, requirements: requirements)
        path.obstacle = explainer.obstacle(verdicts)
        if let dormant = explainer.dormantLink {
            path.status = .requiresConnection
            path.obstacle = Obstacle(.dormant, interface: dormant.name)
            path.interfaces = [dormant]
        }
        return path
    }
}

extension [RouteAnswer] {
    fileprivate func speak(of family: AddressFamily) -> Bool { contains { $0.destination.family == family } }
}

extension [Int32] {
    /// Each number once, where it first stands.
    fileprivate var unique: [Int32] {
        var seen: Set<Int32> = []
        return filter { seen.insert($0).inserted }
    }
}
