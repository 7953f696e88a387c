//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink
import TestSupport
import Testing

@testable import NetworkState

/// What counts as usable: the route, the link, the source address.
struct FamilyEvaluatorTests {
    private func verdict(_ host: Host, _ family: AddressFamily = .ipv4) -> FamilyEvaluator.Verdict {
        FamilyEvaluator(snapshot: host.snapshot, family: family).verdict(host.snapshot.routing.general)
    }

    private func blocked(_ reason: Obstacle.Reason) -> FamilyEvaluator.Verdict {
        .blocked(Obstacle(reason, interface: "eth2"))
    }

    private let usable = FamilyEvaluator.Verdict.usable([.init(interface: 2, gateway: "192.0.2.1", priority: 0)])

    static let linkFlags: [(LinkFlags, Obstacle.Reason?)] = [
        ([.up, .running, .lowerUp], nil),
        ([.up, .running, .lowerUp, .dormant], nil),
        ([.up, .lowerUp, .dormant], .dormant),
        ([.up, .lowerUp], .noCarrier),
        ([.up], .noCarrier),
        ([.up, .dormant], .noCarrier),
        ([.running, .lowerUp], .allDown),
        ([], .allDown),
    ]

    @Test(arguments: linkFlags)
    func `the link's flags`(flags: LinkFlags, reason: Obstacle.Reason?) {
        let host = Host(.wired(flags: flags)).answering(.via("192.0.2.1"))
        #expect(verdict(host) == reason.map(blocked) ?? usable)
    }

    static let addresses: [([InterfaceAddress], Obstacle.Reason?)] = [
        ([], .noAddress),
        ([InterfaceAddress("2001:db8::2/64")], nil),
        ([InterfaceAddress("2001:db8::2/64", flags: .deprecated)], nil),
        ([InterfaceAddress("2001:db8::2/64", flags: .tentative)], .addressTentative),
        ([InterfaceAddress("2001:db8::2/64", flags: [.tentative, .optimistic])], nil),
        ([InterfaceAddress("2001:db8::2/64", flags: [.tentative, .duplicateDetected])], .noAddress),
        ([InterfaceAddress("fe80::2/64")], .noAddress),
        ([InterfaceAddress("fe80::2/64", flags: .tentative)], .noAddress),
        ([InterfaceAddress("192.0.2.2/24")], .noAddress),
        ([InterfaceAddress("2001:db8::2/64", flags: .tentative), InterfaceAddress("2001:db8::3/64")], nil),
        ([InterfaceAddress("fd00::2/64")], nil),
    ]

    @Test(arguments: addresses)
    func `the link's addresses`(addresses: [InterfaceAddress], reason: Obstacle.Reason?) {
        let host = Host(.wired(addresses: addresses)).answering(.via("fe80::1"), for: .ipv6)
        // Without any address of the family there is nothing to ask.
        let isAsked = addresses.contains { $0.address.family == .ipv6 }
        let usable = FamilyEvaluator.Verdict.usable([.init(interface: 2, gateway: "fe80::1", priority: 0)])
        #expect(verdict(host, .ipv6) == (isAsked ? reason.map(blocked) ?? usable : .noRoute))
    }

    /// Link-local addresses of IPv4, the router, and what is missing.
    static let linkLocal: [(InterfaceAddress, InetAddress?, Obstacle.Reason?)] = [
        (InterfaceAddress("169.254.76.1/23"), "169.254.76.2", nil),
        (InterfaceAddress("169.254.76.1/23"), nil, .noAddress),
        // Made up by the host itself, for want of a server.
        (InterfaceAddress("169.254.76.1/16", scope: .link), "169.254.76.2", .noAddress),
    ]

    @Test(arguments: linkLocal)
    func `a link-local address of IPv4 is good for a router that translates it`(
        address: InterfaceAddress, gateway: InetAddress?, reason: Obstacle.Reason?
    ) {
        let host = Host(.wired(addresses: [address])).answering(.via(gateway))
        let usable = FamilyEvaluator.Verdict.usable([.init(interface: 2, gateway: gateway, priority: 0)])
        #expect(verdict(host) == reason.map(blocked) ?? usable)
    }

    @Test func `a route that asks for a source that another host has`() {
        let flags: AddressFlags = [.tentative, .duplicateDetected]
        let duplicate = NetworkInterface.wired(addresses: [InterfaceAddress("2001:db8::2/64", flags: flags)])
        let route = RouteAnswer.Outcome.via("fe80::1", source: "2001:db8::2")
        #expect(verdict(Host(duplicate).answering(route, for: .ipv6), .ipv6) == blocked(.addressTentative))
        // Also on another link, where it can be used.
        let holder = NetworkInterface.wired(3, addresses: [InterfaceAddress("2001:db8::2/128")])
        let usable = FamilyEvaluator.Verdict.usable([.init(interface: 2, gateway: "fe80::1", priority: 0)])
        #expect(verdict(Host(duplicate, holder).answering(route, for: .ipv6), .ipv6) == usable)
    }

