// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import TestSupport

@testable import Dialtone

/// Networks in each of which one fact decides what is concluded. Each is a stored case, whatever rules it meets.
extension CaseNetwork {
    static let deciding =
        secureConnections + thisMachine + versions + nameServers + remarks + silences + answersInPlace + tunnels
        + proxiesBesides

    // MARK: Parts

    private static let operators = ["Google", "Apple", "Cloudflare", "GrapheneOS", "Fedora", "Ubuntu"]

    /// Lets the HTTPS servers of the first operators behave in a way.
    private static func secure(
        _ behavior: ScriptedInternet.Behavior.ConnectionBehavior, _ count: Int, _ chain: inout NetworkChain
    ) {
        let names = operators.prefix(count)
        chain.change([InternetCheck.Endpoint].defaults.filter { names.contains($0.operatorName ?? "") }) {
            .init(https: behavior, $0.response)
        }
    }

    /// Two public name servers of an IP version.
    private static func servers(_ version: IPVersion) -> [NetworkAddress] {
        Array([NetworkAddress].publicResolvers.filter { $0.version == version }.prefix(2))
    }

    /// Lets the provider drop packets to the public addresses that are contacted without names.
    private static func silencePublicAddresses(_ chain: inout NetworkChain) {
        chain[.provider].passing.append(.drops.only(.tcp).towards(.publicResolvers))
    }

    private static let ownEndpoints: [InternetCheck.Endpoint] = ["http://198.51.100.7/", "http://198.51.100.8/"]

    // MARK: Hosts

    private static let secureConnections: [CaseNetwork] = [
        network("HTTPS of five operators is intercepted") { secure(.untrusted, 5, &$0) },
        network("HTTPS of five operators is reset") { secure(.resetting, 5, &$0) },
        network("HTTPS of five operators is silent") { secure(.silent, 5, &$0) },
        network("HTTPS of three operators is intercepted") { secure(.untrusted, 3, &$0) },
        network("the certificate of one operator is foreign") { secure(.untrusted, 1, &$0) },
        network("HTTPS of one operator is down") { secure(.closed, 1, &$0) },
        network("HTTPS of one operator is silent") { secure(.silent, 1, &$0) },
    ]

    private static let answersInPlace: [CaseNetwork] = [
        network(
            "plain requests are accepted in silence, and public addresses are silent",
            {
                $0.change(.defaults) { _ in .silent }
                silencePublicAddresses(&$0)
            }, configure: { $0.endpoints = .defaults.filter { $0.url.hasPrefix("http:") } }),
        network("all operators refuse, and public addresses are silent") {
            $0.change(.defaults) { _ in .refusing }
            silencePublicAddresses(&$0)
        },
        network("all operators refuse, and most packets are lost") {
            $0.change(.defaults) { _ in .refusing }
            $0[.provider].passing.append(.loses(0.45))
        },
        network("all names lead to one address") {
            $0.change(.defaults) { _ in .init(http: .closed, https: .misnamed) }
            for place in $0.hosts.indices where !$0.hosts[place].names.isEmpty {
                $0.hosts[place].addresses = [NetworkAddress(198, 51, 100, 7)]
            }
        },
    ]

    // MARK: Hops

    private static let rejected: @Sendable (inout NetworkChain) -> Void = { $0[.machine].passing = [.drops] }

    private static let thisMachine: [CaseNetwork] = [
        network("this machine's firewall drops all", rejected),
        network("this machine's firewall drops UDP to port 443") {
            $0[.machine].passing = [.drops.only(.udpPort(443))]
        },
        network("this machine's firewall drops UDP to port 443, and the provider is down") {
            $0[.machine].passing = [.drops.only(.udpPort(443))]
            $0[.provider].passing = [.drops]
        },
        network("this machine's firewall rejects one public address, and the provider everything") {
            $0.nameServers = servers(.ipv4)
            $0[.machine].passing = [.rejects.towards([NetworkAddress].publicResolvers.suffix(1))]
            $0[.provider].passing = [.rejects]
        },
        network("the router drops all that this machine's firewall would") { $0[.router].passing = [.drops] },
    ]

    private static let versions: [CaseNetwork] = [
        network("IPv4 is dead beyond the router, and all name servers are reached by it") {
            $0.nameServers = servers(.ipv4)
            $0[.provider].passing = [.drops.only(.version(.ipv4))]
        },
        network("the router rejects IPv6, and all name servers are reached by it") {
            $0.nameServers = servers(.ipv6)
            $0[.router].passing = [.reportsNoRoute.only(.version(.ipv6))]
        },
        network("IPv4 and perhaps its router are dead, and all name servers are reached by it") {
            $0.nameServers = servers(.ipv4)
            $0[.router].answering = [.drops]
            $0[.router].passing = [.drops.only(.version(.ipv4))]
        },
        network("IPv6 is dead beyond the router") { $0[.provider].passing.append(.drops.only(.version(.ipv6))) },
        network("IPv4 only, and names without IPv4 addresses") {
            $0.path.supportsIPv6 = false
            $0.path.gateways.removeAll { $0.address.version == .ipv6 }
            for place in $0.hosts.indices where !$0.hosts[place].names.isEmpty {
                $0.hosts[place].addresses.removeAll { $0.version == .ipv4 }
            }
        },
    ]

    private static let nameServers: [CaseNetwork] = [
        network("all name servers, which are reached by IPv4, are silent") {
            $0.nameServers = servers(.ipv4)
            $0[.provider].passing = [.drops.only(.udpPort(53))]
        },
        network("distant name servers fail, and public addresses are silent") {
            $0.nameServers = servers(.ipv4)
            $0[.provider].passing = [.resolves(.serverFailure), .drops.only(.tcp)]
        },
    ]

