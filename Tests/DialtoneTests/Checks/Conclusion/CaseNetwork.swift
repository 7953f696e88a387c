// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import Foundation
import SystemSupport
import Testing

@testable import Dialtone

/// Paths, and networks in memory with another configuration than the default one, for rules that random networks do not meet.
struct CaseNetwork: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let facts: @Sendable () async throws -> Facts

    init(_ description: String, _ facts: @escaping @Sendable () async throws -> Facts) {
        (testDescription, self.facts) = (description, facts)
    }

    static let all = paths + undecided + proxies + oneOperator + mixed + [ownPage]
}

// MARK: - Paths

extension CaseNetwork {
    private static let cable = NetworkPath.Interface(name: "eth0", index: 2, type: .wiredEthernet)

    /// What the kernel's diagnosis alone shows, and that no host of a check has a route.
    private static let paths: [CaseNetwork] =
        PathDiagnosis.Reason.allCases.flatMap { reason in
            let diagnosis = PathDiagnosis(reason, interface: cable)
            return [PathStatus.unsatisfied, .requiresConnection].map { status in
                CaseNetwork("path: \(status), \(reason.rawValue)") {
                    Facts(NetworkPath(status: status, diagnosis: diagnosis))
                }
            } + [
                CaseNetwork("no route to any endpoint: \(reason.rawValue)") {
                    Facts(report(without: HostError(.noRoute, diagnosis: diagnosis)))
                }
            ]
        } + [
            CaseNetwork("path: none, and not why") { Facts(NetworkPath(status: .unsatisfied)) },
            CaseNetwork("path: on demand") { Facts(NetworkPath(status: .requiresConnection)) },
            CaseNetwork("path: hidden") { Facts(hidden) },
            CaseNetwork("path: hidden, and sockets are refused") { Facts(hidden, report(without: HostError(.denied))) },
            CaseNetwork("sockets are refused") { Facts(report(without: HostError(.denied))) },
            CaseNetwork("path: not checked") { Facts(NetworkPath(status: .satisfied, interfaces: [cable])) },
        ]

    private static let hidden = NetworkPath(
        status: .unsatisfied, limitation: .unavailable("The network state cannot be read."))

    private static func report(without error: HostError) -> InternetCheck.Report {
        InternetCheck.report(
            without: error, endpoints: .defaults, since: TimeSource.system.now, at: .distantPast)
    }
}

// MARK: - Checks

extension CaseNetwork {
    /// A check over a network in memory that was changed.
    static func network(
        _ description: String, _ change: @escaping @Sendable (inout NetworkChain) -> Void,
        configure: @escaping @Sendable (inout InternetCheck.Configuration) -> Void = { _ in },
        prober: (@Sendable (NetworkTransport) -> any Prober)? = nil
    ) -> CaseNetwork {
        CaseNetwork(description) {
            var chain = NetworkChain.home
            change(&chain)
            let network = ScriptedNetwork(chain)
            var configuration = InternetCheck.Configuration()
            configure(&configuration)
            var check = try InternetCheck(configuration, over: network.transport)
            if let prober {
                check = try InternetCheck(configuration, prober: prober(network.transport)) { _ in .unknown }
                check.transport = network.transport
            }
            let report = await network.run { [check] in await check.run() }
            network.clock.advance(by: .seconds(60))
            return Facts(chain.path, report)
        }
    }

    private struct Failing: Prober {
        let error: ProbeError

        func probe(_ request: ProbeRequest) async -> ProbeResult { ProbeResult(error: error) }
    }

    private static let undecided: [CaseNetwork] = [
        network(
            "no descriptors are left", { _ in },
            prober: { _ in Failing(error: ProbeError(.noResources, during: .prepare, "Too many open files")) }),
        network(
            "only IPv6 is wanted of hosts that have IPv4 addresses", { _ in },
            configure: {
                $0.endpoints = ["http://192.0.2.7/", "https://192.0.2.7/"]
                $0.family = .ipv6
            }),
        network(
            "all_proxy is a SOCKS proxy", { _ in }, configure: { $0.proxies = .environment },
            prober: { transport in
                SocketHTTPProbe(resolver: transport.resolver, over: transport.runner) {
                    ["all_proxy": "socks5://192.0.2.9:1080"]
                }
            }),
        network(
            "names take longer than the check", { $0[.provider].passing = [.drops.only(.udpPort(53))] },
            configure: { $0.timeouts.total = .seconds(2) }),
    ]

