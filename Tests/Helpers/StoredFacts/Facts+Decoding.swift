// SPDX-License-Identifier: Apache-2.0

// A release build has nothing of Dialtone's that is internal.
#if DEBUG
import Foundation
import NetworkModel

@testable package import Dialtone

extension Facts: Decodable {
    /// Reads the `facts` of a report, of this version or of an earlier one.
    package init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        let heartbeatLoss = stored.loss(stored.heartbeatLoss, stored.heartbeatRoundTrips)
        self.init(try stored.links.path(), try stored.report(), heartbeatLoss: heartbeatLoss)
    }
}

/// The object, with the names of its members.
private struct Stored: Decodable {
    var links: Links
    var answers: String?
    var hasQuorum: Bool?
    var portal: URL?
    var reason: String?
    var milliseconds: Double
    var limit: Double?
    var silence: Double?
    var wasProven: Bool?
    var metOutage: Bool?
    var diagnosis: Diagnosis?
    var tunnel: String?
    var proxyTunnel: String?
    var routers: [Entry]
    var nameServers: [Entry]
    var beyond: [Entry]
    var otherVersion: [Entry]
    var operators: [Request]
    var captivePortalAPI: Statement?
    var largePackets: String?
    var largePacketsVersion: String?
    var unansweredQueries: String?
    var secondPage: Request?
    var loss: Double?
    var lossRoundTrips: Int?
    var lossAtMost: Double?
    var lossAtMostRoundTrips: Int?
    var lossVersion: String?
    var heartbeatLoss: Double?
    var heartbeatRoundTrips: Int?

    /// The report of a check with these answers; nil without a check.
    func report() throws -> InternetCheck.Report? {
        guard let verdict = try verdict() else { return nil }
        var report = InternetCheck.Report(
            verdict: verdict, checkedAt: .distantPast, duration: .milliseconds(milliseconds),
            endpoints: try operators.map { try $0.evidence() }, captivePortalAPI: captivePortalAPI?.evidence,
            diagnosis: try diagnosis?.value(), hops: try hops())
        report.familyAnswers = try otherVersion.map { try $0.publicAddress() }
        report.secondPage = try secondPage?.evidence()
        report.hasQuorum = hasQuorum ?? false
        report.limit = limit.map(Duration.milliseconds)
        report.silence = .milliseconds(silence ?? 0)
        report.wasProven = wasProven ?? false
        report.metOutage = metOutage ?? false
        return report
    }

    private func verdict() throws -> InternetCheck.Verdict? {
        switch answers {
        case nil: nil
        case "verified": .verified
        case "partial": .partial
        case "captivePortal": .captivePortal(try known(portal, portal?.absoluteString))
        case "noInternet": .noInternet(try .named(reason))
        default: .inconclusive
        }
    }

    private func hops() throws -> InternetCheck.Hops {
        var hops = InternetCheck.Hops(
            routers: try routers.map { try $0.router() }, nameServers: try nameServers.map { try $0.nameServer() },
            publicAddresses: try beyond.map { try $0.publicAddress() })
        hops.largePackets = try largePackets.map { try .named($0) }
        hops.largePacketsVersion = try largePacketsVersion.map { try .named($0) }
        hops.unansweredQueries = try unansweredQueries.map { try .named($0) }
        hops.loss = loss(loss, lossRoundTrips)
        hops.lossAtMost = loss(lossAtMost, lossAtMostRoundTrips)
        hops.lossVersion = try lossVersion.map { try .named($0) }
        hops.tunnel = tunnel
        hops.proxyTunnel = proxyTunnel
        return hops
    }

    func loss(_ share: Double?, _ roundTrips: Int?) -> PacketLoss? {
        share.map { PacketLoss(share: $0, roundTrips: roundTrips ?? LossProbe.connections) }
    }
}

/// A router, a name server, or a public address.
private struct Entry: Decodable {
    var address: String
    var interface: String?
    var outcome: String
    var isNearby: Bool?
    var tunnel: String?
    var egress: String?
    var isRejected: Bool?
    var milliseconds: Double
    var report: Report?

    struct Report: Decodable {
        var router: String
        var reason: String

        func value() throws -> RouterReport { RouterReport(try .named(reason), by: try .named(router)) }
    }

    func router() throws -> InternetCheck.RouterAnswer {
        var answer = InternetCheck.RouterAnswer(
            .init(try .named(address), interface: interface), try .named(outcome), after: .milliseconds(milliseconds))
        answer.report = try report?.value()
        answer.isRejectedBeyond = isRejected ?? false
        answer.egress = try egress.map { try .named($0) } ?? .path
        return answer
    }

    func nameServer() throws -> InternetCheck.NameServerAnswer {
        var answer = InternetCheck.NameServerAnswer(
            try .named(address), try .named(outcome), isNearby: isNearby ?? false, after: .milliseconds(milliseconds))
        answer.tunnel = tunnel
        return answer
    }

    func publicAddress() throws -> InternetCheck.AddressAnswer {
        var answer = InternetCheck.AddressAnswer(
            try .named(address), try .named(outcome), after: .milliseconds(milliseconds))
        answer.report = try report?.value()
        answer.isRejected = isRejected ?? false
        return answer
    }
}

