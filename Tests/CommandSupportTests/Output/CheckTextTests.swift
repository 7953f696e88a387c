// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import Foundation
import SystemSupport
import Testing

@testable import DialtoneCommand

/// The texts of `dialtone check` and `dialtone watch`, from reports.
struct CheckTextTests {
    private static let path = NetworkPath(
        status: .satisfied, interfaces: [.init(name: "eth0", index: 2, type: .wiredEthernet)], supportsIPv4: true,
        supportsDNS: true, gateways: [.init(NetworkAddress(192, 0, 2, 1))])

    private static func evidence(
        _ host: String, _ outcome: InternetCheck.Evidence.Outcome, status: Int? = nil, milliseconds: Int
    ) -> InternetCheck.Evidence {
        .init(
            url: "http://\(host)/", outcome, status: status, address: NetworkAddress(198, 51, 100, 7),
            durations: .init(total: .milliseconds(milliseconds)))
    }

    private static func report(
        _ endpoints: [InternetCheck.Evidence], _ verdict: InternetCheck.Verdict = .verified
    ) -> InternetCheck.Report {
        InternetCheck.Report(verdict: verdict, checkedAt: Date(timeIntervalSince1970: 0), endpoints: endpoints)
    }

    private static func lines(_ endpoints: [InternetCheck.Evidence], isVerbose: Bool = false) -> [String] {
        CheckDescription.lines(report(endpoints, .noInternet(.timedOut)), isVerbose: isVerbose).map {
            $0.mark + $0.text
        }
    }

    private static let silence = InternetCheck.Evidence.Outcome.failed(
        ProbeError(.nameServerSilent, during: .resolve, "DNS servers do not answer (192.168.1.1)"))

    @Test func `equal failures are one line with the longest time`() {
        let all = (1...12).map { Self.evidence("\($0).test", Self.silence, milliseconds: 4000 + 100 * $0) }
        #expect(Self.lines(all) == ["failed   12 of 12: DNS servers do not answer (192.168.1.1), 5.2 s"])
        #expect(Self.lines(all, isVerbose: true).count == 12)
    }

    @Test func `failures of some name their endpoints, and what was not needed is left out`() {
        let abandoned = InternetCheck.Evidence.Outcome.failed(ProbeError(.abandoned, during: .judge))
        let endpoints = [
            Self.evidence("a.test", .passed, status: 204, milliseconds: 20),
            Self.evidence("b.test", Self.silence, milliseconds: 3000),
            Self.evidence("c.test", abandoned, milliseconds: 1),
            Self.evidence("d.test", Self.silence, milliseconds: 4000),
            Self.evidence("e.test", .failed(ProbeError(.refused, during: .connect)), milliseconds: 2),
        ]
        #expect(
            Self.lines(endpoints) == [
                "passed   http://a.test/  status 204, 198.51.100.7, 20 ms",
                "failed   2 of 4: DNS servers do not answer (192.168.1.1), 4.0 s  http://b.test/ http://d.test/",
                "failed   http://e.test/  connection refused, 198.51.100.7, 2 ms",
            ])
        let verbose = Self.lines(endpoints, isVerbose: true)
        #expect(verbose.count == 5)
        #expect(verbose[2] == "skipped  http://c.test/  the verdict did not need it, 198.51.100.7")
    }

    /// The lines of `watch` for values that follow each other.
    private static func watched(_ values: [Connectivity], isVerbose: Bool = false, isPassive: Bool = false)
        -> [WatchLines.Line?]
    {
        var lines = WatchLines(isPassive: isPassive, isVerbose: isVerbose, style: Style(isColored: false))
        return values.map { lines.next($0) }
    }

    private static func connectivity(_ state: ConnectivityState, _ evidence: InternetCheck.Report? = nil)
        -> Connectivity
    {
        Connectivity(state: state, path: path, since: Date(timeIntervalSince1970: 0), evidence: evidence)
    }

    @Test func `watch shows states alone, and what is being checked until the next line`() {
        let passed = Self.report([Self.evidence("a.test", .passed, status: 204, milliseconds: 20)])
        let values = [
            Self.connectivity(.unverified), Self.connectivity(.online, passed), Self.connectivity(.online, passed),
        ]
        let online = "Online over eth0 (wired Ethernet), IPv4, DNS"
        let pending = WatchLines.Line.pending("checking eth0 (wired Ethernet) …")
        #expect(Self.watched(values) == [pending, .change(online, changes: nil), nil])
        let verbose = Self.watched(values, isVerbose: true)
        #expect(verbose.allSatisfy { if case .change = $0 { true } else { false } })
        let connected = "Connected over eth0 (wired Ethernet), IPv4, DNS"
        #expect(Self.watched([values[0]], isPassive: true) == [.change(connected, changes: nil)])
    }

    @Test func `what is not verified is grey, never green`() {
        let style = Style(isColored: true)
        #expect(style.state("text", .unverified) == style.quiet("text"))
        #expect(style.state("text", .online) == "\u{1B}[32mtext\u{1B}[0m")
    }
}
