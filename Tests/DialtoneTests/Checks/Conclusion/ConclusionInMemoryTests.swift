// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// What whole checks of the default endpoints conclude in networks in memory that are broken in one place.
struct ConclusionInMemoryTests {
    /// A network, and the conclusion that is right.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let state: ConnectivityState
        let fault: ConnectivityFault?
        let cause: ConnectivityCause?
        /// The whole sentence, or that of the only remark while online.
        let sentence: String?
        let limit: Duration
        let change: @Sendable (inout NetworkChain) -> Void

        init(
            _ description: String, _ state: ConnectivityState, _ fault: ConnectivityFault?, _ cause: ConnectivityCause?,
            _ sentence: String?, within limit: Duration = .seconds(10),
            _ change: @escaping @Sendable (inout NetworkChain) -> Void
        ) {
            (testDescription, self.state, self.fault, self.cause) = (description, state, fault, cause)
            (self.sentence, self.limit, self.change) = (sentence, limit, change)
        }
    }

    private static let operators = ["Google", "Apple", "Cloudflare", "GrapheneOS", "Fedora", "Ubuntu"]

    /// Lets the HTTPS servers of the first operators behave in a way.
    private static func secure(
        _ behavior: ScriptedInternet.Behavior.ConnectionBehavior, _ count: Int, _ chain: inout NetworkChain
    ) {
        let names = Set(
            [InternetCheck.Endpoint].defaults.filter { operators.prefix(count).contains($0.operatorName ?? "") }
                .compactMap { try? ProbeTarget($0.url).host })
        for place in chain.hosts.indices where !names.isDisjoint(with: chain.hosts[place].names) {
            chain.hosts[place].behavior = .init(https: behavior, chain.hosts[place].behavior.response)
        }
    }

    /// Two public name servers of an IP version.
    private static func servers(_ version: IPVersion) -> [NetworkAddress] {
        Array([NetworkAddress].publicResolvers.filter { $0.version == version }.prefix(2))
    }

    private static let interception =
        "HTTPS does not pass: something is intercepting secure connections. Ask the operator of this network."

    private static let rejection =
        "This machine rejects its own connections: check its firewall and its routing rules."

    static let rows: [Row] = [
        Row("a home", .online, nil, nil, nil) { _ in },
        Row("five of six operators' HTTPS is intercepted", .limited, .filter, .interception, interception) {
            secure(.untrusted, 5, &$0)
        },
        Row(
            "five of six operators' HTTPS is reset", .limited, .filter, .refused,
            "HTTPS does not pass: secure connections are refused. Ask the operator of this network."
        ) { secure(.resetting, 5, &$0) },
        Row(
            "five of six operators' HTTPS is silent", .limited, .filter, .timedOut,
            "HTTPS does not pass: secure connections are not answered. Ask the operator of this network."
        ) { secure(.silent, 5, &$0) },
        Row(
            "three of six operators' HTTPS is intercepted", .online, nil, nil,
            "HTTPS of Google, Apple, Cloudflare does not pass: something is intercepting secure connections."
        ) { secure(.untrusted, 3, &$0) },
        Row(
            "one operator's certificate is foreign", .online, nil, nil,
            "HTTPS of Google does not pass: its certificate is not trusted."
        ) { secure(.untrusted, 1, &$0) },
        Row("one operator's HTTPS is down", .online, nil, nil, nil) { secure(.closed, 1, &$0) },
        Row("one operator's HTTPS is silent", .online, nil, nil, nil) { secure(.silent, 1, &$0) },
        Row("this machine's firewall drops all", .noInternet, .machine, .rejectedHere, rejection) {
            $0[.machine].passing = [.drops]
        },
        Row("this machine's firewall drops UDP to port 443", .online, nil, nil, nil) {
            $0[.machine].passing = [.drops.only(.udpPort(443))]
        },
        Row(
            "this machine's firewall drops UDP to port 443, and the provider is down", .noInternet, .provider,
            .provider,
            GeneralReason.provider
        ) {
            $0[.machine].passing = [.drops.only(.udpPort(443))]
            $0[.provider].passing = [.drops]
        },
        Row(
            "the router drops all that this machine's firewall would", .noInternet, .provider, .provider,
            GeneralReason.provider
        ) {
            $0[.router].passing = [.drops]
        },
        Row(
            "IPv4 is dead beyond the router, and all name servers are reached by it", .limited, .provider,
            .addressFamily,
            "IPv4 is not answered beyond the router, and all DNS servers are reached by it (1.1.1.1, 8.8.8.8): call the provider, or use DNS servers with IPv6 addresses."
        ) {
            $0.nameServers = servers(.ipv4)
            $0[.provider].passing = [.drops.only(.version(.ipv4))]
        },
        Row(
            "the router rejects IPv6, and all name servers are reached by it", .limited, .provider, .addressFamily,
            "IPv6 is not answered beyond the router, and all DNS servers are reached by it (2606:4700:4700::1111, 2001:4860:4860::8888): call the provider, or use DNS servers with IPv4 addresses."
        ) {
            $0.nameServers = servers(.ipv6)
            $0[.router].passing = [.reportsNoRoute.only(.version(.ipv6))]
        },
        Row(
            "IPv4 and perhaps its router are dead, and all name servers are reached by it", .limited, nil,
            .addressFamily,
            "IPv4 is not answered, and all DNS servers are reached by it (1.1.1.1, 8.8.8.8): check the router and this machine's firewall, or use DNS servers with IPv6 addresses."
        ) {
            $0.nameServers = servers(.ipv4)
            $0[.router].answering = [.drops]
            $0[.router].passing = [.drops.only(.version(.ipv4))]
        },
        Row(
            "all name servers, which are reached by IPv4, are silent", .limited, .nameServers, .dnsSilent,
            "DNS servers do not answer (1.1.1.1, 8.8.8.8). The connection itself works: the Internet answers without names."
        ) {
            $0.nameServers = servers(.ipv4)
            $0[.provider].passing = [.drops.only(.udpPort(53))]
        },
        Row(
            "a slow line, and every answer takes seconds", .online, nil, nil,
            "This connection is very slow: answers take 4.8 s."
        ) { $0[.provider].passing = [.delays(.milliseconds(1600))] },
    ]

    @Test(arguments: rows) func `the conclusion is the row's`(row: Row) async throws {
        var chain = NetworkChain.home
        row.change(&chain)
        let network = ScriptedNetwork(chain)
        var configuration = InternetCheck.Configuration()
        configuration.timeouts.total = row.limit
        let check = try InternetCheck(configuration, over: network.transport)
        let report = await network.run { await check.run() }
        let conclusion = Conclusion(chain.path, report)
        #expect(conclusion.state == row.state, "\(report)")
        #expect(conclusion.fault == row.fault)
        #expect(conclusion.cause == row.cause)
        #expect(
            (conclusion.reason ?? conclusion.remarks.map(\.description).joined(separator: " ")) == row.sentence ?? "")
    }
}
#endif
