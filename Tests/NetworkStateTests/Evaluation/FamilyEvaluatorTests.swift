// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

@testable import NetworkState

/// What makes a family usable: the route, the link, the source address.
struct FamilyEvaluatorTests {
    private func outcome(_ host: Host, _ family: AddressFamily = .ipv4) -> FamilyEvaluator.Outcome {
        let evaluator = FamilyEvaluator(snapshot: host.snapshot, family: family)
        return evaluator.outcome(host.snapshot.routing.general)
    }

    private func blocked(_ reason: PathDiagnosis.Reason) -> FamilyEvaluator.Outcome {
        .blocked(PathDiagnosis(reason, interface: NetworkInterface.wired(2).pathInterface))
    }

    private let usable = FamilyEvaluator.Outcome.usable([.init(interface: 2, gateway: "192.0.2.1", priority: 0)])

    static let linkFlags: [(LinkFlags, PathDiagnosis.Reason?)] = [
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
    func `the link's flags decide`(flags: LinkFlags, reason: PathDiagnosis.Reason?) {
        let host = Host(.wired(flags: flags)).answering(.via("192.0.2.1"))
        #expect(outcome(host) == reason.map(blocked) ?? usable)
    }

    static let addresses: [([InterfaceAddress], PathDiagnosis.Reason?)] = [
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
    func `the link's addresses decide`(addresses: [InterfaceAddress], reason: PathDiagnosis.Reason?) {
        let host = Host(.wired(addresses: addresses)).answering(.via("fe80::1"), for: .ipv6)
        // Without any address of the family there is no lookup.
        let isAsked = addresses.contains { $0.address.family == .ipv6 }
        let usable = FamilyEvaluator.Outcome.usable([.init(interface: 2, gateway: "fe80::1", priority: 0)])
        #expect(outcome(host, .ipv6) == (isAsked ? reason.map(blocked) ?? usable : .noRoute))
    }

    /// IPv4 link-local addresses, the router, and the missing condition.
    static let linkLocal: [(InterfaceAddress, NetworkAddress?, PathDiagnosis.Reason?)] = [
        (InterfaceAddress("169.254.76.1/23"), "169.254.76.2", nil),
        (InterfaceAddress("169.254.76.1/23"), nil, .noAddress),
        // Chosen by the host itself, because there is no DHCP server.
        (InterfaceAddress("169.254.76.1/16", scope: .link), "169.254.76.2", .noAddress),
    ]

    @Test(arguments: linkLocal)
    func `an IPv4 link-local address is usable with a router that translates it`(
        address: InterfaceAddress, gateway: NetworkAddress?, reason: PathDiagnosis.Reason?
    ) {
        let host = Host(.wired(addresses: [address])).answering(.via(gateway))
        let usable = FamilyEvaluator.Outcome.usable([.init(interface: 2, gateway: gateway, priority: 0)])
        #expect(outcome(host) == reason.map(blocked) ?? usable)
    }

    @Test func `a route with a source address that another host has`() {
        let flags: AddressFlags = [.tentative, .duplicateDetected]
        let duplicate = NetworkInterface.wired(addresses: [InterfaceAddress("2001:db8::2/64", flags: flags)])
        let route = RouteAnswer.Outcome.via("fe80::1", source: "2001:db8::2")
        #expect(outcome(Host(duplicate).answering(route, for: .ipv6), .ipv6) == blocked(.addressTentative))
        // The same address on another link, where it can be used.
        let holder = NetworkInterface.wired(3, addresses: [InterfaceAddress("2001:db8::2/128")])
        let usable = FamilyEvaluator.Outcome.usable([.init(interface: 2, gateway: "fe80::1", priority: 0)])
        #expect(outcome(Host(duplicate, holder).answering(route, for: .ipv6), .ipv6) == usable)
    }

    @Test func `a route with a source address is judged by that address`() {
        let other = NetworkInterface.wired(3, addresses: [InterfaceAddress("198.51.100.9/32")])
        let link = NetworkInterface.wired(addresses: [])
        #expect(
            outcome(Host(link, other).answering(.via("192.0.2.1", source: "198.51.100.9"))) == usable)
        let tentative = NetworkInterface.wired(addresses: [InterfaceAddress("2001:db8::2/64", flags: .tentative)])
        let host = Host(tentative).answering(.via("fe80::1", source: "2001:db8::2"), for: .ipv6)
        #expect(outcome(host, .ipv6) == blocked(.addressTentative))
    }

    @Test func `an unnumbered link borrows an address`() {
        let lender = NetworkInterface.wired(3, addresses: [InterfaceAddress("198.51.100.9/24")])
        let ordinary = NetworkInterface.wired(addresses: [])
        #expect(outcome(Host(ordinary, lender).answering(.via("192.0.2.1"))) == blocked(.noAddress))
        let pointToPoint = NetworkInterface.wired(flags: [.up, .running, .lowerUp, .pointToPoint], addresses: [])
        #expect(outcome(Host(pointToPoint, lender).answering(.via("192.0.2.1"))) == usable)
        // The router's address is of the other family (RFC 5549).
        let viaIPv6 = FamilyEvaluator.Outcome.usable([.init(interface: 2, gateway: "fe80::1", priority: 0)])
        #expect(outcome(Host(ordinary, lender).answering(.via("fe80::1"))) == viaIPv6)
        var dummy = lender
        dummy.linkKind = "dummy"
        #expect(outcome(Host(ordinary, dummy).answering(.via("192.0.2.1"))) == usable)
    }

    /// A source address that the kernel chose for an uplink, and whether it makes a path.
    struct Borrowing: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The uplink's own addresses, and those of another link.
        var own: [InterfaceAddress] = []
        var other: [InterfaceAddress] = []
        var chosen: NetworkAddress?
        var isAdvertisedToHost = false
        var otherFlags: LinkFlags = [.up, .running, .lowerUp]
        var isOtherDummy = false
        /// The flags of the uplink.
        var flags: LinkFlags = [.up, .running, .lowerUp]
        var reason: PathDiagnosis.Reason?
        /// Whether packets leave although there is no path, so that a check can show whether answers come back.
        var isBorrowed = false
    }

