// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Netlink
@testable import NetworkState

/// Tunnels, their known remote ends, and the links that their packets use.
struct TunnelCarriersTests {
    private typealias Source = TunnelCarriers.Source

    /// A link of a kind, with its options.
    private func link(
        _ index: Int32, _ kind: String? = nil, _ tunnel: TunnelOptions? = nil, lowerNamespace: Int32? = nil
    ) throws -> LinkMessage {
        var link = try LinkMessage.sample(index)
        (link.kind, link.tunnel, link.lowerNamespace) = (kind, tunnel, lowerNamespace)
        return link
    }

    private func carriers(_ links: LinkMessage...) -> TunnelCarriers {
        TunnelCarriers(LinkTable(links.map { ($0.index, $0) }))
    }

    /// General answers that lead over a link.
    private func routing(over index: Int32, type: RouteType = .unicast) -> RoutingAnswers {
        let route = FoundRoute(type: type, nextHops: [NextHop(interface: index)])
        return RoutingAnswers(general: [RouteAnswer("24.48.0.1", .route(route))])
    }

    // MARK: Which tunnels

    @Test func `a host without tunnels makes no lookups`() throws {
        let found = carriers(try link(2), try link(3, "vlan")).find(in: routing(over: 2)) { _ in
            Issue.record("peers of what?")
            return nil
        } lookUp: { questions in
            Issue.record("\(questions)")
            return []
        }
        #expect(found == TunnelCarriers.Found())
    }

    @Test func `a tunnel that no route leads into is not looked up`() throws {
        let carriers = carriers(try link(2), try link(9, "gre", TunnelOptions(remote: "203.0.113.9")))
        #expect(carriers.tunnels(in: routing(over: 2)).isEmpty)
        #expect(carriers.tunnels(in: routing(over: 9)) == [9])
        #expect(carriers.tunnels(in: routing(over: 9, type: .local)).isEmpty)
        var bound = RoutingAnswers()
        bound.byLink[9] = routing(over: 9).general
        #expect(carriers.tunnels(in: bound) == [9])
        #expect(carriers.tunnels(in: routing(over: 2), hosts: [RouteAnswer("10.9.0.1", .via(nil, on: 9))]) == [9])
    }

    // MARK: Which lookups

    static let ways: [(String, TunnelOptions?, Int32?, TunnelCarriers.Source?)] = [
        ("gre", TunnelOptions(remote: "203.0.113.9"), nil, .lookup(RouteLookup(to: "203.0.113.9"))),
        (
            "ipip", TunnelOptions(remote: "203.0.113.9", local: "192.0.2.2", mark: 7), nil,
            .lookup(RouteLookup(to: "203.0.113.9", source: "192.0.2.2", mark: 7))
        ),
        ("sit", TunnelOptions(remote: "203.0.113.9", link: 2), nil, .link(2)),
        ("xfrm", TunnelOptions(link: 2), nil, .link(2)),
        ("xfrm", TunnelOptions(), nil, nil),
        ("vxlan", TunnelOptions(remote: "239.1.1.1", link: 2), nil, .link(2)),
        ("vxlan", TunnelOptions(remote: "239.1.1.1"), nil, nil),
        ("vxlan", TunnelOptions(remote: "2001:db8::9"), nil, .lookup(RouteLookup(to: "2001:db8::9"))),
        // Bound to a VRF, whose routing decides.
        (
            "gre", TunnelOptions(remote: "203.0.113.9", link: 4), nil,
            .lookup(RouteLookup(to: "203.0.113.9", interface: 4))
        ),
        // A multipoint tunnel has as many remote ends as it has neighbours.
        ("gre", TunnelOptions(), nil, nil),
        // Created in another namespace, it sends its packets there.
        ("gre", TunnelOptions(remote: "203.0.113.9"), 0, nil),
        ("gre", TunnelOptions(remote: "203.0.113.9", link: 9), nil, nil),
        // A program is the other end.
        ("tun", nil, nil, nil),
        ("ppp", nil, nil, nil),
    ]

    @Test(arguments: ways)
    func `the lookup for a tunnel follows from its kind and options`(
        kind: String, options: TunnelOptions?, lowerNamespace: Int32?, expected: TunnelCarriers.Source?
    ) throws {
        let carriers = carriers(
            try link(2), try link(4, "vrf"), try link(9, kind, options, lowerNamespace: lowerNamespace))
        #expect(carriers.source(of: 9, wireGuard: nil) == expected)
    }

