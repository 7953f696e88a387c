// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Dialtone
@testable import DialtoneAgent
@testable import DialtoneHistory
@testable import DialtoneServer

/// The pictures of the README show the page as it is: when its style, its structure or its words change, they are made again.
struct PictureTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    /// The digest of the page that the pictures show.
    private static let record = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/images/page.digest")

    /// The pictured page: online over a cable, with a watched host, and a day with an outage.
    private static func page() throws -> DashboardPage {
        let path = NetworkPath(
            status: .satisfied, interfaces: [.init(name: "eth0", index: 2, type: .wiredEthernet)], supportsIPv4: true,
            supportsDNS: true, gateways: [.init(NetworkAddress(192, 0, 2, 1))])
        let check = InternetCheck.Report(
            verdict: .verified, checkedAt: now,
            endpoints: [
                .init(
                    url: "http://a.test/", .passed, status: 204, address: NetworkAddress(198, 51, 100, 7),
                    durations: .init(resolve: .milliseconds(12), total: .milliseconds(40)))
            ])
        let connectivity = Connectivity(state: .online, path: path, since: now - 4000, evidence: check)
        let host = try WatchedHost("example.com")
        var report = HostReport(target: host.target, route: HostStep(.success(HostRoute()), .zero), port: 443)
        report.connection = HostStep(.success(NetworkAddress(198, 51, 100, 8)), .milliseconds(5))
        let transitions = [(90_000, .online), (6000, .limited), (4000, .online)].map {
            (ago: Double, state: HistoryState) in
            HistoryTransition(
                time: now - ago, earliest: now - ago, state: state,
                cause: state == .limited ? HistoryCause(rawValue: "timedOut") : nil, interfaceName: "eth0",
                interfaceType: "wiredEthernet")
        }
        let overview = TimelineOverview(
            from: now - 86_400, to: now, transitions: transitions, columns: TimelineMarks.columns,
            maximumSpans: HistorySection.maximumSpans, maximumOutages: HistorySection.maximumOutages)
        let past = HistorySection(
            overview: overview, period: HistoryPeriod(), status: HistoryStatus(), now: now)
        return DashboardPage(
            live: LiveState(
                connectivity: connectivity,
                hosts: [HostRow(host: host, report: report, checkedAt: now, since: now - 4000)]),
            past: past.html, now: now, machine: "machine", version: "", canCheck: true,
            hasSession: false, address: "/")
    }

    /// The FNV-1a digest of the style and of the page, without figures and times, which depend on the time and the time zone.
    private static func digest() throws -> String {
        let html = try page().html.description.replacing(/(<time[^>]*>)[^<]*/) { String($0.output.1) }
            .replacing(/(data-style="[a-z]+"[^>]*>)[^<]*/) { String($0.output.1) }.filter { !$0.isNumber }
        let value = (PackageResources.style_css + Array(html.utf8)).reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return String(value, radix: 16)
    }

    @Test func `the page has not changed since its pictures were made`() throws {
        let digest = try Self.digest()
        if ProcessInfo.processInfo.environment["DIALTONE_RECORD_PAGE"] != nil {
            try (digest + "\n").write(to: Self.record, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: Self.record, encoding: .utf8).trimmingCharacters(in: .newlines)
        #expect(
            digest == recorded,
            "The page has changed: run Scripts/pictures, and look at the pictures before you commit them.")
    }
}
