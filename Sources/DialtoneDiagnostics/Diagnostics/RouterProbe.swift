// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
internal import Netlink
#endif

/// Checks whether a router is present: by any answer from it, or by the kernel's neighbor table.
struct RouterProbe {
    let environment: HostEnvironment
    let patience: Duration

    /// Many routers serve a page on this port; a refused connection is also an answer.
    private static let port: UInt16 = 80

    /// Probes the router at an address; nil if the text is not an address.
    func ask(_ gateway: String) async -> NetworkDiagnostics.RouterAnswer? {
        guard let address = NetworkAddress(gateway) else { return nil }
        let host = HostReachability(
            HostTarget(address, port: Self.port), connects: true, timeout: patience, environment: environment)
        let start = ContinuousClock.now
        let report = await host.check()
        let duration = ContinuousClock.now - start
        switch report.connection?.result {
        case .success: return .init(gateway, .answers, after: duration)
        case .failure(let error) where [.refused, .reset].contains(error.code):
            return .init(gateway, .answers, after: duration)
        default: return .init(gateway, Self.outcome(Self.neighbor(address)), after: duration)
        }
    }

    /// The kernel's knowledge of a neighbor after sending a packet to it.
    enum Neighbor: CaseIterable {
        /// It has just answered.
        case present
        /// It did not answer the kernel's requests.
        case absent
        /// Neither is known.
        case unknown
    }

    static func outcome(_ neighbor: Neighbor) -> NetworkDiagnostics.RouterAnswer.Outcome {
        switch neighbor {
        case .present: .answers
        case .absent: .silent
        case .unknown: .unclear
        }
    }

    #if os(Linux) || os(Android)
    private static func neighbor(_ address: NetworkAddress) -> Neighbor {
        guard var kernel = try? RouteNetlink(), let wanted = NetworkAddress(bytes: address.bytes) else {
            return .unknown
        }
        let states = ((try? kernel.neighbors()) ?? []).filter { neighbor in
            neighbor.address == wanted
                && (address.scope == 0 || neighbor.index == Int32(truncatingIfNeeded: address.scope))
        }.map(\.state)
        return neighbor(states)
    }

    static func neighbor(_ states: [NeighborState]) -> Neighbor {
        if states.contains(where: { $0.contains(.reachable) }) { return .present }
        return !states.isEmpty && states.allSatisfy { !$0.isDisjoint(with: [.failed, .incomplete]) }
            ? .absent : .unknown
    }
    #else
    private static func neighbor(_ address: NetworkAddress) -> Neighbor { .unknown }
    #endif
}