    static let borrowings = [
        Borrowing(
            testDescription: "a router with a delegated prefix", own: [InterfaceAddress("fe80::1/64", scope: .link)],
            other: [InterfaceAddress("2001:db8:1::1/64")], chosen: "2001:db8:1::1"),
        Borrowing(
            testDescription: "an IPv4 address on another Ethernet link", other: [InterfaceAddress("203.0.113.5/32")],
            chosen: "203.0.113.5"),
        Borrowing(
            testDescription: "the lender has no carrier", other: [InterfaceAddress("2001:db8:1::1/64")],
            chosen: "2001:db8:1::1", otherFlags: [.up]),
        Borrowing(
            testDescription: "the lender of an IPv4 address is down", other: [InterfaceAddress("203.0.113.5/32")],
            chosen: "203.0.113.5", otherFlags: []),
        Borrowing(
            testDescription: "a private address of a link that is down", other: [InterfaceAddress("10.77.0.1/24")],
            chosen: "10.77.0.1", otherFlags: [], reason: .noAddress, isBorrowed: true),
        Borrowing(
            testDescription: "the lent address is being checked",
            other: [InterfaceAddress("2001:db8:1::1/64", flags: .tentative)], chosen: "2001:db8:1::1",
            reason: .noAddress),
        Borrowing(
            testDescription: "the kernel was not asked, or chose nothing",
            other: [InterfaceAddress("2001:db8:1::1/64"), InterfaceAddress("203.0.113.5/32")], reason: .noAddress),
        Borrowing(
            testDescription: "own private address behind NAT66", own: [InterfaceAddress("fd00:1::2/64")],
            other: [InterfaceAddress("2001:db8:1::1/64")], chosen: "fd00:1::2"),
        Borrowing(
            testDescription: "another link's private IPv6 address", other: [InterfaceAddress("fd00:2::1/64")],
            chosen: "fd00:2::1", reason: .noAddress, isBorrowed: true),
        Borrowing(
            testDescription: "a transparent proxy's address", other: [InterfaceAddress("fc00::1/18")],
            chosen: "fc00::1",
            reason: .noAddress),
        Borrowing(
            testDescription: "docker0", other: [InterfaceAddress("172.17.0.1/16")], chosen: "172.17.0.1",
            reason: .noAddress, isBorrowed: true),
        Borrowing(
            testDescription: "Tailscale beside a dead uplink", other: [InterfaceAddress("100.100.7.7/32")],
            chosen: "100.100.7.7", reason: .noAddress, isBorrowed: true),
        Borrowing(
            testDescription: "DS-Lite's address of another link", other: [InterfaceAddress("192.0.0.2/29")],
            chosen: "192.0.0.2", reason: .noAddress),
        Borrowing(
            testDescription: "a transparent proxy's IPv4 address", other: [InterfaceAddress("198.18.0.1/30")],
            chosen: "198.18.0.1", reason: .noAddress),
        Borrowing(
            testDescription: "another link's link-local address",
            other: [InterfaceAddress("169.254.7.7/16", scope: .link)], chosen: "169.254.7.7", reason: .noAddress),
        Borrowing(
            testDescription: "a cloud function's translated link-local address",
            own: [InterfaceAddress("169.254.76.1/23")], chosen: "169.254.76.1"),
        Borrowing(
            testDescription: "clat's own address", own: [InterfaceAddress("192.0.0.4/29")], chosen: "192.0.0.4",
            flags: [.up, .running, .lowerUp, .pointToPoint, .noARP]),
        Borrowing(
            testDescription: "DS-Lite over a tunnel without an address", other: [InterfaceAddress("192.168.1.1/24")],
            chosen: "192.168.1.1", flags: [.up, .running, .lowerUp, .pointToPoint, .noARP]),
        Borrowing(
            testDescription: "DHCPv6 is pending after a router advertisement, and a VPN has an address",
            own: [InterfaceAddress("fe80::1/64", scope: .link)], other: [InterfaceAddress("2001:db8:9::2/128")],
            chosen: "2001:db8:9::2", isAdvertisedToHost: true, reason: .noAddress),
        Borrowing(
            testDescription: "the same with a dummy", other: [InterfaceAddress("2001:db8:9::2/128")],
            chosen: "2001:db8:9::2", isAdvertisedToHost: true, isOtherDummy: true, reason: .noAddress),
        Borrowing(
            testDescription: "own address over a default from a router advertisement",
            own: [InterfaceAddress("2001:db8::2/64")], isAdvertisedToHost: true),
        Borrowing(
            testDescription: "own address being checked", own: [InterfaceAddress("2001:db8::2/64", flags: .tentative)],
            other: [InterfaceAddress("2001:db8:9::2/128")], chosen: "2001:db8:9::2", isAdvertisedToHost: true,
            reason: .addressTentative),
        Borrowing(
            testDescription: "a dummy's private address", other: [InterfaceAddress("10.0.0.1/32")], chosen: "10.0.0.1",
            isOtherDummy: true),
    ]

