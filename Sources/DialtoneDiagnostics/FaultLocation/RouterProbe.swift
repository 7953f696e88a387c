// SPDX-License-Identifier: Apache-2.0

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
        default: return .init(gateway, Self.outcome(NeighborPresence(of: address)), after: duration)
        }
    }

    static func outcome(_ neighbor: NeighborPresence) -> NetworkDiagnostics.RouterAnswer.Outcome {
        switch neighbor {
        case .present: .answers
        case .absent: .silent
        case .unknown: .unclear
        }
    }
}
