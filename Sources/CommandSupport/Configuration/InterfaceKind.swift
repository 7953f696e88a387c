// SPDX-License-Identifier: Apache-2.0

package import Dialtone

/// A type of interface, as the user types it on the command line.
package enum InterfaceKind: String, CaseIterable {
    case wifi, cellular, wired, loopback, other

    package var type: InterfaceType {
        switch self {
        case .wifi: .wifi
        case .cellular: .cellular
        case .wired: .wiredEthernet
        case .loopback: .loopback
        case .other: .other
        }
    }

    /// All types, for help and errors.
    package static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
