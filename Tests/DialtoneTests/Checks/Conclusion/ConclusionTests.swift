// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// The conclusion from a check's evidence and its hops: state, fault and sentence, as a table.
struct ConclusionTests {
    typealias Evidence = InternetCheck.Evidence
    typealias Hops = InternetCheck.Hops

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let state: ConnectivityState
        let fault: ConnectivityFault?
        let reason: String?
        let report: InternetCheck.Report

        init(
            _ name: String, _ state: ConnectivityState, _ fault: ConnectivityFault?, _ reason: String?,
            _ report: InternetCheck.Report
        ) {
            (testDescription, self.state, self.fault, self.reason, self.report) = (name, state, fault, reason, report)
        }
    }

    // MARK: Evidence

    private static let router = NetworkPath.Gateway(NetworkAddress(192, 0, 2, 1))
    private static let near = NetworkAddress(192, 0, 2, 1)
    private static let far = NetworkAddress(203, 0, 113, 53)

    private static func hops(
        router outcome: InternetCheck.RouterAnswer.Outcome? = .answers, report: RouterReport? = nil,
        near: InternetCheck.NameServerAnswer.Outcome? = nil, far: InternetCheck.NameServerAnswer.Outcome? = nil,
        numbers: InternetCheck.AddressAnswer.Outcome? = nil, after duration: Duration = .milliseconds(20),
        loss: Double? = nil
    ) -> Hops {
        var hops = Hops(
            routers: outcome.map { [.init(router, $0, report: report)] } ?? [],
            nameServers: (near.map { [.init(Self.near, $0, isNearby: true)] } ?? [])
                + (far.map { [.init(Self.far, $0, isNearby: false)] } ?? []),
            publicAddresses: numbers.map { [.init(NetworkAddress(9, 9, 9, 9), $0, after: duration)] } ?? [])
        hops.loss = loss.map(PacketLoss.init(share:))
        return hops
    }

    /// Two endpoints of each operator that end in the same way.
    private static func evidence(
        _ operators: [String] = ["alpha.example", "beta.example"], plain: Evidence.Outcome, secure: Evidence.Outcome,
        at address: NetworkAddress? = NetworkAddress(198, 51, 100, 7),
        _ durations: Evidence.Durations = .init(total: .seconds(8))
    ) -> [Evidence] {
        operators.flatMap { name in
            [("http", plain), ("https", secure)].map { scheme, outcome in
                Evidence(
                    url: "\(scheme)://www.\(name)/", operatorName: name, outcome,
                    status: outcome == .passed ? 204 : nil, address: address, durations: durations)
            }
        }
    }

    private static func failed(
        _ code: ProbeError.Code, _ step: ProbeError.Step, _ message: String = ""
    ) -> Evidence.Outcome {
        .failed(ProbeError(code, during: step, message))
    }

    private static func both(_ outcome: Evidence.Outcome) -> [Evidence] { evidence(plain: outcome, secure: outcome) }

    private static func one(_ outcome: Evidence.Outcome) -> [Evidence] {
        evidence(["alpha.example"], plain: outcome, secure: outcome)
    }

    /// The default endpoints of two operators.
    private static func defaults(_ outcome: Evidence.Outcome) -> [Evidence] {
        [InternetCheck.Endpoint].defaults.prefix(4).map {
            Evidence(url: $0.url, operatorName: $0.operatorName, outcome, durations: .init(total: .seconds(8)))
        }
    }

    private static func report(
        _ verdict: InternetCheck.Verdict, _ endpoints: [Evidence], _ hops: Hops? = nil
    ) -> InternetCheck.Report {
        .init(
            verdict: verdict, checkedAt: .distantPast, duration: .milliseconds(2800), endpoints: endpoints, hops: hops)
    }

    private static let silence = failed(.timedOut, .connect)
    private static let nameless = failed(.nameServerSilent, .resolve, "DNS servers do not answer (192.0.2.1)")
    private static let late = failed(.nameServerSilent, .resolve, "DNS servers answer too late (192.0.2.1)")

    private static let provider =
        "The router answers, but nothing beyond it does: check the router's uplink, or call the provider."
    private static let works = "The connection itself works: the Internet answers without names."
    private static let ask = "Ask the operator of this network."

    static let rows: [Row] = uplink + names + beyond + oneOperator + patience + loss + tunnels

    /// What is seen of a machine whose packets to the Internet enter a tunnel.
    private static func below(
        _ carrier: InternetCheck.RouterAnswer.Outcome?, end: InternetCheck.RouterAnswer.Outcome? = nil,
        inside: InternetCheck.NameServerAnswer.Outcome? = nil, outside: InternetCheck.NameServerAnswer.Outcome? = nil,
        numbers: InternetCheck.AddressAnswer.Outcome = .silent
    ) -> Hops {
        var hops = hops(router: carrier, near: inside, far: outside, numbers: numbers)
        hops.tunnel = "tun0"
        for index in hops.routers.indices { hops.routers[index].egress = .carrier }
        if let end {
            var answer = InternetCheck.RouterAnswer(.init(NetworkAddress(10, 8, 0, 1), interface: "tun0"), end)
            answer.egress = .tunnel
            hops.routers.append(answer)
        }
        if inside != nil { hops.nameServers[0].tunnel = "tun0" }
        return hops
    }

    private static func silent(_ hops: Hops) -> InternetCheck.Report {
        report(.noInternet(.timedOut), both(silence), hops)
    }

    private static let deadTunnel =
        "Nothing comes back through the tunnel tun0, although the router (192.0.2.1) answers: check the VPN, or whether the Internet works without it."
    private static let unknownTunnel =
        "Nothing comes back through the tunnel tun0: check the VPN, or the connection that carries it."
    private static let endOfTunnel =
        "The other end of the tunnel tun0 answers, but nothing beyond it does: ask the operator of the VPN."

    private static let tunnels: [Row] = [
        Row("a dead tunnel", .noInternet, .tunnel, deadTunnel, silent(below(.answers, inside: .silent))),
        Row(
            "a dead tunnel, and its silent end", .noInternet, .tunnel, deadTunnel,
            silent(below(.answers, end: .unclear))),
        Row(
            "a dead tunnel, and a name server beside it", .noInternet, .tunnel, deadTunnel,
            silent(below(.answers, outside: .answers))),
        Row(
            "a dead tunnel, and a router that is hidden from this machine", .noInternet, .tunnel, unknownTunnel,
            silent(below(.unclear, outside: .answers))),
        Row("a dead tunnel whose carrier was not asked", .noInternet, .tunnel, unknownTunnel, silent(below(nil))),
        Row(
            "a dead uplink below a tunnel", .noInternet, .provider, provider, silent(below(.answers, outside: .silent))),
        Row(
            "a dead router below a tunnel", .noInternet, .router,
            "The router (192.0.2.1) does not answer: is it on, and is this the right network?",
            silent(below(.silent, inside: .silent))),
        Row(
            "a router below a tunnel that may be alive or dead", .noInternet, nil,
            "Neither the router nor anything beyond it answers: check the router and its uplink.",
            silent(below(.unclear, inside: .silent))),
        Row(
            "a dead tunnel, and a name server beside it that fails", .noInternet, .tunnel, deadTunnel,
            silent(below(.answers, outside: .fails))),
        Row(
            "a dead tunnel, and a name server of this network that fails", .noInternet, nil,
            "Nothing comes back through the tunnel tun0, and names are not resolved without it: check the VPN, and the router's uplink.",
            report(.noInternet(.nameResolution), both(failed(.nameServerFailure, .resolve)), besideNames(.fails))),
        Row(
            "a dead uplink below a tunnel, and a forwarder", .noInternet, .provider, provider,
            report(.noInternet(.dnsSilent), both(nameless), besideNames(.silent))),
        Row(
            "a tunnel without the Internet", .noInternet, .tunnel, endOfTunnel,
            silent(below(.answers, inside: .answers))),
        Row("a tunnel whose other end answers", .noInternet, .tunnel, endOfTunnel, silent(below(nil, end: .answers))),
        Row(
            "a tunnel that works, and a filter behind it", .limited, .filter, "Connections are not answered. \(ask)",
            silent(below(.answers, numbers: .answers))),
        Row(
            "a name server in a dead tunnel", .limited, .tunnel,
            "Nothing comes back through the tunnel tun0, which leads to the DNS servers (192.0.2.1): check the VPN. \(works)",
            report(
                .noInternet(.dnsSilent), both(nameless),
                beside(below(.answers, inside: .silent, numbers: .answers)))),
        Row(
            "a silent name server in a tunnel that works", .limited, .nameServers,
            "DNS servers do not answer (192.0.2.1). \(works)",
            report(.noInternet(.dnsSilent), both(nameless), below(.answers, inside: .silent, numbers: .answers))),
        Row(
            "a name server in a tunnel that refuses", .limited, .nameServers, "DNS servers refuse queries. \(works)",
            report(
                .noInternet(.dnsRefused), both(failed(.nameServerRefused, .resolve)),
                beside(below(.answers, inside: .refuses, numbers: .answers)))),
        Row(
            "a proxy in a dead tunnel", .limited, .tunnel,
            "Nothing comes back through the tunnel tun0, which leads to the proxy http://10.8.0.1:3128: check the VPN.",
            proxied(silence)),
        Row(
            "a proxy in a tunnel that refuses", .limited, .proxy,
            "The proxy http://10.8.0.1:3128 refuses connections. Ask its operator, or check its address.",
            proxied(failed(.refused, .connect))),
    ]

    /// The name server of the router, which is reached without the tunnel.
    private static func besideNames(_ outcome: InternetCheck.NameServerAnswer.Outcome) -> Hops {
        var hops = below(.answers, inside: outcome)
        hops.nameServers[0].tunnel = nil
        return hops
    }

    /// The same hops of a machine that sends some packets into the tunnel only.
    private static func beside(_ hops: Hops) -> Hops {
        var hops = hops
        hops.tunnel = nil
        for index in hops.routers.indices { hops.routers[index].egress = .path }
        return hops
    }

    private static func proxied(_ outcome: Evidence.Outcome) -> InternetCheck.Report {
        var report = report(.noInternet(.timedOut), both(outcome), hops())
        report.hops?.proxyTunnel = "tun0"
        for index in report.endpoints.indices { report.endpoints[index].proxy = "http://10.8.0.1:3128" }
        return report
    }

    private static let unanswered = Evidence.Outcome.failed(
        NameServerFault(.answering, [NetworkAddress(203, 0, 113, 53)]).error)
    private static let lossy = "Most packets are lost: check the cable or the Wi-Fi, or call the provider."

    private static let loss: [Row] = [
        Row(
            "names of which most packets are lost", .limited, nil, lossy,
            report(.noInternet(.nameResolution), both(unanswered), hops(far: .answers, numbers: .answers, loss: 0.6))),
        Row(
            "connections of which many packets are lost", .limited, nil,
            "About 40 % of packets are lost: check the cable or the Wi-Fi, or call the provider.",
            report(.noInternet(.timedOut), both(silence), hops(numbers: .answers, loss: 0.4))),
        Row(
            "HTTPS of which most packets are lost", .limited, nil, lossy,
            report(
                .partial, evidence(plain: .passed, secure: failed(.timedOut, .tls)), hops(numbers: .answers, loss: 0.7))
        ),
        Row(
            "a loss that explains no silence", .limited, .filter, "Connections are not answered. \(ask)",
            report(.noInternet(.timedOut), both(silence), hops(numbers: .answers, loss: 0.1))),
        Row(
            "a loss beside refusals", .limited, .filter, "Connections are refused. \(ask)",
            report(.noInternet(.refused), both(failed(.refused, .connect)), hops(numbers: .answers, loss: 0.6))),
        Row(
            "a loss, and a check that ended early", .unverified, nil,
            "No answer within 2.8 s: most packets are lost.",
            report(.inconclusive, both(silence), hops(numbers: .answers, loss: 0.6))),
    ]

    private static let uplink: [Row] = [
        Row(
            "a router that is gone", .noInternet, .router,
            "The router (192.0.2.1) does not answer: is it on, and is this the right network?",
            report(.noInternet(.dnsSilent), both(nameless), hops(router: .silent, near: .silent, numbers: .silent))),
        Row(
            "a router that is gone, within two seconds", .noInternet, .router,
            "The router (192.0.2.1) does not answer: is it on, and is this the right network?",
            report(.noInternet(.timedOut), both(silence), hops(router: .silent))),
        Row(
            "a silent router that forwards", .limited, .nameServers, "DNS servers do not answer (192.0.2.1). \(works)",
            report(.noInternet(.dnsSilent), both(nameless), hops(router: .silent, numbers: .answers))),
        Row(
            "a dead uplink", .noInternet, .provider, provider,
            report(.noInternet(.timedOut), both(silence), hops(near: .answers, numbers: .silent))),
        Row(
            "a dead uplink, and names from beyond it", .noInternet, .provider, provider,
            report(.noInternet(.dnsSilent), both(nameless), hops(far: .silent, numbers: .silent))),
        Row(
            "a dead uplink behind a forwarder that fails", .noInternet, .provider, provider,
            report(
                .noInternet(.nameResolution), both(failed(.nameServerFailure, .resolve)),
                hops(near: .fails, numbers: .silent))),
        Row(
            "a dead uplink behind a forwarder that knows no name", .noInternet, .provider, provider,
            report(
                .noInternet(.hostNotFound), both(failed(.hostNotFound, .resolve)),
                hops(near: .answers, numbers: .silent))
        ),
        Row(
            "a router without a route", .noInternet, .provider,
            "A router (192.0.2.1) reports that it has no route to the Internet: check its uplink, or call the provider.",
            report(
                .noInternet(.unreachable), both(failed(.unreachable, .connect)),
                hops(report: RouterReport(.noRoute, by: near), numbers: .unreachable))),
        Row(
            "a router that may be alive or dead", .noInternet, nil,
            "Neither the router nor anything beyond it answers: check the router and its uplink.",
            report(.noInternet(.timedOut), both(silence), hops(router: .unclear, numbers: .silent))),
        Row(
            "a link without a router", .noInternet, .provider,
            "Nothing beyond this machine's own link answers: check the router and its uplink, or call the provider.",
            report(.noInternet(.timedOut), both(silence), hops(router: nil, numbers: .silent))),
    ]

    private static let names: [Row] = [
        Row(
            "silent names, and a working uplink", .limited, .nameServers,
            "DNS servers do not answer (192.0.2.1). \(works)",
            report(.noInternet(.dnsSilent), both(nameless), hops(near: .silent, numbers: .answers))),
        Row(
            "silent names, and nothing else was asked", .limited, .nameServers,
            "DNS servers do not answer (192.0.2.1).",
            report(.noInternet(.dnsSilent), both(nameless), hops(near: .silent))),
        Row(
            "names that come too late", .limited, .nameServers, "DNS servers answer too late (192.0.2.1). \(works)",
            report(.noInternet(.dnsSilent), both(late), hops(near: .answers, numbers: .answers))),
        Row(
            "a distant server that fails proves the uplink", .limited, .nameServers,
            "DNS servers answer with an error (203.0.113.53).",
            report(
                .noInternet(.nameResolution),
                both(.failed(NameServerFault(.failing, [NetworkAddress(203, 0, 113, 53)]).error)),
                hops(far: .fails, numbers: .silent))),
        Row(
            "all names lead to one address", .limited, .nameServers,
            "DNS answers lead all names to 198.51.100.7: something is forging them. \(works)",
            report(
                .noInternet(.hijackedNames), both(failed(.refused, .connect)), hops(near: .answers, numbers: .answers))
        ),
    ]

    private static let beyond: [Row] = [
        Row(
            "connections that this machine rejects", .limited, .machine,
            "This machine rejects its own connections: check its firewall and its routing rules.",
            report(.noInternet(.unreachable), both(failed(.unreachable, .connect)), hops(numbers: .notSent))),
        Row(
            "HTTPS that this machine rejects", .limited, .machine,
            "HTTPS does not pass, because this machine rejects it: check its firewall and its routing rules.",
            report(
                .partial, evidence(plain: .passed, secure: failed(.unreachable, .connect)), hops(numbers: .notSent))),
        Row(
            "a fast answer beside silence", .unverified, nil,
            "No answer within 2.8 s: this connection is slow, or does not work.",
            report(
                .inconclusive,
                evidence(
                    plain: .passed, secure: silence, .init(connect: .milliseconds(10), total: .milliseconds(20))))),
        Row(
            "only web servers are silent", .limited, .filter, "Connections are not answered. \(ask)",
            report(.noInternet(.timedOut), both(silence), hops(far: .answers, numbers: .answers))),
        Row(
            "refused", .limited, .filter, "Connections are refused. \(ask)",
            report(.noInternet(.refused), both(failed(.refused, .connect)), hops(numbers: .silent))),
        Row(
            "accepted in silence", .limited, .filter, "Connections are accepted, but no answer arrives. \(ask)",
            report(.noInternet(.timedOut), both(failed(.timedOut, .headers)), hops())),
        Row(
            "HTTPS is silent", .limited, .filter, "HTTPS does not pass: secure connections are not answered. \(ask)",
            report(.partial, evidence(plain: .passed, secure: failed(.timedOut, .tls)), hops())),
        Row(
            "a wrong clock", .limited, .machine,
            "HTTPS does not pass: certificates are not valid at this machine's time: check its clock.",
            report(.partial, evidence(plain: .passed, secure: failed(.invalidCertificate, .tls)))),
        Row(
            "something answers all operators' plain requests, and drops HTTPS", .limited, .filter,
            "Servers answer with an error (status 503). \(ask)",
            report(
                .noInternet(.unexpectedAnswers),
                evidence(plain: failed(.unexpectedAnswer, .judge), secure: silence).map { evidence in
                    var evidence = evidence
                    evidence.status = evidence.isSecure ? nil : 503
                    return evidence
                }, hops())),
        Row(
            "names without an address of the only IP version", .limited, .nameServers,
            "Names have IPv6 addresses only, but this network has IPv4 only. \(works)",
            report(
                .noInternet(.unreachable),
                evidence(
                    plain: failed(.unreachable, .connect), secure: failed(.unreachable, .connect), at: "2001:db8::7"),
                hops(numbers: .answers))),
        Row("verified", .online, nil, nil, report(.verified, both(.passed), hops(router: .silent, near: .silent))),
    ]

    private static let oneOperator: [Row] = [
        Row(
            "one operator alone is silent", .limited, .endpoints,
            "Nothing answers. Only alpha.example was queried, so the fault may be there.",
            report(.noInternet(.timedOut), one(silence), hops())),
        Row(
            "one operator and the public addresses are silent", .noInternet, .provider, provider,
            report(.noInternet(.timedOut), one(silence), hops(numbers: .silent))),
        Row(
            "two operators of one's own are no witnesses", .limited, .endpoints, "Nothing answers.",
            report(.noInternet(.timedOut), both(silence), hops())),
        Row(
            "two of the default operators are", .noInternet, .provider, provider,
            report(.noInternet(.timedOut), defaults(silence), hops())),
        Row("a verdict without evidence", .limited, nil, "Nothing answers.", report(.noInternet(.timedOut), [])),
    ]

    private static let patience: [Row] = [
        Row(
            "silence that was too short", .unverified, nil,
            "No answer within 2.8 s: this connection is slow, or does not work.",
            report(.inconclusive, both(silence), hops(numbers: .silent))),
        Row(
            "a name server is dead, and names need longer", .unverified, nil,
            "No answer within 2.8 s: the DNS server 203.0.113.53 does not answer, which delays each name.",
            report(.inconclusive, both(failed(.timedOut, .resolve)), hops(near: .answers, far: .silent))),
        Row(
            "plain answers took eight seconds", .unverified, nil, "This connection is very slow: answers take 8 s.",
            report(.inconclusive, evidence(plain: .passed, secure: failed(.timedOut, .tls)), hops())),
        Row(
            "nothing could be queried", .unverified, nil, "Whether this is the Internet could not be determined.",
            report(.inconclusive, both(failed(.tlsUnavailable, .tls)))),
    ]

    @Test(arguments: rows) func `state, fault and sentence follow from the evidence`(row: Row) {
        let path = NetworkPath(status: .satisfied)
        let state = ConnectivityState(path, checkedBy: row.report)
        let conclusion = Conclusion(asserting: state, Facts(path, row.report))
        #expect(state == row.state)
        #expect(conclusion.fault == row.fault)
        #expect(conclusion.reason == row.reason)
        #expect(row.report.reason == row.reason && row.report.fault == row.fault)
    }

    @Test func `without a path this machine is at fault, and a hidden network has none`() {
        for status in [PathStatus.unsatisfied, .requiresConnection] {
            let path = NetworkPath(status: status)
            #expect(Conclusion(path).fault == .machine)
        }
        let hidden = NetworkPath(status: .unsatisfied, limitation: .unavailable("hidden"))
        let conclusion = Conclusion(hidden)
        #expect(conclusion.fault == nil && conclusion.reason == "hidden")
    }

    // MARK: Remarks

    private static func online(resolve: Duration, total: Duration, _ hops: Hops? = nil) -> InternetCheck.Report {
        report(.verified, evidence(plain: .passed, secure: .passed, .init(resolve: resolve, total: total)), hops)
    }

    static let remarks: [(InternetCheck.Report, String?)] = [
        (online(resolve: .milliseconds(5), total: .milliseconds(40)), nil),
        (
            online(resolve: .milliseconds(1010), total: .milliseconds(1050), hops(near: .answers, far: .silent)),
            "The DNS server 203.0.113.53 does not answer, which delays each name by about 1 s."
        ),
        (
            online(resolve: .milliseconds(5), total: .milliseconds(40), hops(near: .answers, far: .silent)),
            "The DNS server 203.0.113.53 does not answer."
        ),
        (
            online(resolve: .milliseconds(2500), total: .milliseconds(2600)),
            "Names take 2.5 s."
        ),
        (
            online(resolve: .seconds(2), total: .milliseconds(8100)),
            "This connection is very slow: answers take 8 s."
        ),
    ]

    @Test(arguments: remarks.indices) func `what works badly is a remark, with the server or the duration`(index: Int) {
        let (report, sentence) = Self.remarks[index]
        #expect(report.remarks.map(\.description) == (sentence.map { [$0] } ?? []))
        #expect(report.fault == nil && report.reason == nil)
    }

    // MARK: Patience

    @Test func `silence proves something only if an answer should have come by then`() {
        func isPremature(
            _ verdict: InternetCheck.Verdict, _ outcome: Evidence.Outcome, connect: Duration? = nil, total: Duration,
            _ hops: Hops, plain: Evidence.Outcome? = nil
        ) -> Bool {
            let durations = Evidence.Durations(resolve: .milliseconds(10), connect: connect, total: total)
            var endpoints = Self.evidence(plain: plain ?? outcome, secure: outcome, durations)
            for index in endpoints.indices where endpoints[index].passed {
                endpoints[index].durations.total = (connect ?? .zero) * 2
            }
            var report = Self.report(verdict, endpoints, hops)
            report.limit = .seconds(10)
            return Facts(report).isPremature
        }
        let silence = Self.silence
        let unread = Self.failed(.timedOut, .tls)
        #expect(isPremature(.noInternet(.timedOut), silence, total: .milliseconds(2800), Self.hops(numbers: .silent)))
        #expect(!isPremature(.noInternet(.timedOut), silence, total: .seconds(9), Self.hops(numbers: .silent)))
        // Others have answered in a hundredth of that time, and no packets are lost.
        let others = Self.hops(numbers: .answers, loss: 0)
        #expect(!isPremature(.noInternet(.timedOut), silence, total: .milliseconds(2800), others))
        // The loss could not be measured in this time.
        #expect(isPremature(.noInternet(.timedOut), silence, total: .milliseconds(2800), Self.hops(numbers: .answers)))
        // The link address of the router is not answered either.
        #expect(!isPremature(.noInternet(.timedOut), silence, total: .seconds(2), Self.hops(router: .silent)))
        // The handshake would need longer than the connection, which took a second.
        #expect(isPremature(.partial, unread, connect: .seconds(1), total: .seconds(4), Self.hops(), plain: .passed))
        #expect(
            !isPremature(
                .partial, unread, connect: .milliseconds(20), total: .seconds(5), Self.hops(), plain: .passed))
        // With a round trip of a second, the handshake has a window of one packet at first.
        #expect(isPremature(.partial, unread, connect: .seconds(1), total: .seconds(8), Self.hops(), plain: .passed))
        #expect(!isPremature(.partial, unread, connect: .seconds(1), total: .seconds(10), Self.hops(), plain: .passed))
        // A server gave up on a handshake that took three round trips; what filters connections ends it within one.
        let ended = Self.failed(.connectionLost, .tls)
        #expect(isPremature(.partial, ended, connect: .seconds(2), total: .seconds(8), Self.hops(), plain: .passed))
        #expect(!isPremature(.partial, ended, connect: .seconds(2), total: .seconds(5), Self.hops(), plain: .passed))
        #expect(
            !isPremature(
                .partial, ended, connect: .milliseconds(20), total: .seconds(5), Self.hops(), plain: .passed))
        // A round trip of four seconds.
        #expect(
            isPremature(
                .noInternet(.timedOut), silence, total: .seconds(5),
                Self.hops(numbers: .answers, after: .seconds(4))))
        // An error is an answer.
        let refused = Self.failed(.refused, .connect)
        #expect(!isPremature(.noInternet(.refused), refused, total: .milliseconds(5), Self.hops()))
        #expect(!isPremature(.verified, .passed, total: .milliseconds(40), Self.hops()))
    }

    @Test func `a verdict that a program sets counts, whatever the answers were`() {
        let durations = Evidence.Durations(resolve: .milliseconds(10), total: .milliseconds(2800))
        let endpoints = Self.evidence(plain: Self.silence, secure: Self.silence, durations)
        var report = Self.report(.noInternet(.timedOut), endpoints, Self.hops(numbers: .silent))
        report.limit = .seconds(10)
        report.judgeSilence()
        #expect(report.verdict == .inconclusive && report.answers == .noInternet(.timedOut))
        report.verdict = .verified
        #expect(Conclusion(Facts(report)).state == .online)
    }
}

