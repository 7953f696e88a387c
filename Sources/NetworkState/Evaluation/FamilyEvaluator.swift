// SPDX-License-Identifier: Apache-2.0

import Netlink

/// Evaluates the kernel's answers for one family: whether packets can leave, over which links, and if not, why.
///
/// A family is usable if both halves of its public space have a unicast route over a link that is running, with a
/// source address that is valid beyond the link.
struct FamilyEvaluator {
    private let interfaces: [NetworkInterface]
    private let family: AddressFamily
    private let version: IPVersion?

    init(snapshot: NetworkSnapshot, family: AddressFamily) {
        interfaces = snapshot.interfaces
        self.family = family
        version = family.version
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

    /// - Parameter only: the index of the only link that packets may use; nil for any.
    func outcome(_ answers: [RouteAnswer], over only: Int32? = nil) -> Outcome {
        var halves = (lower: Half(), upper: Half())
        // By index, because copying an answer takes longer than the rest of the loop.
        for place in answers.indices where answers[place].destination.version == version {
            let prefixLength = answers[place].unicastPrefixLength
            let isRejected = answers[place].isRejected
            if ReferenceLookups.isUpperHalf(answers[place].destination) {
                halves.upper.add(prefixLength, isRejected, at: place)
            } else {
                halves.lower.add(prefixLength, isRejected, at: place)
            }
        }
        let lower = outcome(of: halves.lower, answers, over: only)
        // A single default route covers both halves.
        if halves.lower.isRejected == halves.upper.isRejected {
            switch (halves.lower.place, halves.upper.place) {
            case (nil, nil): return lower
            case (let first?, let second?) where answers[first].outcome == answers[second].outcome: return lower
            default: break
            }
        }
        let upper = outcome(of: halves.upper, answers, over: only)
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

        /// - Parameter prefixLength: that of a unicast route.
        mutating func add(_ prefixLength: UInt8?, _ isRejected: Bool, at place: Int) {
            self.isRejected = self.isRejected || isRejected
            guard let prefixLength, prefixLength < self.prefixLength else { return }
            self.prefixLength = prefixLength
            self.place = place
        }
    }

    private func outcome(of half: Half, _ answers: [RouteAnswer], over only: Int32?) -> Outcome {
        guard let place = half.place, case .route(let route) = answers[place].outcome else {
            return half.isRejected ? .rejected : .noRoute
        }
        return outcome(of: route, over: only)
    }

    /// Evaluates one unicast route.
    ///
    /// - Parameters:
    ///   - destination: the destination host, if any. A host on the link can be reached from any address.
    ///   - only: the index of the only link that packets may use; nil for any.
    func outcome(of route: FoundRoute, to destination: NetworkAddress? = nil, over only: Int32? = nil) -> Outcome {
        var legs: [Egress] = []
        var obstacle: PathDiagnosis?
        for hop in route.nextHops {
            guard let index = hop.interface, only == nil || only == index,
                let place = interfaces.firstIndex(where: { $0.index == index }), !interfaces.isLoopback(at: place)
            else { continue }
            let staysOnLink = destination.map { $0.isLinkLocal || $0.isMulticast || hop.gateway == nil } ?? false
            if let problem = problem(ofLinkAt: place, for: route, by: hop, staysOnLink: staysOnLink) {
                obstacle = obstacle ?? problem
            } else {
                legs.append(Egress(interface: index, gateway: hop.gateway, priority: route.priority))
            }
        }
        if !legs.isEmpty { return .usable(legs) }
        return obstacle.map(Outcome.blocked) ?? .noRoute
    }

    private func problem(
        ofLinkAt place: Int, for route: FoundRoute, by hop: NextHop, staysOnLink: Bool
    ) -> PathDiagnosis? {
        let flags = interfaces[place].flags
        let problem: PathDiagnosis.Reason? =
            if flags.isDormant {
                .dormant
            } else if flags.isRunning {
                sourceProblem(ofLinkAt: place, for: route, by: hop, staysOnLink: staysOnLink)
            } else if flags.contains(.up) {
                .noCarrier
            } else {
                interfaces[place].radioBlock == nil ? .allDown : .radioOff
            }
        guard let problem else { return nil }
        var diagnosis = PathDiagnosis(problem, interface: interfaces[place].pathInterface)
        if problem == .noAddress, !route.isAdvertisedToHost, let chosen = route.chosenSource, chosen.isPrivate,
            !chosen.isLinkLocal, isHeld(chosen)
        {
            diagnosis.borrowedAddress = chosen
        }
        return diagnosis
    }

    /// Why there is no source address for packets over a link; nil when there is one.
    private func sourceProblem(
        ofLinkAt place: Int, for route: FoundRoute, by hop: NextHop, staysOnLink: Bool
    ) -> PathDiagnosis.Reason? {
        if let preferred = route.preferredSource {
            let holders = interfaces.joinedAddresses.filter { $0.address == preferred }
            // A whole prefix may be local to this host although no link has the address.
            return holders.isEmpty || holders.contains(where: \.isUsable) ? nil : .addressTentative
        }
        let addresses = interfaces[place].addresses
        func hasOwn(_ condition: (InterfaceAddress) -> Bool) -> Bool {
            addresses.contains { $0.address.version == version && condition($0) }
        }
        if hasOwn({ staysOnLink ? $0.isUsable : $0.canReachBeyondLink }) { return nil }
        // Cloud functions get only an IPv4 link-local address, and a router that translates it.
        if hop.gateway != nil, hasOwn(\.isTranslatable) { return nil }
        if hasOwn({ $0.isTentative && !$0.address.isLinkLocal }) { return .addressTentative }
        // An unnumbered link borrows an address. On a host that waits for its own, a default from a router advertisement
        // would otherwise lead to the Internet with the address of a VPN.
        if route.isAdvertisedToHost { return .noAddress }
        // The kernel's choice counts if answers to it can come back: not if it is the address of a container bridge or
        // a VPN that only this host and its translator know. The lender may be without carrier and, for IPv4, down: the
        // kernel accepts packets to an address over any link.
        if let chosen = route.chosenSource, isHeld(chosen) {
            // Without a router, the kernel also chooses an address of the link's scope.
            if chosen.isGlobal || hasOwn({ $0.address == chosen && !chosen.isLinkLocal }) { return nil }
        }
        // Loopback and dummies lend any address; so does any link, if the egress leads to a single peer or its router
        // uses the other family (RFC 5549).
        let isUnnumbered =
            !interfaces[place].flags.isDisjoint(with: [.pointToPoint, .noARP])
            || route.nextHops.contains { $0.gateway.map { $0.family != family } ?? false }
        let lenders = interfaces.lazy.filter { isUnnumbered || $0.isLoopback || $0.linkKind == "dummy" }
        let canBorrow = lenders.flatMap(\.addresses).contains { $0.address.family == family && $0.canReachBeyondLink }
        return canBorrow ? nil : .noAddress
    }

    /// Whether a link has the address, and may use it.
    private func isHeld(_ address: NetworkAddress) -> Bool {
        interfaces.contains { $0.addresses.contains { $0.address == address && $0.isUsable } }
    }
}

extension RouteAnswer {
    /// The length of the prefix that matched; nil unless packets take a unicast route.
    @inline(__always) fileprivate var unicastPrefixLength: UInt8? {
        if case .route(let found) = outcome, found.type == .unicast { found.prefixLength } else { nil }
    }

    @inline(__always) fileprivate var isRejected: Bool { if case .rejected = outcome { true } else { false } }
}

extension NetworkAddress {
    /// Whether routers on the Internet forward packets to the address: IPv6 global unicast (RFC 4291), or IPv4 that is not
    /// reserved for another use (RFC 6890).
    fileprivate var isGlobal: Bool {
        if version == .ipv6 { return bits >> 125 == 1 }
        // Protocol assignments such as DS-Lite's, and benchmarks, whose addresses transparent proxies use.
        return !isPrivate && bits.low >> 28 < 0xE && bits.low >> 8 != 0xC00000 && bits.low >> 17 != 0xC612 >> 1
    }
}

extension InterfaceAddress {
    /// An IPv4 link-local address that the kernel uses for packets to a router, because its scope is not the link.
    fileprivate var isTranslatable: Bool {
        isTranslated && isUsable
    }
}

extension [NetworkInterface] {
    fileprivate var joinedAddresses: some Sequence<InterfaceAddress> { self.lazy.flatMap(\.addresses) }
}