    /// Proxies that fail, of random networks, where this machine has no path besides.
    private static let proxies: [CaseNetwork] = NetworkFault.Kind.allCases.filter(\.needsProxy).map { kind in
        CaseNetwork("no path, \(kind.rawValue)") {
            let seed = (0 as UInt64..<10_000).first { RandomNetwork(seed: $0).faults.map(\.kind) == [kind] }
            var machine = try RandomNetwork(seed: #require(seed)).broken
            machine.chain.path.status = .unsatisfied
            return try await machine.conclusion(over: ScriptedNetwork(machine.chain)).facts
        }
    }

    /// The page of a router that is all that answers, on a network that was online.
    private static let ownPage = CaseNetwork("page of the router on a network that was online") {
        let seed = (0 as UInt64..<10_000).first { RandomNetwork(seed: $0).faults.map(\.kind) == [.portalByNames] }
        let machine = try RandomNetwork(seed: #require(seed)).broken
        var facts = try await machine.conclusion(over: ScriptedNetwork(machine.chain)).facts
        facts.wasProven = true
        return facts
    }

    static let google: [InternetCheck.Endpoint] = .defaults.filter { $0.operatorName == "Google" }

    /// Checks of one operator, which fails.
    private static let oneOperator: [CaseNetwork] = [
        one("refuses connections") { _ in .init(http: .closed, https: .closed) },
        one("refuses HTTPS") { .init(https: .closed, $0.response) },
        one("accepts in silence") { _ in .silent },
        one("is silent over HTTPS") { .init(https: .silent, $0.response) },
        one("has a foreign certificate") { .init(https: .misnamed, $0.response) },
        one("has a foreign certificate, and refuses HTTP") { _ in .init(http: .closed, https: .misnamed) },
        one("breaks off handshakes") { .init(https: .oldTLS, $0.response) },
        one("breaks off handshakes, and refuses HTTP") { _ in .init(http: .closed, https: .oldTLS) },
        one("fails") { _ in .always(.answer(503)) },
        one("fails over HTTPS") { $0.answering(503) },
        one("answers something else") { _ in .always(.answer(404)) },
        one("answers something else over HTTPS") { $0.answering(404) },
        one("has no names", in: { $0.hosts.removeAll { !$0.names.isEmpty } }),
        one(
            "is behind a router that has no route",
            in: { chain in
                let addresses = chain.hosts.filter { !$0.names.isEmpty }.flatMap(\.addresses)
                chain[.provider].passing.append(.reportsNoRoute.towards(addresses))
            }),
        one(
            "is behind a router that drops its packets",
            in: { chain in
                let addresses = chain.hosts.filter { !$0.names.isEmpty }.flatMap(\.addresses)
                chain[.provider].passing.append(.drops.towards(addresses))
            }),
    ]

    private static func one(
        _ words: String, _ behavior: @escaping @Sendable (ScriptedInternet.Behavior) -> ScriptedInternet.Behavior
    ) -> CaseNetwork {
        one(words, in: { $0.change(google, behavior) })
    }

    private static func one(_ words: String, in change: @escaping @Sendable (inout NetworkChain) -> Void) -> CaseNetwork
    {
        network("the only operator \(words)", change, configure: { $0.endpoints = google })
    }

    /// Several operators that fail in different ways.
    private static let mixed: [CaseNetwork] = [
        network("HTTPS of all but one operator answers something else") {
            $0.change(Array([InternetCheck.Endpoint].defaults.dropFirst(2))) { $0.answering(404) }
        },
        network("handshakes of all operators break off, and HTTP is refused") {
            $0.change(.defaults) { _ in .init(http: .closed, https: .oldTLS) }
        },
    ]
}

extension ScriptedInternet.Behavior {
    /// The same, with another status over HTTPS.
    fileprivate func answering(_ status: Int) -> Self { Self { $0.isSecure ? .answer(status) : response($0) } }
}

extension NetworkChain {
    /// Changes the behavior of the endpoints' hosts.
    mutating func change(
        _ endpoints: [InternetCheck.Endpoint], _ change: (ScriptedInternet.Behavior) -> ScriptedInternet.Behavior
    ) {
        let names = Set(endpoints.compactMap { try? ProbeTarget($0.url).host })
        for place in hosts.indices where !names.isDisjoint(with: hosts[place].names) {
            hosts[place].behavior = change(hosts[place].behavior)
        }
    }
}
#endif