extension ConclusionTests {
    /// Whether names may not be resolved because packets are lost.
    static let openRows: [(hops: Hops, duration: Duration, isOpen: Bool)] = [
        (hops(far: .answers, numbers: .silent), .seconds(9), true),
        (hops(far: .answers, numbers: .answers), .milliseconds(2800), true),
        (hops(far: .silent, numbers: .answers), .milliseconds(2800), true),
        (hops(far: .answers, numbers: .answers), .seconds(5), false),
        (hops(far: .answers, numbers: .answers, loss: 0), .milliseconds(2800), false),
        (hops(far: .answers, numbers: .answers, loss: 0.6), .milliseconds(2800), false),
        (hops(far: .answers, numbers: .answers), .milliseconds(600), false),
        (hops(far: .fails, numbers: .silent), .seconds(9), false),
        (hops(far: .silent, numbers: .silent), .seconds(9), false),
        (hops(near: .answers, numbers: .silent), .seconds(9), false),
        (hops(far: .answers), .seconds(9), false),
        // Some queries are lost, others not.
        (hops(far: .answers, numbers: .answers, loss: 0.3), .seconds(9), true),
        (hops(far: .answers, numbers: .answers, loss: 0.05), .seconds(9), false),
        (hops(far: .silent, numbers: .answers, loss: 0.3), .seconds(9), false),
    ]

