// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

@testable import Dialtone

/// Reports of checks as random networks could give them: most endpoints have one outcome, and any hop may have any.
struct RandomReport {
    typealias Evidence = InternetCheck.Evidence

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    // MARK: Path

    mutating func path() -> NetworkPath {
        let link = NetworkPath.Interface(name: "eth0", index: 2, type: pick([.wiredEthernet, .wifi, .other]))
        let gateways = chance(60) ? [NetworkPath.Gateway(NetworkAddress(192, 0, 2, 1), interface: "eth0")] : []
        if chance(70) {
            return NetworkPath(
                status: .satisfied, interfaces: chance(80) ? [link] : [], supportsIPv4: true, gateways: gateways)
        }
        if chance(20) { return NetworkPath(status: .unsatisfied, limitation: .unavailable("The network is hidden.")) }
        var diagnosis: PathDiagnosis?
        if chance(80) {
            diagnosis = PathDiagnosis(pick(PathDiagnosis.Reason.allCases), interface: chance(70) ? link : nil)
            if chance(20) { diagnosis?.borrowedAddress = NetworkAddress(172, 17, 0, 1) }
        }
        return NetworkPath(status: chance(70) ? .unsatisfied : .requiresConnection, diagnosis: diagnosis)
    }

    // MARK: Report

    mutating func report() -> InternetCheck.Report {
        let operators = Array(["Alpha", "Beta", "Gamma"].prefix(pick([1, 2, 3, 3])))
        let isUniform = chance(40)
        let plain = outcome(isSecure: false)
        let secure = isUniform && chance(50) ? plain : outcome(isSecure: true)
        let proxy = chance(15) ? "http://proxy.example:3128" : nil
        let address = chance(30) ? self.address() : nil
        var endpoints: [Evidence] = []
        let isDefault = chance(50)
        for (index, name) in operators.enumerated() {
            for (isSecure, usual) in [(false, plain), (true, secure)] {
                let known = [InternetCheck.Endpoint].defaults.filter { $0.url.hasPrefix("https") == isSecure }[index]
                var evidence = Evidence(
                    url: isDefault ? known.url : "\(isSecure ? "https" : "http")://www.\(name.lowercased()).example/",
                    operatorName: name, isUniform || chance(80) ? usual : outcome(isSecure: isSecure))
                evidence.proxy = proxy
                evidence.address = chance(80) ? address ?? self.address() : nil
                complete(&evidence)
                endpoints.append(evidence)
            }
        }
        var report = InternetCheck.Report(
            verdict: verdict(endpoints), checkedAt: .distantPast,
            duration: pick([.milliseconds(500), .milliseconds(2800), .seconds(8)]),
            endpoints: endpoints, hops: chance(80) ? hops() : nil)
        if case .noInternet(.unreachable) = report.verdict, chance(30) {
            report.diagnosis = PathDiagnosis(pick(PathDiagnosis.Reason.allCases))
        }
        if report.verdict != .verified, chance(25) { report.verdict = .inconclusive }
        if chance(4) { endVersionOfNames(in: &report) }
        if chance(8) { enterTunnel(in: &report) }
        if chance(4) { replaceAddresses(in: &report) }
        if chance(4) { showOwnPage(in: &report) }
        if report.hops?.loss == nil, chance(10) { report.hops?.lossAtMost = PacketLoss(pick([0, 2, 20, 32]), of: 32) }
        return report
    }

    /// Lets all names lead to one private address, which has a page, and public addresses be silent.
    private mutating func showOwnPage(in report: inout InternetCheck.Report) {
        let page = URL(filePath: "/login")
        for index in report.endpoints.indices {
            report.endpoints[index].address = NetworkAddress(10, 0, 0, 1)
            report.endpoints[index].proxy = nil
            report.endpoints[index].outcome =
                report.endpoints[index].isSecure
                ? .failed(ProbeError(.hijackedName, during: .resolve)) : .portal(page)
        }
        report.hops = report.hops ?? .init()
        report.hops?.publicAddresses = [.init(NetworkAddress(9, 9, 9, 9), .silent, after: .milliseconds(1100))]
        report.verdict = .captivePortal(page)
        report.wasProven = chance(50)
        report.metOutage = report.wasProven
    }

