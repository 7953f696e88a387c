// SPDX-License-Identifier: Apache-2.0

import SystemSupport

#if os(Linux) || os(Android)
internal import Netlink
#endif

/// A host or router on one of this machine's links.
struct Neighbor: Hashable, Sendable {
    let address: NetworkAddress
    /// The index of the link.
    let interface: Int

    init(_ address: NetworkAddress, on interface: Int) {
        self.address = address.unscoped
        self.interface = interface
    }

    #if os(Linux) || os(Android)
    /// Looks up neighbors as ``lookUpAbsent(_:)`` does, on a thread that may block.
    static func absent(_ neighbors: Set<Neighbor>) async -> Set<Neighbor> {
        guard !neighbors.isEmpty else { return [] }
        let absent = try? await ThreadStarter.system.run("dialtone.read") { lookUpAbsent(neighbors) }
        return absent ?? []
    }

    /// The neighbors that did not answer the kernel's queries, in the calling thread's network namespace.
    ///
    /// The others may be there. The kernel remembers a neighbor for up to 45 seconds after its last answer, so that its table does
    /// not show that one is there.
    static func lookUpAbsent(_ neighbors: Set<Neighbor>) -> Set<Neighbor> {
        guard var kernel = try? RouteNetlink() else { return [] }
        return neighbors.filter { neighbor in
            let found = try? kernel.neighbor(neighbor.address, on: Int32(truncatingIfNeeded: neighbor.interface))
            return found?.state.isAbsent ?? false
        }
    }
    #else
    /// The table cannot be read.
    static func absent(_ neighbors: Set<Neighbor>) async -> Set<Neighbor> { [] }
    /// The table cannot be read.
    static func lookUpAbsent(_ neighbors: Set<Neighbor>) -> Set<Neighbor> { [] }
    #endif
}

#if os(Linux) || os(Android)
extension NeighborState {
    /// Whether the neighbor has not answered the kernel's queries.
    var isAbsent: Bool { !isDisjoint(with: [.failed, .incomplete]) }
}
#endif

extension NetworkPath {
    /// The router as a neighbor; nil if it is not known on which link.
    func neighbor(_ gateway: Gateway) -> Neighbor? {
        interfaces.first { $0.name == gateway.interface }.map { Neighbor(gateway.address, on: $0.index) }
    }
}

extension HostRoute {
    /// The neighbor that packets to an address are sent to: the router, or the host itself on this machine's own link.
    func neighbor(toward address: NetworkAddress) -> Neighbor? {
        guard let interface, !isLocalAddress else { return nil }
        if let gateway { return Neighbor(gateway.address, on: interface.index) }
        return isDirect ? Neighbor(address, on: interface.index) : nil
    }
}

extension KernelSockets {
    package func isAbsent(_ address: NetworkAddress, on interface: String) -> Bool {
        guard let index = InterfaceNames.index(of: interface) else { return false }
        let neighbor = Neighbor(address, on: Int(index))
        return Neighbor.lookUpAbsent([neighbor]).contains(neighbor)
    }
}
