// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import TestSupport
import Testing

@testable import DialtoneAgent
@testable import DialtoneServer

struct HostRowTests {
    @Test func `the page does not repeat the network's fault for each host`() throws {
        let path = NetworkPath(
            status: .unsatisfied,
            diagnosis: PathDiagnosis(.noCarrier, interface: .init(name: "eth0", index: 2, type: .wiredEthernet)))
        let connectivity = Connectivity(state: .offline, path: path, since: .sample)
        let fault = try #require(connectivity.reason)
        for (error, isShown) in [(HostError(.noRoute, diagnosis: path.diagnosis), false), (HostError(.refused), true)] {
            let host = try WatchedHost("example.com")
            let route = HostStep<HostRoute>(.failure(error), .zero)
            let row = HostRow(
                host: host, report: HostReport(target: host.target, route: route, port: 443), since: .sample)
            let page = "\(HostsSection.html(LiveState(connectivity: connectivity, hosts: [row]), now: .sample))"
            #expect(page.contains("not reachable") && !page.contains(HTML.text(fault).description))
            #expect(page.contains(HTML.text("\(error)").description) == isShown)
        }
    }

    @Test(arguments: [
        (ConnectivityState.noInternet, Shown.silent, "The Internet is out."),
        (.offline, .silent, "The Internet is out."),
        (.limited, .noRoute, "The Internet is out."), (.online, .silent, "no answer in time"),
        // A host that refuses answers, and a host on a link of this machine does not need the Internet.
        (.noInternet, .refused, "Connection refused"), (.noInternet, .silentOnLink, "no answer in time"),
    ])
    func `in an outage, a host has no cause`(state: ConnectivityState, shown: Shown, words: String) throws {
        let connectivity = Connectivity(state: state, path: NetworkPath(status: .satisfied), since: .sample)
        let rows = [try row("example.com", shown)]
        let page = "\(HostsSection.html(LiveState(connectivity: connectivity, hosts: rows), now: .sample))"
        #expect(page.contains("not reachable") && page.contains(words), "\(page)")
        #expect(page.contains("The Internet is out.") == words.hasPrefix("The Internet"))
    }

    @Test(
        arguments: [
            ("example.com", "example.com", nil), ("example.com:22", "example.com:22", 22),
            ("https://user:secret@Example.com/x?key=1", "https://example.com:443", 443),
            ("HTTP://example.com", "http://example.com:80", 80), ("[2001:db8::1]:853", "[2001:db8::1]:853", 853),
        ] as [(String, String, UInt16?)])
    func `the name of a host has its port and its scheme, and no secret`(
        text: String, name: String, port: UInt16?
    ) throws {
        let host = try WatchedHost(text)
        #expect(host.name == name && host.target.port == port)
    }

    /// The result of a connection.
    enum Shown: Sendable { case silent, silentOnLink, nothing, connected, connectedOnLink, refused, noRoute, routeOnly }

    private func row(_ text: String, _ shown: Shown, isOutdated: Bool = false) throws -> HostRow {
        let host = try WatchedHost(text)
        var report = HostReport(target: host.target, route: HostStep(.success(HostRoute()), .zero), port: 443)
        switch shown {
        case .nothing: return HostRow(host: host, since: .sample)
        case .connected: report.connection = HostStep(.success(NetworkAddress(192, 0, 2, 1)), .milliseconds(5))
        case .connectedOnLink:
            report.route = HostStep(.success(HostRoute(isDirect: true)), .zero)
            report.connection = HostStep(.success(NetworkAddress(192, 0, 2, 1)), .milliseconds(5))
        case .silent: report.connection = HostStep(.failure(HostError(.timedOut)), .seconds(5))
        case .silentOnLink:
            report.route = HostStep(.success(HostRoute(isDirect: true)), .zero)
            report.connection = HostStep(.failure(HostError(.timedOut)), .seconds(5))
        case .refused: report.connection = HostStep(.failure(HostError(.refused)), .milliseconds(5))
        case .noRoute: report.route = HostStep(.failure(HostError(.noRoute)), .zero)
        case .routeOnly: break
        }
        return HostRow(host: host, report: report, checkedAt: .sample, since: .sample, isOutdated: isOutdated)
    }

    @Test(
        arguments: [
            (
                Shown.nothing, ConnectivityState.online, false, HostReport.State.unknown,
                "It has not been checked yet."
            ),
            (.connected, .online, false, .reachable, nil), (.connected, .unverified, false, .reachable, nil),
            // An intranet works without the Internet.
            (.connected, .limited, false, .reachable, nil), (.connected, .offline, false, .reachable, nil),
            (.connected, .captivePortal, false, .unknown, "login page"),
            (.connectedOnLink, .captivePortal, false, .reachable, nil),
            // Facts from before the failure are not repeated.
            (.connected, .limited, true, .unknown, "being checked again"),
            (.connected, .offline, true, .unknown, "being checked again"), (.connected, .online, true, .reachable, nil),
            (.refused, .online, false, .unreachable, "refused"), (.refused, .offline, true, .unreachable, "refused"),
            (.noRoute, .offline, false, .unreachable, "no route"),
            (.routeOnly, .online, false, .unknown, "no connection"),
        ] as [(Shown, ConnectivityState, Bool, HostReport.State, String?)])
    func `only a connection that the host itself accepted proves it reachable`(
        shown: Shown, state: ConnectivityState, isOutdated: Bool, verdict: HostReport.State, words: String?
    ) throws {
        let connectivity = Connectivity(state: state, path: NetworkPath(status: .satisfied), since: .sample)
        let result = try row("example.com", shown, isOutdated: isOutdated).result(in: connectivity)
        #expect(result.state == verdict)
        if let words {
            #expect(result.reason?.contains(words) == true, "\(result.reason ?? "-")")
        } else {
            #expect(result.reason == nil)
        }
    }

    @Test func `a host that answers after the check that found no Internet is not shown as reachable`() throws {
        for (age, verdict) in [(-1, HostReport.State.unknown), (1, .reachable)] {
            let report = InternetCheck.Report(verdict: .noInternet(.timedOut), checkedAt: .sample + Double(age))
            let connectivity = Connectivity(
                state: .noInternet, path: NetworkPath(status: .satisfied), since: .sample, evidence: report)
            let rows = [try row("example.com", .connected), try row("192.0.2.9", .connectedOnLink)]
            #expect(rows.map { $0.presentResult(in: connectivity).state } == [verdict, .reachable])
            let page = "\(HopsSection.html(LiveState(connectivity: connectivity, hosts: rows)))"
            #expect(
                page.contains(
                    "data-standing=\"unknown\"><span class=\"unseen\">not known: </span>"
                        + "<span class=\"name\" title=\"example.com\">") == (verdict == .unknown))
        }
    }

    @Test func `with forged DNS answers a name proves nothing, and an address does`() throws {
        let report = InternetCheck.Report(verdict: .noInternet(.hijackedNames), checkedAt: .sample)
        let connectivity = Connectivity(
            state: .limited, path: NetworkPath(status: .satisfied), since: .sample, evidence: report)
        #expect(try row("example.com", .connected).result(in: connectivity).state == .unknown)
        #expect(try row("192.0.2.1", .connected).result(in: connectivity).state == .reachable)
    }

    @Test func `an interval below a second is refused`() async throws {
        let error = await #expect(throws: ServiceError.self) {
            _ = try await ServedNetwork { $0.hostInterval = .milliseconds(999) }
        }
        #expect(error?.description.contains("more often than every") == true)
    }
}