    @Test func `a route that asks for a source is judged by that address`() {
        let other = NetworkInterface.wired(3, addresses: [InterfaceAddress("198.51.100.9/32")])
        let link = NetworkInterface.wired(addresses: [])
        #expect(
            verdict(Host(link, other).answering(.via("192.0.2.1", source: "198.51.100.9"))) == usable)
        let tentative = NetworkInterface.wired(addresses: [InterfaceAddress("2001:db8::2/64", flags: .tentative)])
        let host = Host(tentative).answering(.via("fe80::1", source: "2001:db8::2"), for: .ipv6)
        #expect(verdict(host, .ipv6) == blocked(.addressTentative))
    }

    @Test func `an unnumbered link borrows an address`() {
        let lender = NetworkInterface.wired(3, addresses: [InterfaceAddress("198.51.100.9/24")])
        let ordinary = NetworkInterface.wired(addresses: [])
        #expect(verdict(Host(ordinary, lender).answering(.via("192.0.2.1"))) == blocked(.noAddress))
        let pointToPoint = NetworkInterface.wired(flags: [.up, .running, .lowerUp, .pointToPoint], addresses: [])
        #expect(verdict(Host(pointToPoint, lender).answering(.via("192.0.2.1"))) == usable)
        // Its router speaks another family (RFC 5549).
        let viaIPv6 = FamilyEvaluator.Verdict.usable([.init(interface: 2, gateway: "fe80::1", priority: 0)])
        #expect(verdict(Host(ordinary, lender).answering(.via("fe80::1"))) == viaIPv6)
        var dummy = lender
        dummy.linkKind = "dummy"
        #expect(verdict(Host(ordinary, dummy).answering(.via("192.0.2.1"))) == usable)
    }

    @Test func `loopback is no way out`() {
        #expect(verdict(Host(.wired()).answering(.via(nil, on: 1))) == .noRoute)
    }

    @Test func `a link that is not known is no way out`() {
        #expect(verdict(Host(.wired()).answering(.via("192.0.2.1", on: 77))) == .noRoute)
    }

    @Test(arguments: [RouteType.local, .broadcast, .multicast, .throw])
    func `only unicast routes lead out`(type: RouteType) {
        #expect(verdict(Host(.wired()).answering(.via("192.0.2.1", type: type))) == .noRoute)
    }

    @Test func `the least specific route of a half speaks for it`() {
        let four = RoutingQuestions.representatives(.ipv4)
        let host = Host(.wired(), .tunnel())
            .answering(.via("192.0.2.1"))
            .answering(.via(nil, on: 9, length: 8), to: [four[0], four[2]])
        #expect(verdict(host) == usable)
    }

    @Test func `multipath leaves out dead legs`() {
        let hops = [NextHop(interface: 3, gateway: "192.0.2.9"), NextHop(interface: 2, gateway: "192.0.2.1")]
        let route = RouteAnswer.Outcome.route(FoundRoute(nextHops: hops))
        #expect(verdict(Host(.wired(2), .wired(3, flags: [.up])).answering(route)) == usable)
    }

    static let halves: [(RouteAnswer.Outcome, RouteAnswer.Outcome, FamilyEvaluator.Verdict)] = [
        (.rejected, .rejected, .rejected),
        (.rejected, .noRoute, .rejected),
        (.noRoute, .rejected, .rejected),
        (.noRoute, .noRoute, .noRoute),
        (.via("192.0.2.1", length: 1), .rejected, .rejected),
        (.noRoute, .via("192.0.2.1", length: 1), .noRoute),
        (.via(nil, on: 3), .noRoute, .blocked(Obstacle(.noCarrier, interface: "eth3"))),
        (.rejected, .via(nil, on: 3), .blocked(Obstacle(.noCarrier, interface: "eth3"))),
    ]

    @Test(arguments: halves)
    func `both halves must be usable, and what is nearest to it says why not`(
        lower: RouteAnswer.Outcome, upper: RouteAnswer.Outcome, expected: FamilyEvaluator.Verdict
    ) {
        let four = RoutingQuestions.representatives(.ipv4)
        let host = Host(.wired(2), .wired(3, flags: [.up]))
            .answering(lower, to: four.prefix(2)).answering(upper, to: four.suffix(2))
        #expect(verdict(host) == expected)
    }
}
