// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Dialtone

/// The fault of a host beside that of the network.
struct FaultTests {
    @Test func `the host is at fault only if the Internet is reachable`() throws {
        var report = NetworkDiagnostics.Report(
            path: NetworkPath(status: .satisfied), internet: .init(verdict: .verified, checkedAt: .distantPast))
        let target = try HostTarget("host.example:443")
        report.host = HostReport(target: target, route: HostStep(.failure(HostError(.noRoute)), .zero))
        #expect(report.fault == .host)
        #expect(report.reason == "The Internet works, but the host cannot be reached.")
        report.internet?.verdict = .noInternet(.dnsSilent)
        #expect(report.fault == .nameServers)
        report.internet?.verdict = .verified
        report.host = HostReport(target: target, route: HostStep(.failure(HostError(.unknown)), .zero))
        #expect(report.fault == nil && report.reason == nil)
    }
}

/// The hops that a report lists.
struct ConsistentHopsTests {
    /// The C library may query over TCP (`use-vc`), or know names from elsewhere.
    @Test func `a silent hop is listed only if the Internet does not answer, or a remark may be about it`() throws {
        let router = InternetCheck.RouterAnswer(.init(NetworkAddress(192, 0, 2, 1)), .unclear)
        let servers = [NetworkAddress(192, 0, 2, 53), NetworkAddress(192, 0, 2, 54)]
        let silent = InternetCheck.Hops(
            routers: [router], nameServers: [.init(servers[0], .silent, isNearby: false)],
            publicAddresses: [.init(NetworkAddress(9, 9, 9, 9), .silent, after: .seconds(1))])
        var internet = InternetCheck.Report(verdict: .verified, checkedAt: .distantPast, hops: silent)
        var report = NetworkDiagnostics.Report(path: NetworkPath(status: .satisfied), internet: internet)
        #expect(report.consistentHops == InternetCheck.Hops())
        let json = try report.json(at: .distantPast)
        #expect(json.contains(#""routers":[]"#) && json.contains(#""nameServers":[]"#) && json.contains(#""facts":{"#))
        internet.hops?.nameServers.append(.init(servers[1], .answers, isNearby: false))
        report = NetworkDiagnostics.Report(path: report.path, internet: internet)
        #expect(report.remarks.map(\.kind) == [.nameServer])
        #expect(report.consistentHops.nameServers.map(\.server) == servers && report.consistentHops.routers.isEmpty)
        internet.verdict = .noInternet(.timedOut)
        report = NetworkDiagnostics.Report(path: report.path, internet: internet)
        #expect(report.consistentHops == report.hops)
    }
}

/// The reports while the diagnostics run.
struct ProgressTests {
    @Test func `the sequence starts with the path and ends with the complete report`() async throws {
        let diagnostics = NetworkDiagnostics(try InternetCheck(.disabled), of: try HostTarget("127.0.0.1:9"))
        var reports: [NetworkDiagnostics.Report] = []
        for await report in diagnostics.reports() { reports.append(report) }
        let last = try #require(reports.last)
        #expect(last.host?.state == .unreachable)
        #expect(reports.allSatisfy { $0.path == last.path })
        // Each report has all that an earlier one had.
        for (earlier, later) in zip(reports, reports.dropFirst()) {
            #expect(earlier.host == nil || later.host != nil)
            #expect(earlier.internet == nil || later.internet != nil)
        }
    }
}
