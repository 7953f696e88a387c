// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

/// The reachability of a target; the client is notified when it changes.
struct Reachability: Hashable, Sendable {
    var flags: SCNetworkReachabilityFlags = []
    /// The index of the link that packets use; 0 means none.
    var interfaceIndex: Int32 = 0
    /// The number of addresses of a name; nil while it is unknown.
    var addressCount: Int?

    init(_ inputs: FlagInputs, addressCount: Int? = nil) {
        flags = FlagRules.flags(inputs)
        interfaceIndex = inputs.interfaceIndex
        self.addressCount = addressCount
    }

    init(flags: SCNetworkReachabilityFlags = [], interfaceIndex: Int32 = 0, addressCount: Int? = nil) {
        self.flags = flags
        self.interfaceIndex = interfaceIndex
        self.addressCount = addressCount
    }
}

#endif
