// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable package import Netlink
import NetlinkTesting

extension RouteNetlink {
    /// Adds a neighbour, or replaces its state, as `ip neigh replace` does.
    package mutating func setNeighbor(
        _ address: NetworkAddress, on index: Int32, _ state: NeighborState
    ) throws(NetlinkError) {
        try change(.newNeighbor, [.create, .replace], "RTM_NEWNEIGH \(address)") {
            $0.append(address.family.rawValue)
            $0.append([0, 0, 0])
            $0.append(index)
            $0.append(state.rawValue)
            $0.append([0, 0])
            $0.attribute(NeighborMessage.Attribute.destination.rawValue, address)
            $0.attribute(NeighborMessage.Attribute.hardwareAddress.rawValue, [2, 0, 0, 0, 0, 9])
        }
    }
}
#endif
