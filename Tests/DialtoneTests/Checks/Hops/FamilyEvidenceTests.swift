// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

/// When a family is dead while the other works.
struct FamilyEvidenceTests {
    typealias Evidence = InternetCheck.Evidence
    typealias Answer = PublicAddressProbe.Answer

    private static let four = (1...4).map { NetworkAddress(203, 0, 113, $0) }
    private static let six: [NetworkAddress] = ["2001:db8::1", "2001:db8::2", "2001:db8::3"]

    /// An endpoint that answered from an address after others were tried.
    private static func passed(
        _ address: NetworkAddress, after attempts: [(NetworkAddress, Duration, ProbeError.Code?)] = []
    ) -> Evidence {
        var evidence = Evidence(url: "http://one.test/", .passed, status: 204, address: address)
        evidence.failedAttempts = attempts.map { address, duration, code in
            .init(address, code.map { ProbeError($0, during: .connect) }, after: duration)
        }
        if !attempts.isEmpty { evidence.durations.delay = .milliseconds(250) }
        return evidence
    }

    private static func silent(_ addresses: [NetworkAddress], after duration: Duration = .seconds(2)) -> [Answer] {
        addresses.map { Answer($0, .silent, after: duration) }
    }

    private static let outpaced = passed(four[0], after: [(six[0], .milliseconds(257), nil)])
    private static let reversed = {
        var evidence = passed(six[0], after: [(four[0], .milliseconds(257), nil)])
        evidence.reversesFamilies = true
        return evidence
    }()

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let endpoints: [Evidence]
        var addresses: [Answer] = []
        var suspect: IPVersion?
        var dead: DeadFamily?
    }

    static let rows = [
        Row(testDescription: "nothing is known", endpoints: []),
        Row(testDescription: "one family is used, nothing else is known", endpoints: [passed(four[0])]),
        Row(testDescription: "both answer", endpoints: [passed(four[0]), passed(six[0])]),
        Row(
            testDescription: "one silent address may be at fault itself", endpoints: [outpaced],
            addresses: silent([six[0]]), suspect: .ipv6),
        Row(
            testDescription: "two lost races: the family may be slow",
            endpoints: [outpaced, passed(four[1], after: [(six[1], .milliseconds(262), nil)])], suspect: .ipv6),
        Row(
            testDescription: "the family is slow", endpoints: [outpaced],
            addresses: [Answer(six[1], .answers, after: .milliseconds(600))], suspect: .ipv6),
        Row(
            testDescription: "two races that ended early",
            endpoints: (0..<2).map { passed(four[$0], after: [(six[$0], .milliseconds(200), nil)]) }),
        Row(
            testDescription: "two lost races where IPv4 takes long, too",
            endpoints: (0..<2).map {
                var evidence = passed(four[$0], after: [(six[$0], .milliseconds(600), nil)])
                evidence.durations.connect = .milliseconds(350)
                return evidence
            }),
        Row(
            testDescription: "two lost races, and an answer over IPv6",
            endpoints: [
                outpaced, passed(four[1], after: [(six[1], .milliseconds(262), nil)]), passed(six[2]),
            ]),
        Row(
            testDescription: "two silent addresses beside a working IPv4", endpoints: [outpaced],
            addresses: silent([six[1], six[2]]), suspect: .ipv6, dead: .init(.ipv6, delay: .milliseconds(250))),
        Row(
            testDescription: "IPv4 is dead, and costs no time", endpoints: [reversed, passed(six[1])],
            addresses: silent([four[1], four[2]]), suspect: .ipv4, dead: .init(.ipv4)),
        Row(
            testDescription: "silence that was too short", endpoints: [outpaced],
            addresses: silent([six[1], six[2]], after: .milliseconds(900)), suspect: .ipv6),
        Row(
            testDescription: "one address of the family answers", endpoints: [outpaced],
            addresses: silent([six[1], six[2]]) + [Answer(six[0], .refuses)], suspect: .ipv6),
        Row(
            testDescription: "routers report that they do not forward the family", endpoints: [outpaced],
            addresses: six.map { Answer($0, .unreachable, report: .init(.noRoute, by: "2001:db8::fe")) },
            suspect: .ipv6, dead: .init(.ipv6, delay: .milliseconds(250))),
        Row(
            testDescription: "this machine has no route for the family",
            endpoints: [passed(four[0], after: [(six[0], .zero, .unreachable)])],
            addresses: six.map { Answer($0, .notSent) }, suspect: .ipv6),
        Row(
            testDescription: "neither family answers", endpoints: [], addresses: silent(four) + silent(six)),
        Row(
            testDescription: "attempts that timed out",
            endpoints: [
                passed(four[0], after: [(six[0], .seconds(2), .timedOut), (six[1], .seconds(3), .timedOut)])
            ], dead: .init(.ipv6, delay: .milliseconds(250))),
        Row(
            testDescription: "a refused attempt is an answer",
            endpoints: [passed(four[0], after: [(six[0], .milliseconds(3), .refused)])]),
        Row(
            testDescription: "an attempt that could not be made",
            endpoints: [passed(four[0], after: [(six[0], .zero, .noResources)])]),
    ]

    @Test(arguments: rows) func `the evidence decides`(row: Row) {
        #expect(FamilyEvidence.suspect(row.endpoints) == row.suspect)
        #expect(DeadFamily(row.endpoints, row.addresses) == row.dead)
    }

    @Test func `a proxy's addresses say nothing`() {
        var evidence = Self.outpaced
        evidence.proxy = "http://proxy.test:3128"
        #expect(DeadFamily([evidence], Self.silent(Self.six)) == nil)
    }

    @Test func `the sentence names the family and the delay`() {
        #expect(
            "\(DeadFamily(.ipv6, delay: .milliseconds(250)))"
                == "IPv6 is not answered beyond the router, which delays connections by 250 ms.")
        #expect("\(DeadFamily(.ipv4))" == "IPv4 is not answered beyond the router.")
    }
}

