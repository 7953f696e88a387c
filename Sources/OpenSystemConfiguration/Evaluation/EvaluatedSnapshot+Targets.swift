// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Netlink
import NetworkState

extension EvaluatedSnapshot {
    /// Returns whether no difference could make names resolve to other addresses.
    func resolvesAlike(_ other: EvaluatedSnapshot) -> Bool {
        guard self !== other else { return true }
        return snapshot.resolver == other.snapshot.resolver && pathWithoutSignal == other.pathWithoutSignal
            && linksWithoutSignal == other.linksWithoutSignal
    }

    private var pathWithoutSignal: NetworkPath {
        var path = path
        path.linkQuality = .unknown
        return path
    }

    /// The path's links with their addresses, without the values that change when Wi-Fi roams within one network.
    private var linksWithoutSignal: [NetworkInterface] {
        path.interfaces.compactMap(snapshot.interface).map { link in
            var link = link
            link.wifi?.accessPoint = nil
            link.wifi?.quality = .unknown
            return link
        }
    }

    /// Returns whether the snapshot has the results of some lookups, or never will.
    func answers(_ lookups: Set<RouteLookup>) -> Bool {
        if case .unavailable = snapshot.visibility { return true }
        return lookups.allSatisfy { snapshot.hosts[$0] != nil }
    }

    /// Returns the lookups whose results differ from an older state; nil if anything else differs as well.
    func lookupsThatDiffer(from old: EvaluatedSnapshot?) -> [RouteLookup]? {
        guard let old, old.snapshot.differsOnlyInHosts(from: snapshot) else { return nil }
        return snapshot.hosts.compactMap { old.snapshot.hosts[$0.key] == $0.value ? nil : $0.key }
    }
}

#endif