    @Test(arguments: openRows.indices) func `names are not blamed while packets may be lost`(index: Int) {
        let row = Self.openRows[index]
        var report = Self.report(.noInternet(.nameResolution), Self.both(Self.unanswered), row.hops)
        (report.duration, report.limit) = (row.duration, .seconds(10))
        #expect(Facts(report).isLossOpen == row.isOpen)
        #expect(Facts(report).isPremature == row.isOpen)
    }

    @Test func `name servers are not blamed for lost packets while some names are resolved`() {
        var report = Self.report(
            .noInternet(.nameResolution), Self.both(Self.unanswered),
            Self.hops(far: .silent, numbers: .answers, loss: 0.3))
        (report.duration, report.limit) = (.seconds(9), .seconds(10))
        #expect(!Facts(report).isPremature && report.fault == .nameServers)
        report.endpoints.append(
            Evidence(
                url: "http://www.gamma.example/", operatorName: "gamma.example", .passed, status: 204,
                durations: .init(resolve: .milliseconds(40), total: .seconds(1))))
        #expect(Facts(report).isPremature)
        #expect(report.reason == "No answer within 9 s: about 30 % of packets are lost.")
    }

    @Test func `connections that something accepts in the place of hosts prove nothing`() {
        let accepted = Self.both(Self.failed(.timedOut, .tls))
        func report(_ hops: Hops) -> InternetCheck.Report { Self.report(.noInternet(.timedOut), accepted, hops) }
        let box = report(Self.hops(near: .answers, numbers: .accepts, loss: 0))
        #expect(box.fault == .provider && Facts(box).isSilentBeyond && box.reason == GeneralReason.provider)
        #expect(report(Self.hops(near: .answers, numbers: .answers, loss: 0)).fault == .filter)
        // What answers queries for names is beyond the router.
        #expect(report(Self.hops(far: .answers, numbers: .accepts, loss: 0)).fault == .filter)
    }
}

