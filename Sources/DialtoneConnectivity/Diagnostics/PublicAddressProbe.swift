// SPDX-License-Identifier: Apache-2.0

/// Contacts a public address without any name, to tell broken names from a dead uplink.
struct PublicAddressProbe {
    let environment: HostEnvironment
    let patience: Duration

    /// Encrypted DNS and web servers listen on this port, and networks that force their own DNS servers let it pass.
    private static let port: UInt16 = 443

    /// Connects to an address, and sends nothing over the connection.
    func ask(_ address: NetworkAddress) async -> NetworkDiagnostics.AddressAnswer {
        let host = HostReachability(
            HostTarget(address, port: Self.port), connects: true, timeout: patience, environment: environment)
        let start = ContinuousClock.now
        let report = await host.check()
        let outcome: NetworkDiagnostics.AddressAnswer.Outcome =
            switch report.connection?.error?.code {
            case _ where report.connection?.value != nil: .answers
            case .refused?, .reset?: .refuses
            case .timedOut?: .silent
            default: .unreachable
            }
        return .init(address, outcome, after: ContinuousClock.now - start)
    }
}

extension [NetworkAddress] {
    /// The addresses of three operators' public DNS resolvers, in both families, which accept connections to port 443.
    ///
    /// | Operator | Addresses |
    /// | --- | --- |
    /// | Cloudflare | 1.1.1.1, 2606:4700:4700::1111 |
    /// | Google | 8.8.8.8, 2001:4860:4860::8888 |
    /// | Quad9 | 9.9.9.9, 2620:fe::fe |
    public static var publicResolvers: Self {
        [
            NetworkAddress(1, 1, 1, 1), NetworkAddress(8, 8, 8, 8), NetworkAddress(9, 9, 9, 9),
        ] + ["2606:4700:4700::1111", "2001:4860:4860::8888", "2620:fe::fe"].compactMap { NetworkAddress($0) }
    }
}
