// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

@testable import NetworkState

struct ReferenceLookupsTests {
    @Test(arguments: [AddressFamily.ipv4, .ipv6])
    func `the reference addresses are public, two in each half`(family: AddressFamily) {
        let addresses = ReferenceLookups.representatives(family)
        #expect(addresses.map(ReferenceLookups.isUpperHalf) == [false, false, true, true])
        #expect(Set(addresses).count == 4)
        #expect(addresses.allSatisfy { $0.family == family && !$0.isLoopback && !$0.isLinkLocal && !$0.isMulticast })
        let unusual: [NetworkPrefix] = [
            "10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "192.0.2.0/24", "198.18.0.0/15",
            "fc00::/7", "2001:db8::/32", "2002::/16",
        ]
        #expect(!addresses.contains { address in unusual.contains { $0.contains(address) } })
    }

    @Test func `well-known hosts are not reference addresses, because they may have special routes`() {
        let known: [NetworkAddress] = [
            "8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "208.67.222.222", "2001:4860:4860::8888",
            "2606:4700:4700::1111", "2620:fe::fe",
        ]
        #expect(Set(ReferenceLookups.all).isDisjoint(with: known))
    }

    @Test func `only families with an address are looked up`() {
        #expect(ReferenceLookups.families([.loopback]) == [])
        #expect(ReferenceLookups.families([.wired(addresses: [InterfaceAddress("192.0.2.2/24")])]) == [.ipv4])
        #expect(ReferenceLookups.families([.wired(addresses: [InterfaceAddress("fe80::2/64")])]) == [.ipv6])
        #expect(ReferenceLookups.families([.loopback, .wired()]) == [.ipv4, .ipv6])
    }

    @Test func `the only link in use is not looked up again`() {
        let host = Host(.wired(2), .wired(3)).answering(.via("192.0.2.1"))
        let asked = Self.lookupsByInterface(host.interfaces, after: host.snapshot.routing.general)
        #expect(Set(asked.filter { $0.destination.family == .ipv4 }.compactMap(\.interface)) == [3])
        #expect(Set(asked.filter { $0.destination.family == .ipv6 }.compactMap(\.interface)) == [2, 3])
    }

    @Test func `links that are down, loopback or bridge ports are not looked up`() {
        var port = NetworkInterface.wired(3)
        (port.controllerIndex, port.controllerKind) = (7, "bridge")
        var member = NetworkInterface.wired(5)
        (member.controllerIndex, member.controllerKind) = (8, "vrf")
        let links = [.loopback, .wired(2, flags: []), port, .wired(4, flags: [.up]), member]
        #expect(Set(Self.lookupsByInterface(links, after: []).compactMap(\.interface)) == [4, 5])
    }

    @Test func `after a change of one family's routes, the other family keeps its answers`() throws {
        var groups = ReferenceGroups([.wired(2)])
        // The number of lookup groups of each family: one for any link, and one for the only link.
        func families(after change: AddressFamily?, answer: RouteMessage? = nil) -> [AddressFamily: Int] {
            var asked: [AddressFamily: Int] = [:]
            _ = groups.routing(of: change) { groups, selected in
                for group in selected { asked[groups.all[group].family, default: 0] += 1 }
                if let answer { groups.setAnswer(answer, 1, 0) }
            }
            return asked
        }
        #expect(families(after: .ipv4) == [.ipv4: 2, .ipv6: 2], "the first answers")
        #expect(families(after: .ipv4) == [.ipv4: 2])
        #expect(families(after: .ipv6) == [.ipv6: 2])
        #expect(families(after: nil) == [.ipv4: 2, .ipv6: 2])
        let bytes = try Wire.route(.newRoute, .ipv6)
        var expiring = try RouteMessage(bytes.span.bytes.extracting(droppingFirst: MessageHeader.size))
        expiring.expires = 30
        #expect(families(after: .ipv6, answer: expiring) == [.ipv6: 2])
        #expect(families(after: .ipv4) == [.ipv4: 2, .ipv6: 2], "the remaining time is needed")
    }

