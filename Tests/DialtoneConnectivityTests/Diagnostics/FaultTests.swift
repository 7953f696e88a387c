// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import DialtoneConnectivity

/// The reported fault for each state of the hops, as a table.
struct FaultTests {
    typealias Report = NetworkDiagnostics.Report
    typealias Server = NetworkDiagnostics.NameServerAnswer

    private static let path = NetworkPath(
        status: .satisfied, interfaces: [.init(name: "up0", index: 2, type: .wiredEthernet)], supportsIPv4: true,
        supportsDNS: true, gateways: [.init(NetworkAddress(192, 0, 2, 1))])

    private static func report(
        _ verdict: InternetCheck.Verdict?, router: [NetworkDiagnostics.RouterAnswer.Outcome] = [.answers],
        near: [Server.Outcome] = [], far: [Server.Outcome] = [],
        numbers: NetworkDiagnostics.AddressAnswer.Outcome? = nil
    ) -> Report {
        Report(
            path: path, routers: router.map { .init("192.0.2.1", $0) },
            nameServers: near.map { Server("192.0.2.1", $0, isNearby: true) }
                + far.map { Server("203.0.113.53", $0, isNearby: false) },
            publicAddresses: numbers.map { [.init(NetworkAddress(198, 51, 100, 1), $0)] } ?? [],
            internet: verdict.map { .init(verdict: $0, checkedAt: .distantPast) })
    }

    private static let portal = InternetCheck.Verdict.captivePortal(URL(filePath: "/login"))

    static let rows: [(Report, NetworkDiagnostics.Fault?)] = [
        // Proof from a distant hop outweighs doubt about a nearer one.
        (report(.verified), nil), (report(.verified, router: [.silent], near: [.silent]), nil),
        (report(.verified, far: [.fails]), nil), (report(portal), .portal), (report(portal, near: [.fails]), .portal),
        (report(.partial, near: [.answers]), .filter), (report(nil), nil),
        // The nearest fault.
        (report(.noInternet(.timedOut), router: [.silent], near: [.silent]), .router),
        (report(.noInternet(.nameResolution), router: [.silent], far: [.silent]), .router),
        (report(.noInternet(.timedOut), router: [.silent, .answers], near: [.answers]), .provider),
        (report(.noInternet(.timedOut), router: [.unclear], near: [.answers]), .provider),
        (report(.noInternet(.timedOut), router: [], near: [.answers]), .provider),
        (report(.noInternet(.hijackedNames), near: [.answers]), .nameServers),
        (report(.noInternet(.nameResolution), near: [.silent]), .nameServers),
        (report(.noInternet(.nameResolution), near: [.refuses]), .nameServers),
        // A forwarder that fails may only lack an uplink; a distant server that fails is reachable.
        (report(.noInternet(.nameResolution), near: [.fails]), .provider),
        (report(.noInternet(.nameResolution), far: [.fails]), .nameServers),
        (report(.noInternet(.nameResolution), far: [.refuses]), .nameServers),
        (report(.noInternet(.nameResolution), far: [.silent, .silent]), .provider),
        (report(.noInternet(.nameResolution), near: [.answers], far: [.silent]), .provider),
        (report(.noInternet(.unreachable), near: [.answers]), .provider),
        // Public addresses tell broken names from a broken uplink.
        (report(.noInternet(.dnsSilent), near: [.silent], numbers: .answers), .nameServers),
        (report(.noInternet(.dnsSilent), near: [.silent], numbers: .silent), .provider),
        (report(.noInternet(.dnsSilent), far: [.silent], numbers: .answers), .nameServers),
        (report(.noInternet(.dnsSilent), far: [.silent], numbers: .unreachable), .provider),
        (report(.noInternet(.dnsSilent), router: [.silent], far: [.silent], numbers: .silent), .router),
        (report(.noInternet(.dnsSilent), router: [.silent], far: [.silent], numbers: .answers), .nameServers),
        (report(.noInternet(.nameResolution), near: [.fails], numbers: .answers), .nameServers),
        (report(.noInternet(.unreachable), far: [.unreachable], numbers: .unreachable), .provider),
        // A firewall in front of the address may refuse in its place.
        (report(.noInternet(.nameResolution), near: [.fails], numbers: .refuses), .provider),
        (report(.noInternet(.hostNotFound), near: [.answers], numbers: .answers), .nameServers),
        (report(.noInternet(.hostNotFound), near: [.answers], numbers: .silent), .provider),
        // A distant name server proves that packets pass.
        (report(.noInternet(.timedOut), far: [.answers]), .filter),
        (report(.noInternet(.timedOut), router: [.silent], far: [.answers]), .filter),
        (report(.noInternet(.refused), near: [.answers]), .filter),
        (report(.noInternet(.tls), near: [.answers]), .filter),
        (report(.noInternet(.unexpectedAnswers), near: [.answers]), .endpoints),
        // The Internet was not checked, but the nearer hops were.
        (report(.inconclusive, near: [.answers]), nil), (report(.inconclusive, near: [.silent]), .nameServers),
    ]

    @Test(arguments: rows.indices) func `the nearest fault is reported`(index: Int) {
        let (report, fault) = Self.rows[index]
        #expect(report.fault == fault, "\(report)")
        #expect((report.explanation == nil) == (fault == nil))
    }

    @Test func `a wrong clock is this machine's fault, and the proxy is at fault if every request goes through it`() {
        func fault(_ reason: InternetCheck.NoInternetReason, _ code: ProbeError.Code, proxy: String?)
            -> NetworkDiagnostics.Fault?
        {
            var report = Self.report(.noInternet(reason), far: [.fails])
            var evidence = InternetCheck.Evidence(url: "https://a.test/", .failed(ProbeError(code, during: .tls)))
            evidence.proxy = proxy
            report.internet?.endpoints = [evidence]
            return report.fault
        }
        #expect(fault(.tls, .invalidCertificate, proxy: nil) == .machine)
        #expect(fault(.refused, .refused, proxy: "http://192.0.2.1:3128") == .proxy)
        #expect(fault(.nameResolution, .nameServerFailure, proxy: nil) == .nameServers)
    }

    @Test func `without a path this machine is at fault, and without access to the network state nothing is known`() {
        #expect(Report(path: NetworkPath(status: .unsatisfied)).fault == .machine)
        #expect(Report(path: NetworkPath(status: .requiresConnection)).fault == .machine)
        #expect(Report(path: NetworkPath(status: .unsatisfied, limitation: .unavailable("hidden"))).fault == nil)
        var nameless = Self.report(.noInternet(.nameResolution))
        nameless.path.supportsDNS = false
        #expect(nameless.fault == .nameServers)
    }

    @Test func `the host is at fault only if the Internet is reachable`() throws {
        var report = Self.report(.verified)
        let target = try HostTarget("host.example:443")
        report.host = HostReport(target: target, route: HostStep(.failure(HostError(.noRoute)), .zero))
        #expect(report.fault == .host)
        report.internet?.verdict = .noInternet(.timedOut)
        #expect(report.fault == .provider)
        report.internet?.verdict = .verified
        report.host = HostReport(target: target, route: HostStep(.failure(HostError(.unknown)), .zero))
        #expect(report.fault == nil)
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
