// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Testing

@testable import Dialtone
@testable import DialtoneServer

/// The hops of the page: where the fault is, what works before it, and what is not known beyond it.
struct HopTests {
    typealias Report = NetworkDiagnostics.Report

    private static let cable = NetworkPath.Interface(name: "eth0", index: 2, type: .wiredEthernet)
    private static let wired = NetworkPath(
        status: .satisfied, interfaces: [cable], supportsIPv4: true, supportsDNS: true,
        gateways: [.init(NetworkAddress(192, 0, 2, 1))])

    private static func connectivity(
        _ verdict: InternetCheck.Verdict?, _ endpoints: [InternetCheck.Evidence] = [], over path: NetworkPath = wired
    ) -> Connectivity {
        let report = verdict.map { InternetCheck.Report(verdict: $0, checkedAt: .now, endpoints: endpoints) }
        return Connectivity(
            state: ConnectivityState(path, checkedBy: report), path: path, since: .now, evidence: report)
    }

    private static func evidence(
        _ code: ProbeError.Code, _ step: ProbeError.Step = .connect, proxy: String? = nil
    ) -> [InternetCheck.Evidence] {
        ["a.test", "b.test"].map { name in
            var evidence = InternetCheck.Evidence(url: "http://\(name)/", .failed(ProbeError(code, during: step)))
            if step != .resolve { evidence.durations.resolve = .milliseconds(12) }
            evidence.proxy = proxy
            return evidence
        }
    }

    private static let passed: [InternetCheck.Evidence] = [
        .init(
            url: "http://a.test/", .passed, status: 204, address: NetworkAddress(198, 51, 100, 7),
            durations: .init(resolve: .milliseconds(12), total: .milliseconds(40)))
    ]

    /// A row: the state, the diagnosis, the standing of each hop, and the advice.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let connectivity: Connectivity
        var diagnosis: Report?
        /// `+` works, `x` broken, `?` unknown, from near to far.
        let standings: String
        var advice: String?
    }

    private static func diagnosed(
        _ connectivity: Connectivity, routers: [NetworkDiagnostics.RouterAnswer.Outcome] = [],
        names: [NetworkDiagnostics.NameServerAnswer.Outcome] = [],
        addresses: [NetworkDiagnostics.AddressAnswer.Outcome] = []
    ) -> Report {
        Report(
            path: connectivity.path, routers: routers.map { .init("192.0.2.1", $0) },
            nameServers: names.map { .init("198.51.100.53", $0, isNearby: false) },
            publicAddresses: addresses.map { .init(NetworkAddress(203, 0, 113, 1), $0) },
            internet: connectivity.evidence)
    }

    static let rows: [Row] = {
        let silent = connectivity(.noInternet(.timedOut), evidence(.timedOut))
        let nameless = connectivity(.noInternet(.dnsSilent), evidence(.nameServerSilent, .resolve))
        let unplugged = NetworkPath(
            status: .unsatisfied, diagnosis: PathDiagnosis(.noCarrier, interface: cable))
        let portal = URL(string: "http://login.test/").map { InternetCheck.Verdict.captivePortal($0) } ?? .inconclusive
        return [
            Row(testDescription: "online", connectivity: connectivity(.verified, passed), standings: "++++"),
            Row(testDescription: "unplugged", connectivity: connectivity(nil, over: unplugged), standings: "x???"),
            Row(testDescription: "not checked", connectivity: connectivity(nil), standings: "+???"),
            Row(testDescription: "portal", connectivity: connectivity(portal, passed), standings: "+++x"),
            Row(
                testDescription: "silent router", connectivity: silent,
                diagnosis: diagnosed(silent, routers: [.silent]), standings: "+x+?",
                advice: "The router does not answer: is it on, and is this the right network?"),
            Row(
                testDescription: "dead uplink", connectivity: silent,
                diagnosis: diagnosed(silent, routers: [.answers]), standings: "+++x",
                advice:
                    "The router answers, but nothing beyond it does: check the router's uplink, or call the provider."),
            Row(
                testDescription: "silent DNS, working uplink", connectivity: nameless,
                diagnosis: diagnosed(nameless, routers: [.answers], names: [.silent], addresses: [.answers]),
                standings: "++x?", advice: "The connection itself works: the Internet answers without names."),
            Row(
                testDescription: "dead proxy",
                connectivity: connectivity(
                    .noInternet(.refused), evidence(.refused, proxy: "http://192.0.2.9:3128")),
                standings: "+?x?", advice: "Ask its operator, or check its address."),
        ]
    }()

    @Test(arguments: rows) func `the nearest fault is marked, with what to do`(row: Row) {
        let hops = Hop.chain(row.connectivity, row.diagnosis)
        let marks: [Hop.Standing: Character] = [.works: "+", .broken: "x", .unknown: "?"]
        #expect(String(hops.compactMap { marks[$0.standing] }) == row.standings, "\(hops)")
        let broken = hops.filter { $0.standing == .broken }
        #expect(broken.count <= 1)
        #expect(broken.first?.advice == row.advice)
    }

    @Test(arguments: ReasonTests.conditions) func `every failure is at one hop, and its reason is said once`(
        condition: ReasonTests.Condition
    ) {
        let connectivity = condition.connectivity
        let live = LiveState(connectivity: connectivity)
        let broken = Hop.chain(connectivity).count { $0.standing == .broken }
        let isKnown = [.online, .unverified, .unknown].contains(connectivity.state)
        #expect(broken == (isKnown ? 0 : 1))
        if let reason = connectivity.reason {
            #expect(!"\(HopsSection.html(live))".contains(HTML.text(reason).description))
        }
    }

    @Test func `a fault is said to be beyond the router only if the router answers`() {
        let silent = Self.connectivity(.noInternet(.timedOut), Self.evidence(.timedOut))
        for (outcomes, words) in [([], "this machine"), ([.answers], "the router")]
            as [([NetworkDiagnostics.RouterAnswer.Outcome], String)]
        {
            var live = LiveState(connectivity: silent)
            live.diagnosis = outcomes.isEmpty ? nil : Self.diagnosed(silent, routers: outcomes)
            #expect("\(HopsSection.html(live))".contains("<strong>The fault is beyond \(words).</strong>"))
        }
    }

    @Test func `a host beyond a broken hop is not blamed`() throws {
        var row = HostRow(host: try WatchedHost("example.com"), since: .now)
        row.report = HostReport(
            target: row.host.target, route: HostStep(.failure(HostError(.noRoute)), .zero), port: 443)
        let silent = Self.connectivity(.noInternet(.timedOut), Self.evidence(.timedOut))
        #expect(Hop.chain(silent, hosts: [row]).last?.standing == .unknown)
        let online = Self.connectivity(.verified, Self.passed)
        #expect(Hop.chain(online, hosts: [row]).last?.standing == .broken)
    }

    @Test func `each severity has an icon of its own`() {
        #expect(Set(Severity.allCases.map(\.icon)).count == Severity.allCases.count)
        #expect(Severity.allCases.allSatisfy { !$0.icon.contains("\"") && !$0.icon.contains("#") })
    }
}
#endif
