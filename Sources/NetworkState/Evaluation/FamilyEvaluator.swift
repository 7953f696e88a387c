// SPDX-License-Identifier: Apache-2.0

import Netlink

/// Evaluates the kernel's answers for one family: whether packets can leave, over which links, and if not, why.
///
/// A family is usable if both halves of its public space have a unicast route over a link that is running, with a
/// source address that is valid beyond the link.
struct FamilyEvaluator {
    private let interfaces: [NetworkInterface]
    private let family: AddressFamily

    init(snapshot: NetworkSnapshot, family: AddressFamily) {
        interfaces = snapshot.interfaces
        self.family = family
    }

    /// One next hop that packets can use.
    struct Egress: Hashable {
        var interface: Int32
        var gateway: NetworkAddress?
        var priority: UInt32
    }

    enum Outcome: Hashable {
        /// Packets can use these next hops, listed in the kernel's order.
        case usable([Egress])
        /// A route was found, but cannot be used.
        case blocked(PathDiagnosis)
        /// A route or rule rejects them.
        case rejected
        /// There is no route.
        case noRoute
    }

    func verdict(_ answers: [RouteAnswer], allowing isAllowed: (NetworkInterface) -> Bool = { _ in true }) -> Outcome {
        var halves = (lower: Half(), upper: Half())
        // By index, because copying an answer takes longer than the rest of the loop.
        for place in answers.indices where answers[place].destination.family == family {
            if ReferenceLookups.isUpperHalf(answers[place].destination) {
                halves.upper.add(answers[place].outcome, at: place)
            } else {
                halves.lower.add(answers[place].outcome, at: place)
            }
        }
        let lower = verdict(of: halves.lower, answers, isAllowed)
        // A single default route covers both halves.
        if halves.lower.isRejected == halves.upper.isRejected,
            halves.lower.place.map({ answers[$0].outcome }) == halves.upper.place.map({ answers[$0].outcome })
        {
            return lower
        }
        let upper = verdict(of: halves.upper, answers, isAllowed)
        switch (lower, upper) {
        case (.usable(let first), .usable(let second)):
            return .usable(first + second.filter { !first.contains($0) })
        case (.usable, let obstacle), (let obstacle, .usable): return obstacle
        case (.blocked, _), (.rejected, .noRoute), (.rejected, .rejected), (.noRoute, .noRoute): return lower
        default: return upper
        }
    }

    /// The answers for one half of the space; the least specific route represents that half.
    private struct Half {
        /// The index of the answer with that route.
        var place: Int?
        var isRejected = false
        private var prefixLength = UInt8.max

        mutating func add(_ outcome: RouteAnswer.Outcome, at place: Int) {
            switch outcome {
            case .route(let found) where found.type == .unicast && found.prefixLength < prefixLength:
                prefixLength = found.prefixLength
                self.place = place
            case .rejected: isRejected = true
            case .route, .noRoute: break
            }
        }
    }

    private func verdict(
        of half: Half, _ answers: [RouteAnswer], _ isAllowed: (NetworkInterface) -> Bool
    ) -> Outcome {
        guard let place = half.place, case .route(let route) = answers[place].outcome else {
            return half.isRejected ? .rejected : .noRoute
        }
        return verdict(of: route, isAllowed)
    }

    /// Evaluates one unicast route.
    ///
    /// - Parameter destination: the destination host, if any. A host on the link can be reached from any address.
    func verdict(
        of route: FoundRoute, to destination: NetworkAddress? = nil,
        _ isAllowed: (NetworkInterface) -> Bool = { _ in true }
    ) -> Outcome {
        var legs: [Egress] = []
        var obstacle: PathDiagnosis?
        for hop in route.nextHops {
            guard let index = hop.interface, let link = interfaces.first(where: { $0.index == index }),
                !link.isLoopback, isAllowed(link)
            else { continue }
            let staysOnLink = destination.map { $0.isLinkLocal || $0.isMulticast || hop.gateway == nil } ?? false
            if let problem = problem(of: link, for: route, by: hop, staysOnLink: staysOnLink) {
                obstacle = obstacle ?? problem
            } else {
                legs.append(Egress(interface: index, gateway: hop.gateway, priority: route.priority))
            }
        }
        if !legs.isEmpty { return .usable(legs) }
        return obstacle.map(Outcome.blocked) ?? .noRoute
    }

    private func problem(
        of link: NetworkInterface, for route: FoundRoute, by hop: NextHop, staysOnLink: Bool
    ) -> PathDiagnosis? {
        if link.isDormant { return PathDiagnosis(.dormant, interface: link.pathInterface) }
        guard link.isRunning else {
            let whenOff: PathDiagnosis.Reason = link.radioBlock == nil ? .allDown : .radioOff
            return PathDiagnosis(link.isUp ? .noCarrier : whenOff, interface: link.pathInterface)
        }
        let problem = sourceProblem(of: link, for: route, by: hop, staysOnLink: staysOnLink)
        return problem.map { PathDiagnosis($0, interface: link.pathInterface) }
    }

    /// Why there is no source address for packets over a link; nil when there is one.
    private func sourceProblem(
        of link: NetworkInterface, for route: FoundRoute, by hop: NextHop, staysOnLink: Bool
    ) -> PathDiagnosis.Reason? {
        let own = link.addresses.lazy.filter { $0.address.family == family }
        if let preferred = route.preferredSource {
            let holders = interfaces.joinedAddresses.filter { $0.address == preferred }
            // A whole prefix may be local to this host although no link has the address.
            return holders.isEmpty || holders.contains(where: \.isUsable) ? nil : .addressTentative
        }
        if own.contains(where: { staysOnLink ? $0.isUsable : $0.canReachBeyondLink }) { return nil }
        // Cloud functions get only an IPv4 link-local address, and a router that translates it.
        if hop.gateway != nil, own.contains(where: \.isTranslatable) { return nil }
        if own.contains(where: { $0.isTentative && !$0.address.isLinkLocal }) { return .addressTentative }
        // An unnumbered link borrows an address: from loopback or a dummy; or from any link, if it leads to a single
        // peer or its router uses the other family (RFC 5549).
        let isUnnumbered =
            !link.flags.isDisjoint(with: [.pointToPoint, .noARP])
            || route.nextHops.contains { $0.gateway.map { $0.family != family } ?? false }
        let lenders = interfaces.lazy.filter { isUnnumbered || $0.isLoopback || $0.linkKind == "dummy" }
        let canBorrow = lenders.flatMap(\.addresses).contains { $0.address.family == family && $0.canReachBeyondLink }
        return canBorrow ? nil : .noAddress
    }
}

extension InterfaceAddress {
    /// An IPv4 link-local address that the kernel uses for packets to a router, because its scope is not the link.
    fileprivate var isTranslatable: Bool {
        address.family == .ipv4 && address.isLinkLocal && scope == .universe && isUsable
    }
}

extension [NetworkInterface] {
    fileprivate var joinedAddresses: some Sequence<InterfaceAddress> { self.lazy.flatMap(\.addresses) }
}
