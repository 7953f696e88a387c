// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import Dialtone
@testable import DialtoneAgent
@testable import DialtoneServer

/// The hops of the page: where the fault is, what works before it, and what is not known beyond it.
struct HopTests {
    private static let cable = NetworkPath.Interface(name: "eth0", index: 2, type: .wiredEthernet)
    private static let wired = NetworkPath(
        status: .satisfied, interfaces: [cable], supportsIPv4: true, supportsDNS: true,
        gateways: [.init(NetworkAddress(192, 0, 2, 1))])

    private static func connectivity(
        _ verdict: InternetCheck.Verdict?, _ endpoints: [InternetCheck.Evidence] = [], over path: NetworkPath = wired,
        _ hops: InternetCheck.Hops? = nil
    ) -> Connectivity {
        let report = verdict.map {
            InternetCheck.Report(verdict: $0, checkedAt: .sample, endpoints: endpoints, hops: hops)
        }
        return Connectivity(
            state: ConnectivityState(path, checkedBy: report), path: path, since: .sample, evidence: report)
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

    /// A row: the state, and the standing of each hop.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let connectivity: Connectivity
        /// `+` works, `x` broken, `-` silent, `?` unknown, from near to far.
        let standings: String
    }

    private static func hops(
        _ router: InternetCheck.RouterAnswer.Outcome, names: InternetCheck.NameServerAnswer.Outcome? = nil,
        addresses: InternetCheck.AddressAnswer.Outcome = .silent
    ) -> InternetCheck.Hops {
        InternetCheck.Hops(
            routers: wired.gateways.map { .init($0, router) },
            nameServers: names.map { [.init(NetworkAddress(198, 51, 100, 53), $0, isNearby: false)] } ?? [],
            publicAddresses: [.init(NetworkAddress(203, 0, 113, 1), addresses)])
    }

    static let rows: [Row] = {
        func silent(_ hops: InternetCheck.Hops) -> Connectivity {
            connectivity(.noInternet(.timedOut), evidence(.timedOut), over: wired, hops)
        }
        let nameless = connectivity(
            .noInternet(.dnsSilent), evidence(.nameServerSilent, .resolve), over: wired,
            hops(.answers, names: .silent, addresses: .answers))
        let unplugged = NetworkPath(
            status: .unsatisfied, diagnosis: PathDiagnosis(.noCarrier, interface: cable))
        let portal = URL(string: "http://login.test/").map { InternetCheck.Verdict.captivePortal($0) } ?? .inconclusive
        return [
            Row(testDescription: "online", connectivity: connectivity(.verified, passed), standings: "++++"),
            Row(testDescription: "unplugged", connectivity: connectivity(nil, over: unplugged), standings: "x???"),
            Row(testDescription: "not checked", connectivity: connectivity(nil), standings: "+???"),
            Row(testDescription: "portal", connectivity: connectivity(portal, passed), standings: "+++x"),
            Row(testDescription: "silent router", connectivity: silent(hops(.silent)), standings: "+x+-"),
            Row(testDescription: "dead uplink", connectivity: silent(hops(.answers)), standings: "+++x"),
            Row(testDescription: "silent DNS, working uplink", connectivity: nameless, standings: "++x?"),
            Row(
                testDescription: "dead uplink, silent DNS",
                connectivity: connectivity(
                    .noInternet(.dnsSilent), evidence(.nameServerSilent, .resolve), over: wired,
                    hops(.answers, names: .silent)), standings: "++-x"),
            Row(testDescription: "HTTP only", connectivity: connectivity(.partial), standings: "+++x"),
            Row(
                testDescription: "dead proxy",
                connectivity: connectivity(
                    .noInternet(.refused), evidence(.refused, proxy: "http://192.0.2.9:3128")),
                standings: "+?x?"),
        ]
    }()

    @Test(arguments: rows) func `the nearest fault is marked`(row: Row) {
        let hops = Hop.chain(row.connectivity)
        let marks: [Hop.Standing: Character] = [.works: "+", .broken: "x", .silent: "-", .unknown: "?"]
        #expect(String(hops.compactMap { marks[$0.standing] }) == row.standings, "\(hops)")
        let broken = hops.filter { $0.standing == .broken }
        #expect(broken.count <= 1)
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

    @Test func `a host beyond a broken hop is not blamed`() throws {
        var row = HostRow(host: try WatchedHost("example.com"), since: .sample)
        row.report = HostReport(
            target: row.host.target, route: HostStep(.failure(HostError(.noRoute)), .zero), port: 443)
        let silent = Self.connectivity(.noInternet(.timedOut), Self.evidence(.timedOut))
        #expect(Hop.chain(silent, hosts: [row]).last?.standing == .silent)
        let online = Self.connectivity(.verified, Self.passed)
        #expect(Hop.chain(online, hosts: [row]).last?.standing == .broken)
        for (rows, words) in [([row], "example.com"), ([row, row], "2 of the hosts")] {
            let page = "\(VerdictSection.html(LiveState(connectivity: online, hosts: rows), now: .sample))"
            #expect(page.contains("The Internet works, but \(words) cannot be reached."))
        }
    }

    @Test func `the severities have different icons`() {
        #expect(Set(Severity.allCases.map(\.icon)).count == Severity.allCases.count)
        #expect(Severity.allCases.allSatisfy { !$0.icon.contains("\"") && !$0.icon.contains("#") })
    }
}
#endif
