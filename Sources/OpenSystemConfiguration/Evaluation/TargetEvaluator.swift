//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Netlink
import NetworkState

/// (destination, what its name has come to, world) -> reachability.
///
/// Pure: the kernel's answers are in the world.
struct TargetEvaluator {
    /// What is known about a name.
    enum NameState: Hashable {
        /// Nobody asks the resolver.
        case unscheduled
        /// The resolver has not answered yet.
        case pending
        /// It has: with these addresses, or none.
        case resolved([HostAddress])
    }

    let world: World

    private var isUnknown: Bool {
        if case .unavailable = world.snapshot.visibility { true } else { false }
    }

    /// The reachability; nil while the world has no answer to one of the destination's questions.
    func evaluate(_ destination: Destination, _ name: NameState = .unscheduled) -> Reachability? {
        let count: Int? = if case .resolved(let addresses) = name { addresses.count } else { nil }
        if isUnknown { return Reachability(PathFacts(status: .unknown), addressCount: count) }
        switch destination {
        case .defaultPath: return anywhere
        case .address(let address): return host(address.lookup())
        case .pair(let local, let remote): return pair(local, remote)
        case .name(let host): return self.name(host, name)
        }
    }

    /// The way to anywhere.
    private var anywhere: Reachability { Reachability(PathFacts(world.path, in: world.snapshot)) }

    private func host(_ question: RouteLookup) -> Reachability? {
        HostEvaluator(world.snapshot).evaluate(question).map(reachability)
    }

    private func reachability(_ host: HostEvaluation) -> Reachability {
        Reachability(PathFacts(host, world.path, in: world.snapshot))
    }

    private func pair(_ local: HostAddress?, _ remote: HostAddress?) -> Reachability? {
        guard let remote else {
            guard let source = local?.source else { return anywhere }
            return HostEvaluator(world.snapshot).evaluatePath(from: source).map(reachability)
        }
        if let local, local.address.family != remote.address.family {
            return Reachability(PathFacts(status: .unsatisfied))
        }
        return host(remote.lookup(from: local?.source))
    }

    private func name(_ host: HostName, _ state: NameState) -> Reachability? {
        if let wellKnown = host.wellKnownAddresses { return best(wellKnown) }
        switch state {
        case .unscheduled:
            // Address rules on the way to anywhere.
            var facts = PathFacts(world.path, in: world.snapshot)
            let isPointToPoint = world.path.interfaces.first?.isPointToPoint ?? false
            facts.isDirect = facts.status == .satisfied && world.path.gateways.isEmpty && !isPointToPoint
            return Reachability(facts)
        case .pending: return anywhere
        case .resolved(let addresses) where addresses.isEmpty && world.path.status != .satisfied:
            // Nobody could be asked: that there is no address says nothing then, and the way to anywhere says why.
            var reachability = anywhere
            reachability.addressCount = 0
            return reachability
        case .resolved(let addresses): return best(addresses)
        }
    }

    /// The best of a name's addresses, of equals the first; without any, not reachable.
    private func best(_ addresses: [HostAddress]) -> Reachability? {
        var best: Reachability?
        for address in addresses {
            guard var candidate = host(address.lookup()) else { return nil }
            candidate.addressCount = addresses.count
            let isBetter = best.map { FlagRules.rank(candidate.flags) < FlagRules.rank($0.flags) } ?? true
            if isBetter { best = candidate }
        }
        return best ?? Reachability(addressCount: 0)
    }
}

#endif
