//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink

/// Judges the kernel's answers for one family: can packets leave, by which links, and if not, why.
///
/// A family is usable when both halves of its public space have a unicast route over a link that is running, with a source
/// address that may leave the link.
struct FamilyEvaluator {
    let snapshot: NetworkSnapshot
    let family: AddressFamily

    /// One way out.
    struct Leg: Hashable {
        var interface: Int32
        var gateway: InetAddress?
        var priority: UInt32
    }

    enum Verdict: Hashable {
        /// Packets can leave by these legs, in the kernel's order.
        case usable([Leg])
        /// A route was found, but cannot be used.
        case blocked(Obstacle)
        /// A route or rule rejects them.
        case rejected
        /// There is no route.
        case noRoute
    }

    func verdict(_ answers: [RouteAnswer], allowing isAllowed: (NetworkInterface) -> Bool = { _ in true }) -> Verdict {
        var halves = (lower: Half(), upper: Half())
        for answer in answers where answer.destination.family == family {
            if RoutingQuestions.isUpperHalf(answer.destination) {
                halves.upper.take(answer)
            } else {
                halves.lower.take(answer)
            }
        }
        let lower = verdict(of: halves.lower, isAllowed)
        // One default route speaks for both.
        if halves.lower == halves.upper { return lower }
        let upper = verdict(of: halves.upper, isAllowed)
        switch (lower, upper) {
        case (.usable(let first), .usable(let second)):
            return .usable(first + second.filter { !first.contains($0) })
        case (.usable, let obstacle), (let obstacle, .usable): return obstacle
        case (.blocked, _), (.rejected, .noRoute), (.rejected, .rejected), (.noRoute, .noRoute): return lower
        default: return upper
        }
    }

    /// Of the answers for one half of the space, the least specific route speaks for it.
    private struct Half: Equatable {
        var route: FoundRoute?
        var isRejected = false

        mutating func take(_ answer: RouteAnswer) {
            switch answer.outcome {
            case .route(let found) where found.type == .unicast:
                if found.prefixLength < route?.prefixLength ?? .max { route = found }
            case .rejected: isRejected = true
            case .route, .noRoute: break
            }
        }
    }

    private func verdict(of half: Half, _ isAllowed: (NetworkInterface) -> Bool) -> Verdict {
        guard let route = half.route else { return half.isRejected ? .rejected : .noRoute }
        return verdict(of: route, isAllowed)
    }

    /// Judges one unicast route.
    ///
    /// - Parameter destination: where to, when not just anywhere: a host on the link can be reached from any address.
    func verdict(
        of route: FoundRoute, to destination: InetAddress? = nil,
        _ isAllowed: (NetworkInterface) -> Bool = { _ in true }
    ) -> Verdict {
        var legs: [Leg] = []
        var obstacle: Obstacle?
        for hop in route.nextHops {
            guard let index = hop.interface, let link = snapshot.interface(index), !link.isLoopback, isAllowed(link)
            else { continue }
            let staysOnLink = destination.map { $0.isLinkLocal || $0.isMulticast || hop.gateway == nil } ?? false
            if let problem = problem(of: link, for: route, by: hop, staysOnLink: staysOnLink) {
                obstacle = obstacle ?? problem
            } else {
                legs.append(Leg(interface: index, gateway: hop.gateway, priority: route.priority))
            }
        }
        if !legs.isEmpty { return .usable(legs) }
        return obstacle.map(Verdict.blocked) ?? .noRoute
    }

    private func problem(
        of link: NetworkInterface, for route: FoundRoute, by hop: NextHop, staysOnLink: Bool
    ) -> Obstacle? {
        if link.isDormant { return Obstacle(.dormant, interface: link.name) }
        guard link.isRunning else {
            let whenOff: Obstacle.Reason = link.radioBlock == nil ? .allDown : .radioOff
            return Obstacle(link.isUp ? .noCarrier : whenOff, interface: link.name)
        }
        let problem = sourceProblem(of: link, for: route, by: hop, staysOnLink: staysOnLink)
        return problem.map { Obstacle($0, interface: link.name) }
    }

    /// Why there is no source address for packets that leave by a link; nil when there is one.
    private func sourceProblem(
        of link: NetworkInterface, for route: FoundRoute, by hop: NextHop, staysOnLink: Bool
    ) -> Obstacle.Reason? {
        let own = link.addresses.lazy.filter { $0.address.family == family }
        if let preferred = route.preferredSource {
            let holders = snapshot.interfaces.joinedAddresses.filter { $0.address == preferred }
            // A whole network may be this host's without an address on a link.
            return holders.isEmpty || holders.contains(where: \.isUsable) ? nil : .addressTentative
        }
        if own.contains(where: { staysOnLink ? $0.isUsable : $0.canReachBeyondLink }) { return nil }
        // Clouds give functions nothing but an IPv4 link-local address, with a router that translates it.
        if hop.gateway != nil, own.contains(where: \.isTranslatable) { return nil }
        if own.contains(where: { $0.isTentative && !$0.address.isLinkLocal }) { return .addressTentative }
        // An unnumbered link borrows an address: from loopback or a dummy, or, when it leads to just one peer or its router
        // speaks another family (RFC 5549), from any link.
        let isUnnumbered =
            !link.flags.isDisjoint(with: [.pointToPoint, .noARP])
            || route.nextHops.contains { $0.gateway.map { $0.family != family } ?? false }
        let lenders = snapshot.interfaces.lazy.filter { isUnnumbered || $0.isLoopback || $0.linkKind == "dummy" }
        let canBorrow = lenders.flatMap(\.addresses).contains { $0.address.family == family && $0.canReachBeyondLink }
        return canBorrow ? nil : .noAddress
    }
}

extension InterfaceAddress {
    /// An IPv4 link-local address that the kernel takes for packets to a router: its scope is not the link.
    fileprivate var isTranslatable: Bool {
        address.family == .ipv4 && address.isLinkLocal && scope == .universe && isUsable
    }
}

extension [NetworkInterface] {
    fileprivate var joinedAddresses: some Sequence<InterfaceAddress> { self.lazy.flatMap(\.addresses) }
}