/// When a check asks the hops, and how long it waits for them.
struct HopCollectionTests {
    private static let failing = VerdictReducer.Decision.verdict(.noInternet(.timedOut))

    @Test func `a check that passes asks nothing`() {
        var hops = HopCollection(.ifNeeded, within: .seconds(10))
        #expect(hops.dueKinds(.pending, at: .zero).isEmpty)
        #expect(hops.dueKinds(.wait(until: .seconds(3)), at: .seconds(2)).isEmpty)
        #expect(hops.dueKinds(.verdict(.verified), at: .seconds(3)).isEmpty)
        #expect(hops.isOver(.verdict(.verified), at: .seconds(3)))
        #expect(hops.result(at: .seconds(3)) == nil)
    }

    @Test func `a failure that the check does not outweigh soon asks all hops, and so does a second without a quorum`()
    {
        var failing = HopCollection(.ifNeeded, within: .seconds(10))
        failing.noteFailure(at: .milliseconds(20))
        #expect(failing.dueKinds(.pending, at: .milliseconds(20)).isEmpty)
        #expect(failing.nextTime(.pending, at: .milliseconds(20)) == .milliseconds(120))
        #expect(failing.dueKinds(.pending, at: .milliseconds(120)) == [.routers, .nameServers, .publicAddresses])
        #expect(failing.dueKinds(.pending, at: .seconds(2)).isEmpty)
        var silent = HopCollection(.ifNeeded, within: .seconds(10))
        #expect(silent.nextTime(.pending, at: .zero) == .seconds(1))
        #expect(silent.dueKinds(.pending, at: .seconds(1)).count == 3)
    }