    @Test func `an answer for a chosen source replaces the other, until the kernel is no longer asked`() {
        var groups = ReferenceGroups([.wired(2)])
        func routing(_ sourced: RouteAnswer.Outcome?) -> RoutingAnswers {
            groups.routing { groups, selected in
                for group in selected where groups.all[group].family == .ipv6 {
                    for place in groups.all[group].answers.indices {
                        let destination = groups.all[group].answers[place].destination
                        groups.setSourcedAnswer(
                            sourced.map { RouteAnswer(destination, $0) }, expiringIn: 9, group, place)
                    }
                }
            }
        }
        let route = RouteAnswer.Outcome.via("fe80::1")
        #expect(routing(nil).general.allSatisfy { $0.outcome == .noRoute })
        let sourced = routing(route)
        #expect(
            sourced.general.filter { $0.outcome == route }.map(\.destination) == ReferenceLookups.representatives(.ipv6)
        )
        // The only egress of the family is known, so that the link is not looked up alone.
        #expect(sourced.byLink[2]?.contains { $0.destination.family == .ipv6 } == false)
        #expect(groups.earliestExpiry == 9)
        #expect(routing(route) == sourced)
        #expect(routing(nil).general.allSatisfy { $0.outcome == .noRoute })
        #expect(groups.earliestExpiry == nil)
    }

    /// Links, an answer, and whether it depends on the source address that the kernel chooses.
    static let sourceQuestions: [([NetworkInterface], RouteAnswer.Outcome, IPVersion, Bool)] = [
        ([.wired()], .via("192.0.2.1"), .ipv4, false),
        ([.wired()], .via("fe80::1"), .ipv6, false),
        ([.wired(addresses: [])], .via("192.0.2.1"), .ipv4, true),
        ([.wired(addresses: []), .wired(3)], .via("192.0.2.1", on: 3), .ipv4, false),
        ([.wired(addresses: [])], .via("192.0.2.1", source: "198.51.100.1"), .ipv4, false),
        ([.wired(addresses: [])], .via("192.0.2.1", type: .local), .ipv4, false),
        ([.wired(addresses: [InterfaceAddress("fe80::2/64")])], .via("fe80::1"), .ipv6, true),
        // Only IPv6 has routes for some sources.
        ([.wired()], .noRoute, .ipv4, false),
        ([.wired()], .noRoute, .ipv6, true),
        ([.wired()], .rejected, .ipv6, true),
        ([.wired(addresses: [InterfaceAddress("fe80::2/64")])], .noRoute, .ipv6, false),
    ]

    @Test(arguments: sourceQuestions)
    func `the kernel is asked for a source only where a lookup does not tell`(
        links: [NetworkInterface], outcome: RouteAnswer.Outcome, version: IPVersion, expected: Bool
    ) {
        let questions = SourceQuestions([.loopback] + links)
        #expect(questions.contains(outcome, for: version) == expected)
        #expect(questions.mayArise(for: version) || !expected)
    }

    /// The lookups for individual links, once those for any link have these answers, or else no route.
    private static func lookupsByInterface(
        _ interfaces: [NetworkInterface], after general: [RouteAnswer]
    ) -> [RouteLookup] {
        var asked: [RouteLookup] = []
        _ = RoutingAnswers(interfaces) { lookups in
            asked += lookups
            return lookups.map { lookup in
                general.first { $0.destination == lookup.destination } ?? RouteAnswer(lookup.destination, .noRoute)
            }
        }
        return asked.filter { $0.interface != nil }
    }

    static let egresses: [([RouteAnswer.Outcome], Int32?)] = [
        ([], nil),
        ([.via("192.0.2.1")], 2),
        ([.via("192.0.2.1"), .via("192.0.2.9")], 2),
        ([.via("192.0.2.1"), .via("192.0.2.1", on: 3)], nil),
        ([.via("192.0.2.1"), .noRoute], nil),
        ([.via("192.0.2.1"), .rejected], nil),
        ([.route(FoundRoute(nextHops: [NextHop(interface: 2), NextHop(interface: 3)]))], nil),
        ([.route(FoundRoute(nextHops: []))], nil),
    ]

    @Test(arguments: egresses)
    func `the only egress is found if all answers use it`(outcomes: [RouteAnswer.Outcome], expected: Int32?) {
        let answers = outcomes.map { RouteAnswer("24.48.0.1", $0) }
        #expect(ReferenceLookups.onlyEgress(answers, of: .ipv4) == expected)
    }
}
