// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

@testable import Dialtone
import SystemSupport

/// Public addresses on the wire: what an answer, a refusal, a report and silence are.
@Suite(.requires(.networkNamespaces), .requires(.linkKind("veth")), .timeLimit(.minutes(5)))
struct PublicAddressProbeTests {
    private static let addresses = HopLab.ipv4 + HopLab.ipv6

    @Test func `the first address that accepts a connection ends the probe`() async throws {
        let lab = try await HopLab()
        let listener = try TCPListener("2001:db8:2::2", port: 443, in: lab.internet)
        let answers = try await lab.contact(Self.addresses, within: .seconds(60))
        #expect(answers.map(\.address) == ["2001:db8:2::2"])
        #expect(answers.map(\.outcome) == [.answers])
        withExtendedLifetime(listener) {}
    }

    @Test func `an address on which nothing listens refuses`() async throws {
        let lab = try await HopLab()
        let answers = try await lab.contact(Self.addresses, within: .seconds(60))
        #expect(answers.map(\.outcome) == Array(repeating: .refuses, count: 4))
    }

    @Test func `packets that the router discards are not answered`() async throws {
        let lab = try await HopLab()
        try await lab.cutUplink(.blackhole)
        let answers = try await lab.contact(Self.addresses, within: .seconds(1))
        #expect(answers.map(\.outcome) == Array(repeating: .silent, count: 4))
    }

    @Test func `a router that prohibits packets is reported`() async throws {
        let lab = try await HopLab()
        try await lab.cutUplink(.prohibit)
        let answers = try await lab.contact(Self.addresses, within: .seconds(60))
        #expect(answers.map(\.outcome) == Array(repeating: .unreachable, count: 4))
        let four = RouterReport(.prohibited, by: NetworkAddress(192, 0, 2, 1))
        let six = RouterReport(.prohibited, by: "2001:db8:1::1")
        #expect(answers.map(\.report) == [four, four, six, six])
    }

    @Test func `an error of this machine's own kernel is no report`() async throws {
        let lab = try await HopLab()
        try await lab.killRouter()
        // The kernel gives up the router after three seconds.
        let answers = try await lab.contact(Self.addresses, within: .seconds(4))
        #expect(answers.map(\.outcome) == Array(repeating: .silent, count: 4))
        #expect(answers.map(\.report) == [nil, nil, nil, nil])
    }

    @Test func `without a route nothing is sent`() async throws {
        let lab = try await HopLab()
        try await lab.machine.run {
            var kernel = try RouteNetlink()
            try kernel.deleteRoute(NewRoute(.all(.ipv6), via: "fe80::1"))
        }
        let answers = try await lab.contact(HopLab.ipv6, within: .seconds(60))
        #expect(answers.map(\.outcome) == [.notSent, .notSent])
    }
}
#endif
