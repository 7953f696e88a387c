// SPDX-License-Identifier: Apache-2.0

import NetlinkTesting
import Testing

@testable import Netlink

struct RouteMessageTests {
    static func route(_ capture: Capture) throws -> RouteMessage {
        guard case .newRoute(let route, _) = try capture.message() else {
            throw NetlinkError.malformed("not a new route")
        }
        return route
    }

    static func hop(_ gateway: String?, flags: NextHopFlags = [], weight: UInt16 = 1) -> NextHop {
        NextHop(interface: 3, gateway: gateway.flatMap { NetworkAddress($0) }, flags: flags, weight: weight)
    }

    static let nextHops: [(Capture, [NextHop])] = [
        (RouteCaptures.ipv4Default, [hop("192.0.2.254")]),
        (RouteCaptures.ipv6Default, [hop("fe80::1")]),
        (RouteCaptures.ipv4Blackhole, []),
        (RouteCaptures.ipv4Multipath, [hop("192.0.2.2"), hop("2001:db8::9", weight: 5)]),
        (RouteCaptures.ipv6Multipath, [hop("2001:db8::3"), hop("2001:db8::4")]),
        (RouteCaptures.ipv4ViaIPv6, [hop("fe80::1")]),
        (RouteCaptures.ipv4OnLink, [hop("203.0.113.1", flags: .onLink)]),
        (RouteCaptures.ipv4LinkDown, [hop("192.0.2.254", flags: .linkDown)]),
        (RouteCaptures.ipv4WithNextHopObject, [hop("192.0.2.2", weight: 10), hop("192.0.2.3", weight: 256)]),
    ]

    @Test(arguments: nextHops) func `a route's next hops`(capture: Capture, expected: [NextHop]) throws {
        #expect(try Self.route(capture).nextHops == expected)
    }

    @Test func `an IPv4 default route from DHCP`() throws {
        let route = try Self.route(RouteCaptures.ipv4Default)
        #expect(route.family == .ipv4)
        #expect(route.destination == nil && route.destinationLength == 0 && route.source == nil)
        #expect((route.table, route.protocol, route.scope, route.type) == (.main, .dhcp, .universe, .unicast))
        #expect(route.priority == 100)
        #expect(route.preferredSource?.description == "192.0.2.1")
        #expect(route.expires == nil && route.nextHopID == nil && route.flags == [])
    }

    @Test func `an IPv6 default route from a router advertisement`() throws {
        let route = try Self.route(RouteCaptures.ipv6Default)
        #expect((route.family, route.protocol, route.priority) == (.ipv6, .routerAdvertisement, 1024))
        #expect(route.expires == nil)
    }

    @Test func `routes that discard packets`() throws {
        let blackhole = try Self.route(RouteCaptures.ipv4Blackhole)
        #expect(blackhole.type == .blackhole)
        #expect(blackhole.destination?.description == "203.0.113.0/24")
        let unreachable = try Self.route(RouteCaptures.ipv6Unreachable)
        #expect((unreachable.type, unreachable.priority) == (.unreachable, 4096))
        #expect(unreachable.nextHops.map(\.interface) == [1])
    }

    @Test func `a route with an expiry, a large table number or a nexthop object`() throws {
        let expires = try #require(try Self.route(RouteCaptures.ipv6Expiring).expires)
        #expect((599...600).contains(expires))
        #expect(try Self.route(RouteCaptures.ipv4InLargeTable).table.rawValue == 70_000)
        #expect(try Self.route(RouteCaptures.ipv4WithNextHopObject).nextHopID == 3)
    }

    @Test func `the header's flags mark a replaced route`() throws {
        guard case .newRoute(let route, let flags) = try RouteCaptures.ipv4Replaced.message() else {
            Issue.record("not a new route")
            return
        }
        #expect(flags.contains(.replace))
        #expect(route.nextHops == [Self.hop("192.0.2.253")])
    }

    /// The message is built according to `linux/mpls.h`: a route of label 100, whose addresses are labels.
    @Test func `a route of another family keeps its addresses as attributes`() throws {
        let payload = Capture("1c 14 00 00 fe 04 00 01 00 00 00 00 08 00 01 00 00 06 41 00 08 00 04 00 03 00 00 00")
            .bytes
        let route = try RouteMessage(payload.span.bytes)
        #expect(route.family.rawValue == 28)
        #expect(route.destination == nil)
        #expect(route.nextHops.map(\.interface) == [3])
    }

    @Test(arguments: [0, 7, 9, 200]) func `a next hop with an invalid length is rejected`(length: UInt8) {
        let list = [length, 0, 0, 0, 3, 0, 0, 0]
        let payload = [2, 0, 0, 0, 254, 4, 0, 1, 0, 0, 0, 0, 12, 0, 9, 0] + list
        let error = #expect(throws: NetlinkError.self) { try RouteMessage(payload.span.bytes) }
        #expect(error?.code == .malformed)
    }
}