    @Test func `the answer waits for the hops for a second at most, and never beyond the check's limit`() {
        var hops = HopCollection(.ifNeeded, within: .milliseconds(1500))
        #expect(hops.dueKinds(Self.failing, at: .milliseconds(10)).count == 3)
        #expect(!hops.isOver(Self.failing, at: .milliseconds(10)))
        #expect(hops.nextTime(Self.failing, at: .milliseconds(20)) == .milliseconds(1000))
        #expect(hops.isOver(Self.failing, at: .milliseconds(1010)))
        hops = HopCollection(.ifNeeded, within: .milliseconds(1500))
        _ = hops.dueKinds(Self.failing, at: .milliseconds(800))
        #expect(hops.isOver(Self.failing, at: .milliseconds(1500)))
        hops.add(.routers([]))
        hops.add(.nameServers([]))
        #expect(!hops.isOver(Self.failing, at: .seconds(1)))
        hops.add(.publicAddresses([]))
        #expect(hops.isOver(Self.failing, at: .seconds(1)))
    }

    @Test func `addresses that have not answered when the check ends are silent, if they had a second`() {
        var hops = HopCollection(.ifNeeded, within: .seconds(10))
        _ = hops.dueKinds(.pending, at: .seconds(1))
        hops.publicAddresses = [NetworkAddress(9, 9, 9, 9)]
        #expect(hops.result(at: .milliseconds(1500))?.publicAddresses == [])
        #expect(hops.result(at: .seconds(3))?.publicAddresses.map(\.outcome) == [.silent])
    }

