// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import DialtoneDiagnostics

/// The reported fault for each state of the hops, as a table.
struct FaultTests {
    typealias Report = NetworkDiagnostics.Report
    typealias Server = NetworkDiagnostics.NameServerAnswer

    private static let path = NetworkPath(
        status: .satisfied, interfaces: [.init(name: "up0", index: 2, type: .wiredEthernet)], supportsIPv4: true,
        supportsDNS: true, gateways: [.init(NetworkAddress(192, 0, 2, 1))])

    private static func report(
        _ verdict: InternetCheck.Verdict?, router: [NetworkDiagnostics.RouterAnswer.Outcome] = [.answers],
        near: [Server.Outcome] = [], far: [Server.Outcome] = []
    ) -> Report {
        Report(
            path: path, routers: router.map { .init("192.0.2.1", $0) },
            nameServers: near.map { Server("192.0.2.1", $0, isNearby: true) }
                + far.map { Server("203.0.113.53", $0, isNearby: false) },
            internet: verdict.map { .init(verdict: $0, checkedAt: .distantPast) })
    }

    private static let portal = InternetCheck.Verdict.captivePortal(URL(filePath: "/login"))

    static let rows: [(Report, NetworkDiagnostics.Fault?)] = [
        // Proof from a distant hop outweighs doubt about a nearer one.
        (report(.verified), nil), (report(.verified, router: [.silent], near: [.silent]), nil),
        (report(.verified, far: [.fails]), nil), (report(portal), .portal), (report(portal, near: [.fails]), .portal),
        (report(.partial, near: [.answers]), .provider), (report(nil), nil),
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
        // The Internet was not checked, but the nearer hops were.
        (report(.inconclusive, near: [.answers]), nil), (report(.inconclusive, near: [.silent]), .nameServers),
    ]

    @Test(arguments: rows.indices) func `the nearest fault is reported`(index: Int) {
        let (report, fault) = Self.rows[index]
        #expect(report.fault == fault, "\(report)")
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