    @Test(arguments: borrowings)
    func `an uplink without an address borrows one that answers can come back to`(row: Borrowing) throws {
        let uplink = NetworkInterface.wired(2, flags: row.flags, addresses: row.own)
        var other = NetworkInterface.wired(3, flags: row.otherFlags, addresses: row.other)
        if row.isOtherDummy { other.linkKind = "dummy" }
        let address = try #require(row.chosen ?? (row.own + row.other).first?.address)
        let gateway: NetworkAddress = address.version == .ipv4 ? "192.0.2.1" : "fe80::99"
        var route = FoundRoute(nextHops: [NextHop(interface: 2, gateway: gateway)])
        (route.chosenSource, route.isAdvertisedToHost) = (row.chosen, row.isAdvertisedToHost)
        let host = Host(uplink, other).answering(.route(route), for: address.family)
        let usable = FamilyEvaluator.Outcome.usable([.init(interface: 2, gateway: gateway, priority: 0)])
        var problem = row.reason.map { PathDiagnosis($0, interface: uplink.pathInterface) }
        if row.isBorrowed { problem?.borrowedAddress = row.chosen }
        let expected = problem.map { FamilyEvaluator.Outcome.blocked($0) } ?? usable
        #expect(outcome(host, address.family) == expected)
        // A single host behind the router agrees with the path.
        let evaluator = FamilyEvaluator(snapshot: host.snapshot, family: address.family)
        let far: NetworkAddress = address.version == .ipv4 ? "203.0.113.9" : "2001:db8:77::9"
        #expect(evaluator.outcome(of: route, to: far) == expected)
    }

