// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// A type of interface, as the user types it on the command line.
package enum InterfaceKind: String, CaseIterable {
    case wifi, cellular, wired, loopback, other

    var type: InterfaceType {
        switch self {
        case .wifi: .wifi
        case .cellular: .cellular
        case .wired: .wiredEthernet
        case .loopback: .loopback
        case .other: .other
        }
    }

    /// All types, for help and errors.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