    @Test func `a diagnosis asks the routers and name servers at once, and a check of one operator asks nothing`() {
        var doctor = HopCollection(.always, within: .seconds(10))
        #expect(doctor.dueKinds(.pending, at: .zero) == [.routers, .nameServers])
        #expect(!doctor.isOver(.verdict(.verified), at: .milliseconds(40)))
        var one = HopCollection(.never, within: .seconds(10))
        #expect(one.dueKinds(Self.failing, at: .seconds(9)).isEmpty && one.isOver(Self.failing, at: .seconds(9)))
    }

    @Test func `the loss is measured once, if the check fails after a second and has the time`() {
        var hops = HopCollection(.ifNeeded, within: .seconds(10))
        #expect(!hops.mayMeasureLoss(Self.failing, at: .milliseconds(1200)))
        #expect(hops.nextTime(.pending, at: .milliseconds(1200)) == .milliseconds(1300))
        #expect(!hops.mayMeasureLoss(.verdict(.verified), at: .seconds(2)))
        #expect(!hops.mayMeasureLoss(Self.failing, at: .milliseconds(9100)))
        #expect(hops.mayMeasureLoss(.pending, at: .milliseconds(1300)))
        hops.begin([.loss], at: .milliseconds(1300))
        #expect(!hops.mayMeasureLoss(.pending, at: .seconds(2)))
        #expect(hops.isOver(.verdict(.verified), at: .milliseconds(1400)))
        #expect(!hops.isOver(Self.failing, at: .milliseconds(2500)))
        hops.add(.loss(.init()))
        #expect(hops.isOver(Self.failing, at: .milliseconds(2500)))
    }

