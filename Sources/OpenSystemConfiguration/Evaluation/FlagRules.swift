//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// Facts of a way -> flags.
///
/// Source: configd's rules for the statuses of a path; COMPATIBILITY.md tells how Linux maps to them.
enum FlagRules {
    static func flags(_ facts: PathFacts) -> SCNetworkReachabilityFlags {
        switch facts.status {
        // configd's default, too, where there is no path object: what cannot be seen is not denied.
        case .unknown: return .reachable
        case .satisfied:
            var flags: SCNetworkReachabilityFlags = .reachable
            if facts.isCellular { flags.formUnion([.transientConnection, .isWWAN]) }
            if facts.isDialledOrVPN { flags.insert(.transientConnection) }
            if facts.isLocalAddress { flags.insert(.isLocalAddress) }
            if facts.isDirect { flags.insert(.isDirect) }
            return flags
        case .requiresConnection:
            var flags: SCNetworkReachabilityFlags = [
                .reachable, .connectionRequired, .transientConnection, .connectionOnTraffic,
            ]
            if facts.isCellular { flags.insert(.isWWAN) }
            return flags
        case .unsatisfied:
            // Not reachable: no traffic can bring the connection about.
            return facts.needsIntervention ? [.connectionRequired, .interventionRequired] : []
        }
    }

    /// Which of two flags tells more of a way: reachable, then reachable after a connection is made, then not.
    static func rank(_ flags: SCNetworkReachabilityFlags) -> Int {
        guard flags.contains(.reachable) else { return 2 }
        return flags.contains(.connectionRequired) ? 1 : 0
    }
}

#endif
