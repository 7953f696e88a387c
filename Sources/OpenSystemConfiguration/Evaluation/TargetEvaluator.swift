// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Netlink
import NetworkState

/// Evaluates a target: (destination, resolution of its name, state) -> reachability.
///
/// It is pure: the state contains the kernel's answers.
struct TargetEvaluator {
    /// The state of resolving a name.
    enum NameState: Hashable {
        /// No lookup has been scheduled.
        case unscheduled
        /// The resolver has not answered yet.
        case pending
        /// The resolver has answered with these addresses, or with none.
        case resolved([NetworkAddress])
    }

    let evaluated: EvaluatedSnapshot

    /// Returns the reachability; nil while the state has no answer to one of the destination's lookups.
    func evaluate(_ destination: Destination, _ name: NameState = .unscheduled) -> Reachability? {
        let count: Int? = if case .resolved(let addresses) = name { addresses.count } else { nil }
        if case .unavailable = evaluated.snapshot.visibility {
            // This is also configd's default without a path object: unknown reachability is not denied.
            return Reachability(flags: .reachable, addressCount: count)
        }
        switch destination {
        case .defaultPath: return anywhere
        case .address(let address): return host(RouteLookup(to: address))
        case .pair(let local, let remote): return pair(local, remote)
        case .name(let host): return self.name(host, name)
        }
    }

    /// The reachability of the default route.
    private var anywhere: Reachability { Reachability(FlagInputs(evaluated.path, in: evaluated.snapshot)) }

    private func host(_ lookup: RouteLookup) -> Reachability? {
        evaluated.route(lookup).map(reachability)
    }

    private func reachability(_ host: AddressEvaluation) -> Reachability {
        Reachability(FlagInputs(host, evaluated.path, in: evaluated.snapshot))
    }

    private func pair(_ local: NetworkAddress?, _ remote: NetworkAddress?) -> Reachability? {
        guard let remote else {
            guard let source = local?.source else { return anywhere }
            return AddressEvaluator(evaluated.snapshot).evaluatePath(from: source).map(reachability)
        }
        if let local, local.version != remote.version {
            return Reachability(FlagInputs(status: .unsatisfied))
        }
        return host(RouteLookup(to: remote, source: local?.source))
    }

    private func name(_ host: RawHostName, _ state: NameState) -> Reachability? {
        if let wellKnown = host.wellKnownAddresses { return best(wellKnown) }
        switch state {
        case .unscheduled:
            // The default route, with the rules for an address.
            var inputs = FlagInputs(evaluated.path, in: evaluated.snapshot)
            let isPointToPoint =
                evaluated.path.interfaces.first.flatMap(evaluated.snapshot.interface)?.isPointToPoint ?? false
            inputs.isDirect = inputs.status == .satisfied && evaluated.path.gateways.isEmpty && !isPointToPoint
            return Reachability(inputs)
        case .pending: return anywhere
        case .resolved(let addresses) where addresses.isEmpty && evaluated.path.status != .satisfied:
            // The resolver could not be queried, so an empty answer means nothing; the default route shows the reason.
            var reachability = anywhere
            reachability.addressCount = 0
            return reachability
        case .resolved(let addresses): return best(addresses)
        }
    }

    /// Returns the best of a name's addresses, the first one among equals; without any address it is not reachable.
    private func best(_ addresses: [NetworkAddress]) -> Reachability? {
        var best: Reachability?
        for address in addresses {
            guard var candidate = host(RouteLookup(to: address)) else { return nil }
            candidate.addressCount = addresses.count
            let isBetter = best.map { FlagRules.rank(candidate.flags) < FlagRules.rank($0.flags) } ?? true
            if isBetter { best = candidate }
        }
        return best ?? Reachability(addressCount: 0)
    }
}

/// The reachability of a target; the client is notified when it changes.
struct Reachability: Hashable, Sendable {
    var flags: SCNetworkReachabilityFlags = []
    /// The index of the link that packets use; 0 means none.
    var interfaceIndex: Int32 = 0
    /// The number of addresses of a name; nil while it is unknown.
    var addressCount: Int?
}

extension Reachability {
    init(_ inputs: FlagInputs) {
        self.init(flags: FlagRules.flags(inputs), interfaceIndex: inputs.interfaceIndex)
    }
}

#endif
