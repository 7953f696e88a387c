// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import NetworkState

/// The properties of a route that determine its flags.
struct FlagInputs: Hashable {
    var status: PathStatus
    /// Whether the route uses a mobile network.
    var isCellular = false
    /// Whether the route uses a dialed connection or a VPN.
    var isDialledOrVPN = false
    /// Whether the route ends at this host.
    var isLocalAddress = false
    /// Whether there is no router on the route.
    var isDirect = false
    /// Whether only a person can establish the connection.
    var needsIntervention = false
    /// The index of the link that packets use; 0 means none.
    var interfaceIndex: Int32 = 0
}

extension FlagInputs {
    /// Creates the inputs for the default route.
    init(_ path: NetworkPath, in snapshot: NetworkSnapshot) {
        self.init(status: path.status)
        describe(path.interfaces.first.flatMap(snapshot.interface), path, snapshot)
    }

    /// Creates the inputs for the route to one address.
    init(_ host: AddressEvaluation, _ path: NetworkPath, in snapshot: NetworkSnapshot) {
        self.init(status: host.status)
        isLocalAddress = host.isLocalAddress
        isDirect = host.isDirect
        describe(host.interface, path, snapshot)
    }

    private mutating func describe(_ link: NetworkInterface?, _ path: NetworkPath, _ snapshot: NetworkSnapshot) {
        needsIntervention = status == .unsatisfied && snapshot.needsIntervention
        guard let link, status != .unsatisfied else { return }
        interfaceIndex = link.index
        // Traffic that stays on this host uses no connection.
        guard !isLocalAddress else { return }
        // A tunnel costs as much as the link that carries it; if that is unknown, it is probably one of the path.
        let links = snapshot.knownLinks(of: link)
        let isCarrierUnknown = links.last?.isTunnel ?? false
        isCellular =
            links.contains { $0.type == .cellular }
            || (isCarrierUnknown && path.usedInterfaceTypes.contains(.cellular))
        isDialledOrVPN = link.isDialledOrVPN
    }
}

/// Maps the properties of a route to flags.
///
/// Source: configd's rules for the statuses of a path; COMPATIBILITY.md describes how Linux maps to them.
enum FlagRules {
    static func flags(_ inputs: FlagInputs) -> SCNetworkReachabilityFlags {
        switch inputs.status {
        case .satisfied:
            var flags: SCNetworkReachabilityFlags = .reachable
            if inputs.isCellular { flags.formUnion([.transientConnection, .isWWAN]) }
            if inputs.isDialledOrVPN { flags.insert(.transientConnection) }
            if inputs.isLocalAddress { flags.insert(.isLocalAddress) }
            if inputs.isDirect { flags.insert(.isDirect) }
            return flags
        case .requiresConnection:
            var flags: SCNetworkReachabilityFlags = [
                .reachable, .connectionRequired, .transientConnection, .connectionOnTraffic,
            ]
            if inputs.isCellular { flags.insert(.isWWAN) }
            return flags
        case .unsatisfied:
            // Not reachable: no traffic can establish the connection.
            return inputs.needsIntervention ? [.connectionRequired, .interventionRequired] : []
        }
    }

    /// Ranks flags: reachable first, then reachable after a connection is made, then not reachable.
    static func rank(_ flags: SCNetworkReachabilityFlags) -> Int {
        guard flags.contains(.reachable) else { return 2 }
        return flags.contains(.connectionRequired) ? 1 : 0
    }
}

#endif
