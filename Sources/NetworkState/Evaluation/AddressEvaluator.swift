// SPDX-License-Identifier: Apache-2.0

public import Netlink

/// Evaluates whether packets can be sent to individual addresses.
///
/// The result depends only on the snapshot, whose `hosts` contains the kernel's answers.
public struct AddressEvaluator {
    private let state: EvaluatedSnapshot
    private var snapshot: NetworkSnapshot { state.snapshot }

    /// Creates an evaluator for one snapshot.
    public init(_ snapshot: NetworkSnapshot) { self.init(EvaluatedSnapshot(snapshot)) }

    /// Creates an evaluator for one state, whose path it shares.
    init(_ state: EvaluatedSnapshot) { self.state = state }

    /// Returns whether packets can be sent to a lookup's address, and how; nil while the snapshot has no result for it.
    public func evaluate(_ lookup: RouteLookup) -> AddressEvaluation? {
        guard let answer = snapshot.hosts[lookup] else { return nil }
        if let source = lookup.source, let problem = problem(ofSource: source) { return problem }
        switch answer.outcome {
        case .rejected: return AddressEvaluation(status: .unsatisfied, diagnosis: PathDiagnosis(.routeUnreachable))
        case .noRoute: return nowhere()
        case .route(let route): return evaluate(route, to: lookup.destination)
        }
    }

    /// The lookups that determine whether packets from an address of this host can reach the Internet.
    public static func lookups(forPathFrom source: NetworkAddress) -> Set<RouteLookup> {
        Set(ReferenceLookups.representatives(source.family).map { RouteLookup(to: $0, source: source) })
    }

    /// Returns whether packets from an address of this host can reach the Internet; nil while the snapshot has no
    /// results.
    public func evaluatePath(from source: NetworkAddress) -> AddressEvaluation? {
        let answers = ReferenceLookups.representatives(source.family).compactMap {
            snapshot.hosts[RouteLookup(to: $0, source: source)]
        }
        guard answers.count == ReferenceLookups.representatives(source.family).count else { return nil }
        if let problem = problem(ofSource: source) { return problem }
        let evaluator = FamilyEvaluator(snapshot: snapshot, family: source.family)
        return evaluation(evaluator.outcome(answers))
    }

    private func evaluate(_ route: FoundRoute, to destination: NetworkAddress) -> AddressEvaluation {
        let egress = route.nextHops.lazy.compactMap(\.interface).compactMap(snapshot.interface).first
        let isOwn = snapshot.interfaces.contains { $0.addresses.contains { $0.address == destination } }
        if route.type == .local || egress?.isLoopback == true {
            guard let egress, egress.isUp else { return nowhere() }
            return AddressEvaluation(
                status: .satisfied, interface: egress, isLocalAddress: true,
                isDirect: !egress.isLoopback && !egress.isPointToPoint)
        }
        switch route.type {
        case .blackhole, .unreachable, .prohibit, .throw:
            return AddressEvaluation(status: .unsatisfied, diagnosis: PathDiagnosis(.routeUnreachable))
        default: break
        }
        let evaluator = FamilyEvaluator(snapshot: snapshot, family: destination.family)
        var evaluation = evaluation(evaluator.outcome(of: route, to: destination))
        guard evaluation.status == .satisfied, let link = evaluation.interface else { return evaluation }
        evaluation.isLocalAddress = isOwn
        evaluation.isDirect = evaluation.gateway == nil && !link.isPointToPoint
        // RFC 3927 section 2.7: routers do not forward these.
        if destination.family == .ipv4, destination.isLinkLocal, link.type == .wifi || link.type == .wiredEthernet {
            evaluation.isDirect = true
        }
        return evaluation
    }

    private func evaluation(_ outcome: FamilyEvaluator.Outcome) -> AddressEvaluation {
        switch outcome {
        case .usable(let legs):
            let leg = legs.first
            return AddressEvaluation(
                status: .satisfied, interface: leg.flatMap { snapshot.interface($0.interface) }, gateway: leg?.gateway)
        case .blocked(let diagnosis):
            guard diagnosis.reason == .dormant else { return nowhere(diagnosis) }
            return AddressEvaluation(
                status: .requiresConnection, interface: diagnosis.interface.flatMap(snapshot.interface),
                diagnosis: diagnosis)
        case .rejected: return AddressEvaluation(status: .unsatisfied, diagnosis: PathDiagnosis(.routeUnreachable))
        case .noRoute: return nowhere()
        }
    }

    /// Returns the evaluation without a route.
    ///
    /// If there is no path at all, a link that is waiting to be connected may bring the route.
    ///
    /// - Parameter diagnosis: the cause; if nil, it is determined from the snapshot.
    private func nowhere(_ diagnosis: PathDiagnosis? = nil) -> AddressEvaluation {
        let path = state.path
        if path.status == .requiresConnection {
            return AddressEvaluation(
                status: .requiresConnection, interface: path.interfaces.first.flatMap(snapshot.interface),
                diagnosis: path.diagnosis)
        }
        let finder = DiagnosisFinder(snapshot: snapshot, filter: PathFilter())
        return AddressEvaluation(status: .unsatisfied, diagnosis: diagnosis ?? finder.diagnosis([.noRoute]))
    }

    /// Returns the problem if this host does not have the source address; nil if it does.
    private func problem(ofSource source: NetworkAddress) -> AddressEvaluation? {
        let holders = snapshot.interfaces.lazy.flatMap(\.addresses).filter { $0.address == source }
        // All of 127/8 is local to this host.
        if source.isLoopback || holders.contains(where: \.isUsable) { return nil }
        return AddressEvaluation(
            status: .unsatisfied, diagnosis: PathDiagnosis(holders.isEmpty ? .noAddress : .addressTentative))
    }
}

/// Whether packets can be sent to one address, and how.
public struct AddressEvaluation: Hashable, Sendable {
    /// Whether there is a route.
    public var status: NetworkPath.Status
    /// The link that packets use, or the one that is waiting to be connected.
    public var interface: NetworkInterface?
    /// The next router; nil when the address is on the link.
    public var gateway: NetworkAddress?
    /// Whether the address belongs to this host.
    public var isLocalAddress = false
    /// Whether the host is on the same link, without a router in between.
    public var isDirect = false
    /// Why there is no route.
    public var diagnosis: PathDiagnosis?
}