    private static let silences: [CaseNetwork] = [
        network(
            "own endpoints, and no router", { $0[.router].isPresent = false },
            configure: { $0.endpoints = ownEndpoints }),
        network(
            "own endpoints are silent, and so are a public address and perhaps the router",
            {
                $0[.router].answering = [.drops]
                $0[.provider].passing = [.drops]
            },
            configure: {
                $0.endpoints = ownEndpoints
                $0.publicAddresses = [NetworkAddress(9, 9, 9, 9)]
            }),
        network(
            "own endpoints and a public address are silent over a link without a router",
            {
                $0.path.gateways = []
                $0[.provider].passing = [.drops]
            },
            configure: {
                $0.endpoints = ownEndpoints
                $0.publicAddresses = [NetworkAddress(9, 9, 9, 9)]
            }),
        network(
            "operators are silent, and no public address is asked",
            { chain in
                let addresses = chain.hosts.filter { !$0.names.isEmpty }.flatMap(\.addresses)
                chain[.provider].passing.append(.drops.towards(addresses))
            }, configure: { $0.publicAddresses = [] }),
    ]

    // MARK: Tunnels

    /// A check whose packets enter a tunnel.
    private static func tunnel(
        _ words: String, _ change: @escaping @Sendable (inout RandomNetwork.Machine) -> Void
    ) -> CaseNetwork {
        CaseNetwork("tunnel: \(words)") {
            var machine = RandomNetwork.Machine()
            machine.enterTunnel()
            change(&machine)
            return try await machine.conclusion(over: ScriptedNetwork(machine.chain)).facts
        }
    }

    /// Gives the tunnel another end that has an address.
    private static func addEnd(_ chain: inout NetworkChain) {
        let end = NetworkAddress(10, 8, 0, 1)
        chain.path.gateways = [.init(end, interface: "tun0")]
        chain[.tunnel].addresses = [end]
        chain.nameServers = servers(.ipv4)
    }

    private static let tunnels: [CaseNetwork] = [
        tunnel("it works, and its name servers are silent") {
            $0.chain.nameServers = servers(.ipv4)
            $0.chain[.provider].passing.append(.drops.only(.udpPort(53)))
        },
        tunnel("it is dead, and the router's name service fails") {
            $0.chain[.router].names = .always(.serverFailure)
            $0.chain[.tunnel].passing = [.drops]
        },
        tunnel("it is dead, and its other end is silent") {
            addEnd(&$0.chain)
            ($0.chain[.tunnel].passing, $0.chain[.tunnel].answering) = ([.drops], [.drops])
        },
        tunnel("its other end answers, nothing beyond it does, and what carries it is not known") {
            addEnd(&$0.chain)
            $0.chain.carriers = []
            $0.chain[.provider].passing = [.drops]
        },
        tunnel("it works, and a proxy in it refuses") {
            $0.usesProxy = true
            $0.chain.hosts.append(
                .init(RandomNetwork.proxy, addresses: [NetworkAddress(198, 51, 100, 31)], behavior: .refusing))
        },
    ]

    // MARK: Proxies

    private static let proxiesBesides: [CaseNetwork] = [
        proxied("requires a login", of: .always(.answer(407)), configure: { $0.endpoints = google }),
        proxied("resets connections", of: .init(http: .resetting)),
    ]

    private static func proxied(
        _ words: String, of behavior: ScriptedInternet.Behavior,
        configure: @escaping @Sendable (inout InternetCheck.Configuration) -> Void = { _ in }
    ) -> CaseNetwork {
        network(
            "a proxy \(words)",
            {
                $0.hosts.append(
                    .init(RandomNetwork.proxy, addresses: [NetworkAddress(198, 51, 100, 31)], behavior: behavior))
            },
            configure: {
                $0.proxies = .environment
                configure(&$0)
            },
            prober: { transport in
                SocketHTTPProbe(resolver: transport.resolver, over: transport.runner) {
                    [
                        "http_proxy": "http://\(RandomNetwork.proxy):3128",
                        "https_proxy": "http://\(RandomNetwork.proxy):3128",
                    ]
                }
            })
    }

    // MARK: Remarks

    private static let remarks: [CaseNetwork] = [
        network("a home") { _ in },
        network("answers take seconds") { $0[.provider].passing = [.delays(.milliseconds(1600))] },
        network("names take two seconds") { $0[.provider].passing.append(.delays(.seconds(2)).only(.udpPort(53))) },
        network("the first of two name servers is silent") {
            $0.nameServers = servers(.ipv4)
            $0[.provider].passing.append(.drops.only(.udpPort(53)).towards([servers(.ipv4)[0]]))
        },
        network("one operator is redirected") {
            $0.change([InternetCheck.Endpoint].defaults.filter { $0.operatorName == "Fedora" }) { _ in
                .init(https: .resetting) { _ in .redirect(to: "http://login.portal.test/") }
            }
        },
        network(
            "the captive portal API says captive, and everything answers",
            {
                $0.hosts.append(
                    .init(
                        "api.portal.test", addresses: [NetworkAddress(89, 160, 20, 100)],
                        behavior: .always(.captivePortalAPI(captive: true, portal: "https://login.portal.test/"))))
            }, configure: { $0.captivePortalAPI = .url("https://api.portal.test/") }),
    ]
}
#endif
