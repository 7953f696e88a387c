// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport

@testable import NetworkState

/// A host's network, for tests.
struct Host {
    var interfaces: [NetworkInterface] = [.loopback]
    var general: [NetworkAddress: RouteAnswer.Outcome] = [:]
    var byInterface: [Int32: [NetworkAddress: RouteAnswer.Outcome]] = [:]
    var hasRejectingRule = false
    var servers: [NetworkAddress] = ["192.0.2.53"]

    init(_ interfaces: NetworkInterface...) { self.interfaces += interfaces }

    /// The state, with an answer to each lookup; lookups without a given answer have no route.
    var snapshot: NetworkSnapshot {
        let routing = RoutingAnswers(interfaces) { questions in
            questions.map { question in
                let known = question.interface.map { byInterface[$0] ?? [:] } ?? general
                return RouteAnswer(question.destination, known[question.destination] ?? .noRoute)
            }
        }
        return NetworkSnapshot(
            interfaces: interfaces, hasRejectingRule: hasRejectingRule, routing: routing,
            resolver: ResolverConfiguration(servers: servers.map { .init($0) }))
    }

    /// The path over the links that a filter allows.
    func path(_ filter: PathFilter = PathFilter()) -> NetworkPath {
        PathEvaluator(snapshot).evaluate(filter)
    }

    /// Sets the answer for all addresses of a family, over any link or bound to one.
    func answering(
        _ outcome: RouteAnswer.Outcome, for family: AddressFamily = .ipv4, over interface: Int32? = nil
    ) -> Host {
        answering(outcome, to: ReferenceLookups.representatives(family), over: interface)
    }

    /// Sets the answer for some addresses.
    func answering(
        _ outcome: RouteAnswer.Outcome, to addresses: some Sequence<NetworkAddress>, over interface: Int32? = nil
    ) -> Host {
        var host = self
        for address in addresses {
            if let interface {
                host.byInterface[interface, default: [:]][address] = outcome
            } else {
                host.general[address] = outcome
            }
        }
        return host
    }
}

extension NetworkInterface {
    static let loopback = NetworkInterface(
        index: 1, name: "lo", type: .loopback, flags: [.up, .running, .lowerUp, .loopback],
        addresses: [InterfaceAddress("127.0.0.1/8", scope: .host), InterfaceAddress("::1/128", scope: .host)])

    /// A wired link that is running, with these addresses.
    static func wired(
        _ index: Int32 = 2, flags: LinkFlags = [.up, .running, .lowerUp],
        addresses: [InterfaceAddress] = [
            InterfaceAddress("192.0.2.2/24"), InterfaceAddress("2001:db8::2/64"),
        ]
    ) -> NetworkInterface {
        NetworkInterface(index: index, name: "eth\(index)", type: .wiredEthernet, flags: flags, addresses: addresses)
    }

    static func tunnel(_ index: Int32 = 9) -> NetworkInterface {
        NetworkInterface(
            index: index, name: "wg\(index)", type: .other, linkKind: "wireguard",
            flags: [.up, .running, .lowerUp, .pointToPoint, .noARP], addresses: [InterfaceAddress("10.8.0.2/32")])
    }
}

extension RouteAnswer.Outcome {
    /// A route through a router on a link.
    static func via(
        _ gateway: NetworkAddress?, on interface: Int32 = 2, length: UInt8 = 0, metric: UInt32 = 0,
        type: RouteType = .unicast,
        source: NetworkAddress? = nil
    ) -> Self {
        .route(
            FoundRoute(
                prefixLength: length, priority: metric, type: type,
                nextHops: [NextHop(interface: interface, gateway: gateway)], preferredSource: source))
    }
}
