//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// What is known of a target, and when it changes, told.
struct Reachability: Hashable, Sendable {
    var flags: SCNetworkReachabilityFlags = []
    /// The link that packets leave by; 0 is none.
    var interfaceIndex: Int32 = 0
    /// How many addresses a name has; nil while that is not known.
    var addressCount: Int?

    init(_ facts: PathFacts, addressCount: Int? = nil) {
        flags = FlagRules.flags(facts)
        interfaceIndex = facts.interfaceIndex
        self.addressCount = addressCount
    }

    init(flags: SCNetworkReachabilityFlags = [], interfaceIndex: Int32 = 0, addressCount: Int? = nil) {
        self.flags = flags
        self.interfaceIndex = interfaceIndex
        self.addressCount = addressCount
    }
}

#endif
