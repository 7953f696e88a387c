//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink

/// (snapshot, question about a host) -> evaluation.
///
/// Pure: the kernel's answer is in the snapshot's `hosts`.
public struct HostEvaluator {
    private let snapshot: NetworkSnapshot

    /// Makes an evaluator of one snapshot.
    public init(_ snapshot: NetworkSnapshot) { self.snapshot = snapshot }

    /// Whether and how packets get to the question's address; nil while the snapshot has no answer to it.
    public func evaluate(_ question: RouteLookup) -> HostEvaluation? {
        guard let answer = snapshot.hosts[question] else { return nil }
        if let source = question.source, let problem = problem(ofSource: source) { return problem }
        switch answer.outcome {
        case .rejected: return HostEvaluation(status: .unsatisfied, obstacle: Obstacle(.routeUnreachable))
        case .noRoute: return nowhere()
        case .route(let route): return evaluate(route, to: question.destination)
        }
    }

    /// Which questions tell whether packets from an address of this host get out to the Internet.
    public static func questions(aboutPathFrom source: InetAddress) -> Set<RouteLookup> {
        Set(RoutingQuestions.representatives(source.family).map { RouteLookup(to: $0, source: source) })
    }

    /// Whether packets from an address of this host get out; nil while the snapshot has no answers about that.
    public func evaluatePath(from source: InetAddress) -> HostEvaluation? {
        let answers = RoutingQuestions.representatives(source.family).compactMap {
            snapshot.hosts[RouteLookup(to: $0, source: source)]
        }
        guard answers.count == RoutingQuestions.representatives(source.family).count else { return nil }
        if let problem = problem(ofSource: source) { return problem }
        return evaluation(FamilyEvaluator(snapshot: snapshot, family: source.family).verdict(answers))
    }

    private func evaluate(_ route: FoundRoute, to destination: InetAddress) -> HostEvaluation {
        let egress = route.nextHops.lazy.compactMap(\.interface).compactMap(snapshot.interface).first
        let isOwn = snapshot.interfaces.contains { $0.addresses.contains { $0.address == destination } }
        if route.type == .local || egress?.isLoopback == true {
            guard let egress, egress.isUp else { return nowhere() }
            return HostEvaluation(
                status: .satisfied, interface: egress, isLocalAddress: true,
                isDirect: !egress.isLoopback && !egress.isPointToPoint)
        }
        switch route.type {
        case .blackhole, .unreachable, .prohibit, .throw:
            return HostEvaluation(status: .unsatisfied, obstacle: Obstacle(.routeUnreachable))
        default: break
        }
        let evaluator = FamilyEvaluator(snapshot: snapshot, family: destination.family)
        var evaluation = evaluation(evaluator.verdict(of: route, to: destination))
        guard evaluation.status == .satisfied, let link = evaluation.interface else { return evaluation }
        evaluation.isLocalAddress = isOwn
        evaluation.isDirect = evaluation.gateway == nil && !link.isPointToPoint
        // RFC 3927 section 2.7: nobody forwards these.
        if destination.family == .ipv4, destination.isLinkLocal, link.type == .wifi || link.type == .wiredEthernet {
            evaluation.isDirect = true
        }
        return evaluation
    }

    private func evaluation(_ verdict: FamilyEvaluator.Verdict) -> HostEvaluation {
        switch verdict {
        case .usable(let legs):
            let leg = legs.first
            return HostEvaluation(
                status: .satisfied, interface: leg.flatMap { snapshot.interface($0.interface) }, gateway: leg?.gateway)
        case .blocked(let obstacle):
            guard obstacle.reason == .dormant else { return nowhere(obstacle) }
            return HostEvaluation(
                status: .requiresConnection, interface: obstacle.interface.flatMap(snapshot.interface(named:)),
                obstacle: obstacle)
        case .rejected: return HostEvaluation(status: .unsatisfied, obstacle: Obstacle(.routeUnreachable))
        case .noRoute: return nowhere()
        }
    }

    /// There is no way; a link that only waits to be connected is one when there is none to anywhere.
    ///
    /// - Parameter obstacle: what is missing; nil when it is to be found out.
    private func nowhere(_ obstacle: Obstacle? = nil) -> HostEvaluation {
        let path = PathEvaluator(snapshot).evaluate()
        if path.status == .requiresConnection {
            return HostEvaluation(
                status: .requiresConnection, interface: path.interfaces.first, obstacle: path.obstacle)
        }
        let explainer = ObstacleExplainer(snapshot: snapshot, requirements: PathRequirements())
        return HostEvaluation(status: .unsatisfied, obstacle: obstacle ?? explainer.obstacle([.noRoute]))
    }

    /// Packets cannot be sent from an address that this host does not have.
    private func problem(ofSource source: InetAddress) -> HostEvaluation? {
        let holders = snapshot.interfaces.lazy.flatMap(\.addresses).filter { $0.address == source }
        // All of 127/8 is this host's.
        if source.isLoopback || holders.contains(where: \.isUsable) { return nil }
        return HostEvaluation(
            status: .unsatisfied, obstacle: Obstacle(holders.isEmpty ? .noAddress : .addressTentative))
    }
}
