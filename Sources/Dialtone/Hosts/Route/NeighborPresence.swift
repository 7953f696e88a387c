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
}

/// Whether a neighbor on a link is there, by the kernel's neighbor table.
enum NeighborPresence: Hashable, Sendable, CaseIterable {
    /// It did not answer the kernel's queries.
    case absent
    /// It may be there. The kernel remembers a neighbor for up to 45 seconds after its last answer, so that its table does not
    /// show that one is there.
    case unknown

    #if os(Linux) || os(Android)
    /// Looks up neighbors in the calling thread's network namespace, on a thread that may block; one that is missing in the
    /// result is unknown.
    static func read(_ neighbors: Set<Neighbor>) async -> [Neighbor: NeighborPresence] {
        guard !neighbors.isEmpty else { return [:] }
        let found = try? await ThreadStarter.system.run("dialtone.read") { lookUp(neighbors) }
        return found ?? [:]
    }

    /// Looks up neighbors as ``read(_:)`` does, on the calling thread.
    static func lookUp(_ neighbors: Set<Neighbor>) -> [Neighbor: NeighborPresence] {
        guard var kernel = try? RouteNetlink() else { return [:] }
        var found: [Neighbor: NeighborPresence] = [:]
        for neighbor in neighbors {
            let index = Int32(truncatingIfNeeded: neighbor.interface)
            found[neighbor] = (try? kernel.neighbor(neighbor.address, on: index)).map { NeighborPresence($0.state) }
        }
        return found
    }

    /// Determines the presence of a neighbor from its state.
    init(_ state: NeighborState) {
        self = state.isDisjoint(with: [.failed, .incomplete]) ? .unknown : .absent
    }
    #else
    /// The table cannot be read.
    package static func read(_ neighbors: Set<Neighbor>) async -> [Neighbor: NeighborPresence] { [:] }
    /// The table cannot be read.
    package static func lookUp(_ neighbors: Set<Neighbor>) -> [Neighbor: NeighborPresence] { [:] }
    #endif
}

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
        return NeighborPresence.lookUp([neighbor])[neighbor] == .absent
    }
}