    /// Lets packets enter a tunnel: all, those to the name servers, or those to a proxy.
    private mutating func enterTunnel(in report: inout InternetCheck.Report) {
        var hops = report.hops ?? .init()
        defer { report.hops = hops }
        let entering = pick([0, 1, 2])
        if entering == 0 {
            hops.tunnel = "tun0"
            for index in hops.routers.indices { hops.routers[index].egress = pick([.carrier, .carrier, .tunnel]) }
        }
        for index in hops.nameServers.indices where entering == 1 || chance(60) {
            hops.nameServers[index].tunnel = "tun0"
            if chance(70) { hops.nameServers[index].outcome = .silent }
        }
        if entering == 0, chance(30) {
            hops.nameServers = [
                .init(NetworkAddress(192, 0, 2, 1), pick([.answers, .fails, .refuses]), isNearby: true)
            ]
            hops.publicAddresses = [.init(NetworkAddress(9, 9, 9, 9), .silent, after: .milliseconds(1100))]
            for index in report.endpoints.indices {
                report.endpoints[index].outcome = .failed(ProbeError(.nameServerFailure, during: .resolve))
                report.endpoints[index].status = nil
            }
            report.verdict = .noInternet(.nameResolution)
        }
        guard entering == 2 else { return }
        hops.proxyTunnel = "tun0"
        for index in report.endpoints.indices {
            report.endpoints[index].proxy = "http://proxy.example:3128"
            report.endpoints[index].outcome = .failed(ProbeError(.timedOut, during: .connect))
        }
        report.verdict = .noInternet(.timedOut)
    }

    /// Lets all name servers be reached by IPv4, which is silent beyond the router or also before it.
    private mutating func endVersionOfNames(in report: inout InternetCheck.Report) {
        let silence = Duration.milliseconds(1100)
        var hops = report.hops ?? .init()
        hops.nameServers = [.init(NetworkAddress(203, 0, 113, 53), pick([.silent, .unreachable]), isNearby: false)]
        hops.publicAddresses = [.init(NetworkAddress("2620:fe::fe"), .answers, after: .milliseconds(20))]
        hops.loss = nil
        report.familyAnswers = [NetworkAddress(1, 1, 1, 1), NetworkAddress(9, 9, 9, 9)].map {
            .init($0, .silent, after: silence)
        }
        report.hops = hops
    }

    /// Lets names lead to a transparent proxy, through NAT64, or to the router, none of which leads to the hosts.
    private mutating func replaceAddresses(in report: inout InternetCheck.Report) {
        let kind = pick([0, 1, 2])
        let imposter = pick([NetworkAddress(10, 0, 0, 1), NetworkAddress(192, 0, 2, 1)])
        let (code, step) = pick([(ProbeError.Code.timedOut, ProbeError.Step.connect), (.connectionLost, .tls)])
        var hops = InternetCheck.Hops()
        hops.nameServers = [.init(NetworkAddress(192, 0, 2, 1), .answers, isNearby: true)]
        hops.publicAddresses = [
            .init(NetworkAddress(9, 9, 9, 9), pick([.answers, .accepts, .silent]), after: .milliseconds(30))
        ]
        for index in report.endpoints.indices {
            report.endpoints[index].proxy = nil
            report.endpoints[index].status = nil
            switch kind {
            case 0:
                report.endpoints[index].address = NetworkAddress(198, 18, 1, UInt8(index + 1))
                report.endpoints[index].outcome = .failed(ProbeError(code, during: step))
            case 1:
                let isTranslated = index > 0
                report.endpoints[index].address = isTranslated ? "64:ff9b::198.51.100.7" : "2001:db8::7"
                report.endpoints[index].outcome =
                    isTranslated ? .failed(ProbeError(.timedOut, during: .connect)) : .passed
            default:
                report.endpoints[index].address = imposter
                report.endpoints[index].outcome = .failed(ProbeError(.hijackedName, during: .resolve))
            }
        }
        report.hops = hops
        report.verdict = .noInternet([.timedOut, .timedOut, .hijackedNames][kind])
    }

    private mutating func complete(_ evidence: inout Evidence) {
        switch evidence.outcome {
        case .passed: evidence.status = 204
        case .portal: evidence.status = 302
        case .failed(let error):
            if [.unexpectedAnswer, .malformedResponse].contains(error.code) {
                evidence.status = pick([500, 503, 404])
            }
        }
        evidence.durations.total = pick([.milliseconds(40), .milliseconds(1200), .milliseconds(2700), .seconds(8)])
        if chance(50) { evidence.durations.resolve = pick([.milliseconds(5), .milliseconds(1100)]) }
        if chance(50) { evidence.durations.connect = pick([.milliseconds(20), .milliseconds(950)]) }
        if chance(20) {
            evidence.packets = SentPackets(answered: 4, repeated: pick([0, 3, 6]), recovered: pick([0, 2]))
        }
    }

    private mutating func verdict(_ endpoints: [Evidence]) -> InternetCheck.Verdict {
        if chance(10) {
            return pick(
                [.partial, .inconclusive, .verified] + InternetCheck.NoInternetReason.allCases.map { .noInternet($0) })
        }
        var reducer = VerdictReducer(
            endpoints.map { .init(isSecure: $0.isSecure, operatorName: $0.operatorName ?? "") }, quorum: .percent(50),
            decisionWindow: .seconds(1), requiresTLS: chance(10), fallback: nil)
        for (index, evidence) in endpoints.enumerated() { reducer.record(evidence, of: index, at: .seconds(1)) }
        return reducer.finalVerdict
    }