    @Test func `WireGuard is looked up by the peer for the Internet, with the device's mark`() throws {
        let device = WireGuardDevice(
            index: 9, mark: 51820,
            peers: [
                .init(endpoint: "198.51.100.7", allowed: ["10.0.0.0/8", "fd00::/8"]),
                .init(endpoint: "203.0.113.9", allowed: ["0.0.0.0/0"]),
            ])
        let way = carriers(try link(9, "wireguard")).source(of: 9, wireGuard: device)
        #expect(way == .lookup(RouteLookup(to: "203.0.113.9", mark: 51820)))
    }

    @Test func `WireGuard without a peer for the Internet, or with an unknown endpoint, is not looked up`() throws {
        let carriers = carriers(try link(9, "wireguard"))
        #expect(carriers.source(of: 9, wireGuard: nil) == nil)
        let company = WireGuardDevice(index: 9, peers: [.init(endpoint: "203.0.113.9", allowed: ["10.0.0.0/8"])])
        #expect(carriers.source(of: 9, wireGuard: company) == nil)
        let host = RouteAnswer("10.9.0.1", .via(nil, on: 9))
        let way = carriers.source(of: 9, wireGuard: company, hosts: [host])
        #expect(way == .lookup(RouteLookup(to: "203.0.113.9")))
        let silent = WireGuardDevice(index: 9, peers: [.init(allowed: ["0.0.0.0/0"])])
        #expect(carriers.source(of: 9, wireGuard: silent) == nil)
    }

    // MARK: Results

    static let answers: [(RouteAnswer.Outcome, Int32?)] = [
        (.via("192.0.2.1", on: 2), 2),
        (.via(nil, on: 2), 2),
        (.noRoute, nil),
        (.rejected, nil),
        // The route leads into the tunnel itself: its packets do not use this namespace.
        (.via(nil, on: 9), nil),
        (.via(nil, on: 1, type: .local), nil),
        (.route(FoundRoute(nextHops: [])), nil),
        (.route(FoundRoute(nextHops: [NextHop(interface: 3), NextHop(interface: 2)])), 3),
    ]

    @Test(arguments: answers)
    func `the answer for the remote end gives the carrier`(outcome: RouteAnswer.Outcome, expected: Int32?) {
        #expect(TunnelCarriers.carrier(of: 9, by: RouteAnswer("203.0.113.9", outcome)) == expected)
    }

    @Test func `nested tunnels are followed, each once`() throws {
        let carriers = carriers(
            try link(2), try link(7, "wireguard"), try link(9, "gre", TunnelOptions(remote: "10.9.0.1")))
        var asked: [[RouteLookup]] = []
        let found = carriers.find(in: routing(over: 9)) { index in
            WireGuardDevice(index: index, peers: [.init(endpoint: "203.0.113.9", allowed: ["0.0.0.0/0"])])
        } lookUp: { questions in
            asked.append(questions)
            let answers: [NetworkAddress: RouteAnswer.Outcome] = [
                "10.9.0.1": .via(nil, on: 7), "203.0.113.9": .via("192.0.2.1", on: 2),
            ]
            return questions.map { RouteAnswer($0.destination, answers[$0.destination] ?? .noRoute) }
        }
        #expect(found.carriers == [9: 7, 7: 2])
        #expect(found.endpoints == ["10.9.0.1", "203.0.113.9"])
        #expect(asked == [[RouteLookup(to: "10.9.0.1")], [RouteLookup(to: "203.0.113.9")]])
    }

    @Test func `tunnels in a cycle do not cause an endless loop`() throws {
        let carriers = carriers(
            try link(8, "gre", TunnelOptions(remote: "10.0.0.9")), try link(9, "gre", TunnelOptions(remote: "10.0.0.8"))
        )
        var rounds = 0
        let found = carriers.find(in: routing(over: 9)) { _ in
            nil
        } lookUp: { questions in
            rounds += 1
            return questions.map { RouteAnswer($0.destination, .via(nil, on: $0.destination == "10.0.0.8" ? 8 : 9)) }
        }
        #expect(found.carriers == [9: 8, 8: 9])
        #expect(rounds == 2)
    }
}