    @Test func `while names fail, the check waits longer for a public address, which alone shows an uplink`() {
        let names = VerdictReducer.Decision.verdict(.noInternet(.dnsRefused))
        var hops = HopCollection(.ifNeeded, within: .seconds(10))
        #expect(hops.dueKinds(names, at: .milliseconds(100)).count == 3)
        hops.add(.routers([]))
        hops.add(.nameServers([]))
        #expect(!hops.isOver(names, at: .milliseconds(2500)))
        #expect(hops.isOver(names, at: .milliseconds(2600)))
    }

    @Test func `while names fail although a server answers, the check waits for a public address`() {
        let names = VerdictReducer.Decision.verdict(.noInternet(.nameResolution))
        var hops = HopCollection(.ifNeeded, within: .seconds(10))
        _ = hops.dueKinds(.pending, at: .seconds(1))
        hops.add(.routers([]))
        hops.add(.nameServers([.init(NetworkAddress(203, 0, 113, 53), .answers, isNearby: false)]))
        #expect(!hops.isOver(names, at: .seconds(5)))
        #expect(hops.isOver(Self.failing, at: .seconds(5)))
        hops.add(.publicAddresses([]))
        #expect(hops.isOver(names, at: .seconds(5)))
    }

    @Test func `a check that passes waits for a family that may be dead, and asks no other hops`() {
        var hops = HopCollection(.ifNeeded, within: .seconds(10))
        hops.begin([.family], at: .milliseconds(300))
        #expect(!hops.mayTryFamily)
        #expect(!hops.isOver(.verdict(.verified), at: .seconds(1)))
        hops.add(.family([]))
        #expect(hops.isOver(.verdict(.verified), at: .seconds(1)))
        #expect(hops.result(at: .seconds(1)) == nil)
    }
}
