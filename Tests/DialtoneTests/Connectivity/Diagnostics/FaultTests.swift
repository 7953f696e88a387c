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

/// The reports while the diagnostics run.
struct ProgressTests {
    @Test func `the sequence starts with the path and ends with the complete report`() async throws {
        let diagnostics = NetworkDiagnostics(try InternetCheck(.disabled), of: try HostTarget("127.0.0.1:9"))
        var reports: [NetworkDiagnostics.Report] = []
        for await report in diagnostics.reports() { reports.append(report) }
        let last = try #require(reports.last)
        #expect(last.host?.verdict == .unreachable)
        #expect(reports.allSatisfy { $0.path == last.path })
        // Each report has all that an earlier one had.
        for (earlier, later) in zip(reports, reports.dropFirst()) {
            #expect(earlier.host == nil || later.host != nil)
            #expect(earlier.internet == nil || later.internet != nil)
        }
    }
}
