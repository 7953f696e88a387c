// SPDX-License-Identifier: Apache-2.0

/// Contacts public addresses without any name, to tell broken names from a dead uplink.
struct PublicAddressProbe {
    let environment: HostEnvironment
    let patience: Duration

    /// Encrypted DNS and web servers listen on this port, and networks that force their own DNS servers let it pass.
    private static let port: UInt16 = 443

    /// Connects to all addresses in parallel, and sends nothing over the connections.
    ///
    /// - Returns: the first address that accepts a connection; if none does, all of them in their order.
    func run(_ addresses: [NetworkAddress]) async -> [NetworkDiagnostics.AddressAnswer] {
        await withTaskGroup(of: (Int, NetworkDiagnostics.AddressAnswer).self) { group in
            for (place, address) in addresses.enumerated() {
                group.addTask { (place, await ask(address)) }
            }
            var answers: [Int: NetworkDiagnostics.AddressAnswer] = [:]
            for await (place, answer) in group {
                if answer.outcome == .answers {
                    group.cancelAll()
                    return [answer]
                }
                answers[place] = answer
            }
            return answers.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private func ask(_ address: NetworkAddress) async -> NetworkDiagnostics.AddressAnswer {
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

extension NetworkDiagnostics {
    /// How a public address responded to a connection.
    public struct AddressAnswer: Hashable, Sendable {
        /// The outcome.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It accepted the connection.
            case answers
            /// The connection was refused, by the host or by a firewall in front of it.
            case refuses
            /// There is no route to it, according to this machine or a router.
            case unreachable
            /// It did not answer.
            case silent
        }

        /// The address.
        public var address: NetworkAddress
        /// The outcome.
        public var outcome: Outcome
        /// The time until the outcome.
        public var duration: Duration

        /// Creates an answer, for tests.
        public init(_ address: NetworkAddress, _ outcome: Outcome, after duration: Duration = .zero) {
            (self.address, self.outcome, self.duration) = (address, outcome, duration)
        }
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