    @Test func `a route over loopback does not count`() {
        #expect(outcome(Host(.wired()).answering(.via(nil, on: 1))) == .noRoute)
    }

    @Test func `a route over an unknown link does not count`() {
        #expect(outcome(Host(.wired()).answering(.via("192.0.2.1", on: 77))) == .noRoute)
    }

    @Test(arguments: [RouteType.local, .broadcast, .multicast, .throw])
    func `only unicast routes count`(type: RouteType) {
        #expect(outcome(Host(.wired()).answering(.via("192.0.2.1", type: type))) == .noRoute)
    }

    @Test func `the least specific route of a half decides for it`() {
        let four = ReferenceLookups.representatives(.ipv4)
        let host = Host(.wired(), .tunnel())
            .answering(.via("192.0.2.1"))
            .answering(.via(nil, on: 9, length: 8), to: [four[0], four[2]])
        #expect(outcome(host) == usable)
    }

    @Test func `dead next hops of a multipath route are ignored`() {
        let hops = [NextHop(interface: 3, gateway: "192.0.2.9"), NextHop(interface: 2, gateway: "192.0.2.1")]
        let route = RouteAnswer.Outcome.route(FoundRoute(nextHops: hops))
        #expect(outcome(Host(.wired(2), .wired(3, flags: [.up])).answering(route)) == usable)
    }

    static let halves: [(RouteAnswer.Outcome, RouteAnswer.Outcome, FamilyEvaluator.Outcome)] = [
        (.rejected, .rejected, .rejected),
        (.rejected, .noRoute, .rejected),
        (.noRoute, .rejected, .rejected),
        (.noRoute, .noRoute, .noRoute),
        (.via("192.0.2.1", length: 1), .rejected, .rejected),
        (.noRoute, .via("192.0.2.1", length: 1), .noRoute),
        (
            .via(nil, on: 3), .noRoute,
            .blocked(PathDiagnosis(.noCarrier, interface: NetworkInterface.wired(3).pathInterface))
        ),
        (
            .rejected, .via(nil, on: 3),
            .blocked(PathDiagnosis(.noCarrier, interface: NetworkInterface.wired(3).pathInterface))
        ),
    ]

    @Test(arguments: halves)
    func `both halves must be usable, and the half closer to usable gives the reason`(
        lower: RouteAnswer.Outcome, upper: RouteAnswer.Outcome, expected: FamilyEvaluator.Outcome
    ) {
        let four = ReferenceLookups.representatives(.ipv4)
        let host = Host(.wired(2), .wired(3, flags: [.up]))
            .answering(lower, to: four.prefix(2)).answering(upper, to: four.suffix(2))
        #expect(outcome(host) == expected)
    }
}