#if os(Linux)
import Netlink

/// A dead family on the wire.
@Suite(.requires(.networkNamespaces), .requires(.linkKind("veth")), .timeLimit(.minutes(5)))
struct DeadFamilyTests {
    @Test func `IPv6 that is dropped beyond the router is found, and does not count as latency`() async throws {
        let lab = try await HopLab()
        let servers = try await lab.internet.run {
            try HopLab.ipv4.map { try ScriptedInternet(address: "\($0)", httpPort: 80) }
        }
        try await lab.router.run {
            var kernel = try RouteNetlink()
            try kernel.deleteAddress("2001:db8:2::fe/64", from: kernel.link(named: "wan0").index)
            try kernel.addRoute(NewRoute("2001:db8:2::/64", type: .blackhole))
        }
        let names = ScriptedResolver([
            "one.example": .addresses("2001:db8:2::1", "203.0.113.1"),
            "two.example": .addresses("2001:db8:2::2", "203.0.113.2"),
        ])
        var configuration = InternetCheck.Configuration()
        configuration.captivePortalAPI = .off
        configuration.proxies = .bypass
        configuration.endpoints = ["one", "two"].map { InternetCheck.Endpoint("http://\($0).example/generate_204") }
        configuration.quorum = .percent(100)
        let check = try InternetCheck(
            configuration, prober: SocketHTTPProbe(resolver: names, over: KernelSocketRunner(.inside(lab.machine))))
        let report = await check.run()
        #expect(report.verdict == .verified, "\(report)")
        for evidence in report.endpoints {
            #expect(evidence.family == .ipv4)
            #expect(evidence.failedAttempts.map(\.address.version) == [.ipv6])
            let tried = evidence.failedAttempts.map(\.address) + [evidence.address].compactMap(\.self)
            #expect(Set(tried.map(\.version)) == [.ipv4, .ipv6])
            let delay = try #require(evidence.durations.delay)
            #expect(delay >= .milliseconds(250))
            #expect(evidence.durations.total >= delay + (evidence.durations.connect ?? .zero))
            #expect(evidence.durations.latency <= evidence.durations.total - delay)
        }
        #expect(FamilyEvidence.suspect(report.endpoints) == .ipv6)
        #expect(DeadFamily(report.endpoints) == nil)
        let answers = try await lab.machine.run {
            let probe = PublicAddressProbe(addresses: HopLab.ipv6, port: 80)
            return probe.run(until: TimeSource.system.now + FamilyEvidence.probePatience, KernelSockets())
        }
        let dead = try #require(DeadFamily(report.endpoints, answers))
        #expect(dead.family == .ipv6)
        #expect(dead.delay.map { $0 >= .milliseconds(250) } == true)
        withExtendedLifetime(servers) {}
    }
}
#endif
