// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import TestSupport
import Testing

@testable import Dialtone

/// The tunnel that a path enters, and the routers of the link that carries it.
struct TunnelViewTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var kind = "tun"
        var flags: LinkFlags = [.up, .running, .lowerUp, .pointToPoint, .noARP]
        /// The links beside it that lead to the Internet.
        var links: [Int32] = [2]
        /// The carriers that the kernel names, by the tunnel.
        var carriers: [Int32: Int32] = [:]
        /// The routers of the carrier; nil if the path enters no tunnel.
        let expected: [NetworkPath.Gateway]?
    }

    private static func router(_ index: Int32) -> NetworkPath.Gateway {
        .init(NetworkAddress(192, 0, 2, UInt8(index)), interface: "up\(index)")
    }

    static let rows = [
        Row(testDescription: "the only other link carries it", expected: [router(2)]),
        Row(testDescription: "either of two links may carry it", links: [2, 3], expected: []),
        Row(testDescription: "the kernel names one of two", links: [2, 3], carriers: [5: 3], expected: [router(3)]),
        Row(testDescription: "a link without a route may carry it", links: [], expected: []),
        Row(testDescription: "the kernel names a link without a route", links: [3], carriers: [5: 2], expected: []),
        Row(testDescription: "a tunnel carries it", carriers: [5: 6], expected: [router(2)]),
        Row(testDescription: "two tunnels carry each other", carriers: [5: 6, 6: 5], expected: [router(2)]),
        Row(testDescription: "WireGuard", kind: "wireguard", expected: [router(2)]),
        Row(testDescription: "a modem's link is no tunnel", kind: "ppp", expected: nil),
        Row(
            testDescription: "a link with neighbors has routers itself", flags: [.up, .running, .lowerUp], expected: nil
        ),
    ]

    @Test(arguments: rows) func `the routers of its carrier are known, or none are`(row: Row) async throws {
        let tunnels = [5, 6].map { index in
            NetworkInterface(
                index: index, name: "tun\(index)", type: .other, linkKind: row.kind, flags: row.flags,
                addresses: [InterfaceAddress("10.8.0.2/24")], carrierIndex: row.carriers[index])
        }
        let links = [2, 3].map { index in
            NetworkInterface(
                index: index, name: "up\(index)", type: .wiredEthernet, addresses: [InterfaceAddress("192.0.2.9/24")])
        }
        func answers(_ hop: NextHop) -> [RouteAnswer] {
            AddressEvaluator.lookups(forPathFrom: .any(.ipv4)).map {
                RouteAnswer($0.destination, .route(FoundRoute(nextHops: [hop])))
            }
        }
        let inside = NextHop(interface: 5)
        var routing = RoutingAnswers(general: answers(inside))
        routing.byLink[5] = answers(inside)
        for index in row.links {
            routing.byLink[index] = answers(NextHop(interface: index, gateway: Self.router(index).address))
        }
        let (server, near) = (NetworkAddress(10, 8, 0, 1), NetworkAddress(192, 0, 2, 2))
        let snapshot = NetworkSnapshot(
            interfaces: links + tunnels, routing: routing,
            hosts: [
                RouteLookup(to: server): RouteAnswer(server, .route(FoundRoute(nextHops: [inside]))),
                RouteLookup(to: near): RouteAnswer(near, .route(FoundRoute(nextHops: [NextHop(interface: 2)]))),
            ])
        let view = try #require(await KernelRouting(source: ScriptedSource(snapshot)).view(of: [server, near]))
        let tunnel = view.tunnel(of: view.path)
        #expect(tunnel == (row.expected == nil ? nil : "tun5"))
        #expect(tunnel.flatMap { view.tunnels[$0]?.carriers } == row.expected)
        let (inner, outer) = (try view.routes[server]?.get(), try view.routes[near]?.get())
        #expect(view.tunnel(of: try #require(inner)) == tunnel)
        #expect(view.tunnel(of: try #require(outer)) == nil)
        // Some packets leave by another link.
        var path = view.path
        path.gateways.append(Self.router(2))
        #expect(view.tunnel(of: path) == nil)
    }
}
#endif