/// The evidence of an endpoint.
private struct Request: Decodable {
    var `operator`: String?
    var url: String
    var proxy: String?
    var address: String?
    var status: Int?
    var portal: URL?
    var error: Failure?
    var milliseconds: [String: Double?]
    var attempts: [Attempt]?
    var isReversed: Bool?
    var hasAddedScripts: Bool?
    var packets: Packets?

    struct Failure: Decodable {
        var step: String
        var code: String
        var message: String
        var nameServers: [String]?
        var proxyStatus: Int?

        func value() throws -> ProbeError {
            var error = ProbeError(.init(code), during: try .named(step), message)
            error.nameServers = try (nameServers ?? []).map { try .named($0) }
            error.proxyStatus = proxyStatus
            return error
        }
    }

    struct Attempt: Decodable {
        var address: String
        var error: Failure?
        var milliseconds: Double
    }

    struct Packets: Decodable {
        var answered: Int
        var repeated: Int
        var recovered: Int
    }

    func evidence() throws -> InternetCheck.Evidence {
        let failure = try error?.value()
        var evidence = InternetCheck.Evidence(
            url: url, operatorName: self.operator,
            failure.map { .failed($0) } ?? portal.map { .portal($0) } ?? .passed, status: status,
            address: try address.map { try .named($0) }, durations: durations)
        evidence.proxy = proxy
        evidence.failedAttempts = try (attempts ?? []).map {
            .init(try .named($0.address), try $0.error?.value(), after: .milliseconds($0.milliseconds))
        }
        evidence.reversesFamilies = isReversed ?? false
        evidence.hasAddedScripts = hasAddedScripts ?? false
        evidence.packets = packets.map { .init(answered: $0.answered, repeated: $0.repeated, recovered: $0.recovered) }
        return evidence
    }

    private var durations: InternetCheck.Evidence.Durations {
        let steps = milliseconds.compactMapValues { $0.map(Duration.milliseconds) }
        var durations = InternetCheck.Evidence.Durations(
            resolve: steps["resolve"], connect: steps["connect"], tls: steps["tls"], headers: steps["headers"],
            body: steps["body"], total: steps["total"] ?? .zero)
        durations.delay = steps["delay"]
        return durations
    }
}

/// The answer of the captive portal API.
private struct Statement: Decodable {
    var url: String
    var captive: Bool?
    var portal: URL?

    var evidence: InternetCheck.Report.CaptivePortalEvidence {
        .init(url: url, state: captive.map { .init(isCaptive: $0, userPortal: portal) })
    }
}

/// The path.
private struct Links: Decodable {
    var status: String
    var hidden: String?
    var diagnosis: Diagnosis?
    var interfaces: [Link]
    var gateways: [Gateway]

    struct Gateway: Decodable {
        var address: String
        var interface: String?
    }

    func path() throws -> NetworkPath {
        let statuses: [PathStatus] = [.satisfied, .requiresConnection]
        return NetworkPath(
            status: statuses.first { $0.reportName == status } ?? .unsatisfied, diagnosis: try diagnosis?.value(),
            interfaces: interfaces.map(\.value),
            gateways: try gateways.map { .init(try .named($0.address), interface: $0.interface) },
            limitation: hidden.map { .unavailable($0) })
    }
}

private struct Link: Decodable {
    var name: String
    var index: Int
    var type: String

    var value: NetworkPath.Interface { .init(name: name, index: index, type: .init(reportName: type)) }
}

/// Why there is no path.
private struct Diagnosis: Decodable {
    var reason: String
    var interface: Link?
    var borrowedAddress: String?
    var filter: Filter?

    struct Filter: Decodable {
        var interface: String?
        var requires: String?
        var prohibits: [String]

        var value: PathFilter {
            PathFilter(
                requiredType: requires.map { .init(reportName: $0) },
                prohibitedTypes: Set(prohibits.map { .init(reportName: $0) }), interfaceName: interface)
        }
    }

    func value() throws -> PathDiagnosis {
        var diagnosis = PathDiagnosis(try .named(reason), interface: interface?.value, filter: filter?.value)
        diagnosis.borrowedAddress = try borrowedAddress.map { try .named($0) }
        return diagnosis
    }
}

// MARK: - Names

/// A name in stored facts that is not known.
private struct UnknownName: Error, CustomStringConvertible {
    let name: String?
    let type: String

    var description: String { "“\(name ?? "")” is no \(type)." }
}

/// The value with a name, if there is one.
private func known<Value>(_ value: Value?, _ name: String?) throws -> Value {
    guard let value else { throw UnknownName(name: name, type: "\(Value.self)") }
    return value
}

extension RawRepresentable where RawValue == String {
    fileprivate static func named(_ name: String?) throws -> Self {
        try known(name.flatMap { Self(rawValue: $0) }, name)
    }
}

extension NetworkAddress {
    fileprivate static func named(_ name: String) throws -> Self { try known(Self(name), name) }
}

extension InterfaceType {
    /// The type with a spelling; `other` for an unknown one.
    fileprivate init(reportName: String) {
        let types: [InterfaceType] = [.wifi, .cellular, .wiredEthernet, .loopback]
        self = types.first { $0.reportName == reportName } ?? .other
    }
}
#endif
