// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// Conclusions from evidence that no network in memory gives, and what silence proves.
///
/// All other conclusions are those of stored cases.
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
        router outcome: InternetCheck.RouterAnswer.Outcome = .answers, report: RouterReport? = nil,
        near: InternetCheck.NameServerAnswer.Outcome? = nil, far: InternetCheck.NameServerAnswer.Outcome? = nil,
        numbers: InternetCheck.AddressAnswer.Outcome? = nil, after duration: Duration = .milliseconds(20),
        loss: Double? = nil, lossAtMost: PacketLoss? = nil
    ) -> Hops {
        var hops = Hops(
            routers: [.init(router, outcome, report: report)],
            nameServers: (near.map { [.init(Self.near, $0, isNearby: true)] } ?? [])
                + (far.map { [.init(Self.far, $0, isNearby: false)] } ?? []),
            publicAddresses: numbers.map { [.init(NetworkAddress(9, 9, 9, 9), $0, after: duration)] } ?? [])
        (hops.loss, hops.lossAtMost) = (loss.map { PacketLoss(share: $0) }, lossAtMost)
        return hops
    }

    /// Two endpoints of each of two operators that end in the same way.
    private static func evidence(
        plain: Evidence.Outcome, secure: Evidence.Outcome, _ durations: Evidence.Durations = .init(total: .seconds(8))
    ) -> [Evidence] {
        ["alpha.example", "beta.example"].flatMap { (name: String) in
            [("http", plain), ("https", secure)].map { scheme, outcome in
                Evidence(
                    url: "\(scheme)://www.\(name)/", operatorName: name, outcome,
                    status: outcome == .passed ? 204 : nil, address: NetworkAddress(198, 51, 100, 7),
                    durations: durations)
            }
        }
    }

    private static func failed(_ code: ProbeError.Code, _ step: ProbeError.Step) -> Evidence.Outcome {
        .failed(ProbeError(code, during: step))
    }

    private static func both(_ outcome: Evidence.Outcome) -> [Evidence] { evidence(plain: outcome, secure: outcome) }

    private static func report(
        _ verdict: InternetCheck.Verdict, _ endpoints: [Evidence], _ hops: Hops? = nil
    ) -> InternetCheck.Report {
        .init(
            verdict: verdict, checkedAt: .distantPast, duration: .milliseconds(2800), endpoints: endpoints, hops: hops)
    }

    private static let silence = failed(.timedOut, .connect)
    private static let unanswered = Evidence.Outcome.failed(
        NameServerFault(.answering, [NetworkAddress(203, 0, 113, 53)]).error)
    private static let nameless = Evidence.Outcome.failed(
        ProbeError(.nameServerSilent, during: .resolve, "DNS servers do not answer (192.0.2.1)"))
    private static let ask = "Ask the operator of this network."
    private static let rejection = "check its firewall and its routing rules."

    /// What is seen of a machine whose packets to the Internet enter a dead tunnel; a name server is reached without it.
    private static func besideTunnel(
        _ carrier: InternetCheck.RouterAnswer.Outcome, _ server: InternetCheck.NameServerAnswer.Outcome
    ) -> InternetCheck.Report {
        var hops = hops(router: carrier, far: server, numbers: .silent)
        hops.tunnel = "tun0"
        hops.routers[0].egress = .carrier
        return report(.noInternet(.timedOut), both(silence), hops)
    }

    static let rows: [Row] = [
        Row(
            "a dead tunnel, and a router that is hidden from this machine", .noInternet, .tunnel,
            "Nothing comes back through the tunnel tun0: check the VPN, or the connection that carries it.",
            besideTunnel(.unclear, .answers)),
        Row(
            "a dead tunnel, and a name server beside it that fails", .noInternet, .tunnel,
            "Nothing comes back through the tunnel tun0, although the router (192.0.2.1) answers: check the VPN, or whether the Internet works without it.",
            besideTunnel(.answers, .fails)),
        Row(
            "a router that is gone, within two seconds", .noInternet, .router,
            "The router (192.0.2.1) does not answer: is it on, and is this the right network?",
            report(.noInternet(.timedOut), both(silence), hops(router: .silent))),
        Row(
            "a silent router that forwards", .limited, .nameServers,
            "DNS servers do not answer (192.0.2.1). The connection itself works: the Internet answers without names.",
            report(.noInternet(.dnsSilent), both(nameless), hops(router: .silent, numbers: .answers))),
        Row(
            "a router without a route", .noInternet, .provider,
            "A router (192.0.2.1) reports that it has no route to the Internet: check its uplink, or call the provider.",
            report(
                .noInternet(.unreachable), both(failed(.unreachable, .connect)),
                hops(report: RouterReport(.noRoute, by: near), numbers: .unreachable))),
        Row(
            "connections that this machine rejects", .limited, .machine,
            "This machine rejects its own connections: \(rejection)",
            report(.noInternet(.unreachable), both(failed(.unreachable, .connect)), hops(numbers: .notSent))),
        Row(
            "HTTPS that this machine rejects", .limited, .machine,
            "HTTPS does not pass, because this machine rejects it: \(rejection)",
            report(
                .partial, evidence(plain: .passed, secure: failed(.unreachable, .connect)), hops(numbers: .notSent))),
        Row(
            "HTTPS that answers without a status", .limited, .filter,
            "HTTPS servers answer, but not as expected. \(ask)",
            report(.partial, evidence(plain: .passed, secure: failed(.unexpectedAnswer, .headers)))),
        Row("a verdict without evidence", .limited, nil, "Nothing answers.", report(.noInternet(.timedOut), [])),
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

    @Test func `a name server that is silent without a delay is a remark`() {
        let durations = Evidence.Durations(resolve: .milliseconds(5), total: .milliseconds(40))
        let endpoints = Self.evidence(plain: .passed, secure: .passed, durations)
        let report = Self.report(.verified, endpoints, Self.hops(near: .answers, far: .silent))
        #expect(report.remarks.map(\.description) == ["The DNS server 203.0.113.53 does not answer."])
        #expect(report.fault == nil && report.reason == nil)
    }

    @Test func `what is not needed for the verdict is not counted`() {
        let endpoints = Self.evidence(plain: .passed, secure: Self.failed(.abandoned, .headers))
        #expect(Self.report(.verified, endpoints).queriedEndpoints.count == 2)
        #expect(Self.report(.noInternet(.timedOut), Self.both(Self.silence)).queriedEndpoints.count == 4)
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
        // Too few packets were answered to measure the loss.
        (hops(far: .answers, numbers: .answers, lossAtMost: few), .seconds(9), true),
        (hops(near: .answers, numbers: .answers, lossAtMost: few), .seconds(9), true),
        (hops(far: .silent, numbers: .answers, lossAtMost: few), .seconds(9), true),
        (hops(near: .fails, numbers: .answers, lossAtMost: few), .seconds(9), false),
        // A third of the packets may be lost, but not all queries.
        (hops(far: .silent, numbers: .answers, lossAtMost: PacketLoss(21, of: 32)), .seconds(9), false),
        // All were answered, but late.
        (hops(far: .silent, numbers: .answers, lossAtMost: PacketLoss(32, of: 32)), .seconds(9), false),
        // The first packet was not answered, and the time was too short to measure more.
        (hops(far: .silent, numbers: .answers, after: .milliseconds(3020)), .seconds(9), true),
        // Something accepts connections in the place of public addresses, and loses nothing.
        (hops(far: .answers, numbers: .accepts, loss: 0), .seconds(9), true),
        (hops(far: .silent, numbers: .accepts, loss: 0), .seconds(9), false),
    ]

    private static var few: PacketLoss { PacketLoss(2, of: 26) }

    @Test(arguments: openRows.indices) func `names are not blamed while packets may be lost`(index: Int) {
        let row = Self.openRows[index]
        let endpoints = Self.evidence(
            plain: Self.unanswered, secure: Self.unanswered, .init(total: min(row.duration, .seconds(8))))
        var report = Self.report(.noInternet(.nameResolution), endpoints, row.hops)
        (report.duration, report.limit) = (row.duration, .seconds(10))
        #expect(Facts(report).isLossOpen == row.isOpen)
        #expect(Facts(report).isPremature == row.isOpen)
    }

    @Test func `where the loss cannot be measured, the sentence says so, and nothing is blamed`() {
        for (reason, failure) in [
            (InternetCheck.NoInternetReason.nameResolution, Self.unanswered), (.timedOut, Self.silence),
        ] {
            var report = Self.report(
                .noInternet(reason), Self.both(failure),
                Self.hops(far: .silent, numbers: .answers, lossAtMost: Self.few))
            (report.duration, report.limit) = (.seconds(9), .seconds(10))
            #expect(report.fault == nil && report.cause == .late)
            #expect(
                report.reason
                    == "No answer within 9 s: only 8 % of connections to a public address are accepted in time, so packets are lost, or late."
            )
        }
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
        #expect(report.reason == "No answer within 9 s: about 34 to 68 % of packets or their answers are lost.")
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min)])
    func `absurd durations of a program's checker do not trap`(duration: Duration) {
        let endpoints = [
            Evidence(url: "http://a.test/", .passed, durations: .init(resolve: duration, total: duration)),
            Evidence(url: "https://a.test/", .failed(ProbeError(.timedOut, during: .headers))),
        ]
        for verdict in [InternetCheck.Verdict.verified, .noInternet(.timedOut), .inconclusive] {
            let report = InternetCheck.Report(
                verdict: verdict, checkedAt: .sample, duration: duration, endpoints: endpoints)
            #expect(report.remarks.allSatisfy { !$0.description.isEmpty } && report.reason != "")
        }
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
        #expect(!hops.mayTry(.family))
        #expect(!hops.isOver(.verdict(.verified), at: .seconds(1)))
        hops.add(.family([]))
        #expect(hops.isOver(.verdict(.verified), at: .seconds(1)))
        #expect(hops.result(at: .seconds(1)) == nil)
    }
}