    private mutating func address() -> NetworkAddress {
        pick([NetworkAddress(198, 51, 100, 7), NetworkAddress(203, 0, 113, 9), NetworkAddress("2001:db8::7")])
    }

    private mutating func outcome(isSecure: Bool) -> Evidence.Outcome {
        if chance(15) { return .passed }
        if !isSecure, chance(5) { return .portal(URL(filePath: "/login")) }
        let errors: [(ProbeError.Code, ProbeError.Step, String)] = [
            (.hostNotFound, .resolve, ""),
            (.nameServerFailure, .resolve, "DNS servers answer with an error (192.0.2.1)"),
            (.nameServerFailure, .resolve, "Temporary failure"),
            (.nameServerRefused, .resolve, "DNS servers refuse (192.0.2.1)"),
            (.nameServerSilent, .resolve, "DNS servers do not answer (192.0.2.1)"),
            (.nameServerUnreachable, .resolve, "DNS servers cannot be reached (192.0.2.1)"),
            (.hijackedName, .resolve, ""), (.refused, .connect, ""), (.unreachable, .connect, ""),
            (.unreachable, .connect, ""),
            (.timedOut, .connect, ""),
            (.timedOut, .resolve, ""), (.timedOut, .tls, ""), (.timedOut, .headers, ""), (.timedOut, .judge, ""),
            (.connectionLost, .tls, ""), (.untrustedCertificate, .tls, ""), (.wrongCertificateName, .tls, ""),
            (.invalidCertificate, .tls, ""), (.tlsFailure, .tls, ""), (.malformedResponse, .headers, ""),
            (.unexpectedAnswer, .judge, ""), (.proxyFailure, .proxy, "status 403"), (.proxyFailure, .proxy, ""),
            (.proxyFailure, .proxy, ProbeError.proxy(answering: 407).message),
            (.tlsUnavailable, .tls, "no CA certificates"),
            (.notPermitted, .prepare, "A sandbox refuses sockets"), (.abandoned, .judge, ""),
            (.noResources, .prepare, "Too many open files"),
            (.unsupportedProxy, .prepare, "all_proxy is not an HTTP proxy"),
        ]
        let (code, step, message) = pick(errors)
        var error = ProbeError(code, during: step, message)
        if message == ProbeError.proxy(answering: 407).message { error.proxyStatus = 407 }
        if (code, message) == (errors[1].0, errors[1].2) { error.nameServers = [NetworkAddress(192, 0, 2, 1)] }
        return .failed(error)
    }

    private mutating func hops() -> InternetCheck.Hops {
        typealias Hops = InternetCheck.Hops
        var hops = Hops()
        let router = NetworkPath.Gateway(NetworkAddress(192, 0, 2, 1))
        let report = RouterReport(pick(RouterReport.Reason.allCases), by: NetworkAddress(192, 0, 2, 1))
        if chance(70) {
            hops.routers = [
                .init(router, pick(InternetCheck.RouterAnswer.Outcome.allCases), report: chance(10) ? report : nil)
            ]
        }
        if chance(60) {
            hops.nameServers = [NetworkAddress(192, 0, 2, 1), NetworkAddress(203, 0, 113, 53)].map {
                .init(
                    $0, pick(InternetCheck.NameServerAnswer.Outcome.allCases),
                    isNearby: $0 == NetworkAddress(192, 0, 2, 1))
            }
        }
        if chance(70) {
            let usual = pick(InternetCheck.AddressAnswer.Outcome.allCases)
            hops.publicAddresses = [
                NetworkAddress(1, 1, 1, 1), NetworkAddress(9, 9, 9, 9), NetworkAddress("2620:fe::fe"),
            ].map {
                .init(
                    $0, chance(90) ? usual : pick(InternetCheck.AddressAnswer.Outcome.allCases),
                    report: chance(5) ? report : nil, after: pick([.milliseconds(20), .milliseconds(1100)]))
            }
        }
        if chance(5) {
            for index in hops.routers.indices { hops.routers[index].isRejectedBeyond = true }
            for index in hops.publicAddresses.indices { hops.publicAddresses[index].isRejected = true }
        }
        if chance(5) { (hops.largePackets, hops.largePacketsVersion) = (.lost, pick(IPVersion.allCases)) }
        if chance(15) { hops.loss = PacketLoss(share: pick([0.02, 0.2, 0.4, 0.7])) }
        return hops
    }
}
