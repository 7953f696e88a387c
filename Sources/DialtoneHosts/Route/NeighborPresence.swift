// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
internal import Netlink
#endif

/// Whether a neighbor on a link is there, by the kernel's neighbor table.
package enum NeighborPresence: Hashable, Sendable, CaseIterable {
    /// It has just answered.
    case present
    /// It did not answer the kernel's queries.
    case absent
    /// Neither is known.
    case unknown

    #if os(Linux) || os(Android)
    /// Reads the presence of an address from the table of the calling thread's network namespace.
    package init(of address: NetworkAddress) {
        guard var kernel = try? RouteNetlink(), let wanted = NetworkAddress(bytes: address.bytes) else {
            self = .unknown
            return
        }
        self.init(
            ((try? kernel.neighbors()) ?? []).filter { neighbor in
                neighbor.address == wanted
                    && (address.scope == 0 || neighbor.index == Int32(truncatingIfNeeded: address.scope))
            }.map(\.state))
    }

    /// Determines the presence of a neighbor from its states on one or more links.
    init(_ states: [NeighborState]) {
        if states.contains(where: { $0.contains(.reachable) }) {
            self = .present
        } else {
            let isAbsent = !states.isEmpty && states.allSatisfy { !$0.isDisjoint(with: [.failed, .incomplete]) }
            self = isAbsent ? .absent : .unknown
        }
    }
    #else
    /// The table cannot be read.
    package init(of address: NetworkAddress) { self = .unknown }
    #endif
}
