// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The stored form: readable JSON, and no contract. Later versions of Dialtone decode it.
///
/// It has no password, no query of a URL, and no name of a Wi-Fi network. Durations are milliseconds.
extension Facts: Codable {
    private static let version = 1

    private enum Key: String, CodingKey {
        case version, links, answers, hasQuorum, portal, reason, milliseconds, limit, silence, diagnosis
        case routers, nameServers, beyond, otherVersion, operators, captivePortalAPI, largePackets
        case loss, lossRoundTrips, lossAtMost, lossAtMostRoundTrips, lossVersion, heartbeatLoss, heartbeatRoundTrips
        case tunnel, proxyTunnel, largePacketsVersion, unansweredQueries, secondPage, wasProven, metOutage
    }

    /// Writes the object.
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(Self.version, forKey: .version)
        try object.encode(Links(path), forKey: .links)
        try object.encodeIfPresent(answers?.reportName, forKey: .answers)
        if hasQuorum { try object.encode(true, forKey: .hasQuorum) }
        try object.encodeIfPresent(answers?.portal?.absoluteString.withoutSecrets, forKey: .portal)
        try object.encodeIfPresent(answers?.reason?.rawValue, forKey: .reason)
        try object.encode(duration.milliseconds, forKey: .milliseconds)
        try object.encodeIfPresent(limit?.milliseconds, forKey: .limit)
        if wasProven { try object.encode(true, forKey: .wasProven) }
        if metOutage { try object.encode(true, forKey: .metOutage) }
        if silence != .zero { try object.encode(silence.milliseconds, forKey: .silence) }
        try object.encodeIfPresent(diagnosis.map(Diagnosis.init), forKey: .diagnosis)
        try object.encodeIfPresent(tunnel, forKey: .tunnel)
        try object.encodeIfPresent(proxyTunnel, forKey: .proxyTunnel)
        try object.encode(routers.map(Entry.init), forKey: .routers)
        try object.encode(nameServers.map(Entry.init), forKey: .nameServers)
        try object.encode(beyond.map(Entry.init), forKey: .beyond)
        try object.encode(otherVersion.map(Entry.init), forKey: .otherVersion)
        try object.encode(operators.map(Request.init), forKey: .operators)
        if let captivePortalAPI {
            try object.encode(Statement(captivePortalAPI), forKey: .captivePortalAPI)
        }
        try object.encodeIfPresent(largePackets?.rawValue, forKey: .largePackets)
        try object.encodeIfPresent(largePacketsVersion?.rawValue, forKey: .largePacketsVersion)
        try object.encodeIfPresent(unansweredQueries?.rawValue, forKey: .unansweredQueries)
        try object.encodeIfPresent(secondPage.map(Request.init), forKey: .secondPage)
        try object.encodeIfPresent(measuredLoss?.share, forKey: .loss)
        try object.encodeIfPresent(measuredLoss?.roundTrips, forKey: .lossRoundTrips)
        try object.encodeIfPresent(lossAtMost?.share, forKey: .lossAtMost)
        try object.encodeIfPresent(lossAtMost?.roundTrips, forKey: .lossAtMostRoundTrips)
        try object.encodeIfPresent(lossVersion?.rawValue, forKey: .lossVersion)
        try object.encodeIfPresent(heartbeatLoss?.share, forKey: .heartbeatLoss)
        try object.encodeIfPresent(heartbeatLoss?.roundTrips, forKey: .heartbeatRoundTrips)
    }

    /// Reads an object of this version, or of an earlier one.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        self.init(try object.decode(Links.self, forKey: .links).path)
        answers = try object.decodeIfPresent(String.self, forKey: .answers).map { name in
            switch name {
            case "verified": .verified
            case "partial": .partial
            case "captivePortal": .captivePortal(try object.decode(URL.self, forKey: .portal))
            case "noInternet":
                .noInternet(try InternetCheck.NoInternetReason.named(object.decode(String.self, forKey: .reason)))
            default: .inconclusive
            }
        }
        hasQuorum = try object.decodeIfPresent(Bool.self, forKey: .hasQuorum) ?? false
        duration = .milliseconds(try object.decode(Double.self, forKey: .milliseconds))
        limit = try object.decodeIfPresent(Double.self, forKey: .limit).map(Duration.milliseconds)
        wasProven = try object.decodeIfPresent(Bool.self, forKey: .wasProven) ?? false
        metOutage = try object.decodeIfPresent(Bool.self, forKey: .metOutage) ?? false
        silence = .milliseconds(try object.decodeIfPresent(Double.self, forKey: .silence) ?? 0)
        diagnosis = try object.decodeIfPresent(Diagnosis.self, forKey: .diagnosis)?.value
        routers = try object.decode([Entry].self, forKey: .routers).map { entry in
            var answer = InternetCheck.RouterAnswer(
                .init(try entry.networkAddress, interface: entry.interface), try .named(entry.outcome),
                after: entry.duration)
            answer.report = entry.router
            answer.isRejectedBeyond = entry.isRejected ?? false
            answer.egress = try entry.egress.map(InternetCheck.RouterAnswer.Egress.named) ?? .path
            return answer
        }
        tunnel = try object.decodeIfPresent(String.self, forKey: .tunnel)
        proxyTunnel = try object.decodeIfPresent(String.self, forKey: .proxyTunnel)
        nameServers = try object.decode([Entry].self, forKey: .nameServers).map { entry in
            var answer = InternetCheck.NameServerAnswer(
                try entry.networkAddress, try .named(entry.outcome), isNearby: entry.isNearby ?? false,
                after: entry.duration)
            answer.tunnel = entry.tunnel
            return answer
        }
        let answers = { (key: Key) in
            try object.decode([Entry].self, forKey: key).map { entry in
                var answer = InternetCheck.AddressAnswer(
                    try entry.networkAddress, try .named(entry.outcome), after: entry.duration)
                answer.report = entry.router
                answer.isRejected = entry.isRejected ?? false
                return answer
            }
        }
        (beyond, otherVersion) = (try answers(.beyond), try answers(.otherVersion))
        operators = try object.decode([Request].self, forKey: .operators).map { try $0.evidence }
        captivePortalAPI = try object.decodeIfPresent(Statement.self, forKey: .captivePortalAPI)?.evidence
        largePackets = try object.decodeIfPresent(String.self, forKey: .largePackets).map(
            LargePacketProbe.Outcome.named)
        let version = { (key: Key) in try object.decodeIfPresent(String.self, forKey: key).map(IPVersion.named) }
        (largePacketsVersion, unansweredQueries) = (try version(.largePacketsVersion), try version(.unansweredQueries))
        secondPage = try object.decodeIfPresent(Request.self, forKey: .secondPage).map { try $0.evidence }
        let loss = { (share: Key, roundTrips: Key) in
            try object.decodeIfPresent(Double.self, forKey: share).map { share in
                PacketLoss(
                    share: share,
                    roundTrips: try object.decodeIfPresent(Int.self, forKey: roundTrips) ?? LossProbe.connections)
            }
        }
        (measuredLoss, lossVersion) = (try loss(.loss, .lossRoundTrips), try version(.lossVersion))
        lossAtMost = try loss(.lossAtMost, .lossAtMostRoundTrips)
        heartbeatLoss = try loss(.heartbeatLoss, .heartbeatRoundTrips)
        judgeSilence()
    }
}

// MARK: - Entries

extension Facts {
    /// A router, a name server, or a public address.
    private struct Entry: Codable {
        var address: String
        var interface: String?
        var outcome: String
        var isNearby: Bool?
        /// The tunnel that leads to a name server.
        var tunnel: String?
        /// Where packets to a router leave this machine, unless that is a link of the path.
        var egress: String?
        /// Whether this machine rejects datagrams to it or, for a router, to what lies beyond it.
        var isRejected: Bool?
        var milliseconds: Double
        var report: Report?

        struct Report: Codable {
            var router: String
            var reason: RouterReport.Reason
        }

        init(_ router: InternetCheck.RouterAnswer) {
            self.init(router.router.address, router.outcome.rawValue, router.report, router.duration)
            interface = router.router.interface
            isRejected = router.isRejectedBeyond ? true : nil
            egress = router.egress == .path ? nil : router.egress.rawValue
        }

        init(_ server: InternetCheck.NameServerAnswer) {
            self.init(server.server, server.outcome.rawValue, nil, server.duration)
            (isNearby, tunnel) = (server.isNearby, server.tunnel)
        }

        init(_ answer: InternetCheck.AddressAnswer) {
            self.init(answer.address, answer.outcome.rawValue, answer.report, answer.duration)
            isRejected = answer.isRejected ? true : nil
        }

        private init(
            _ address: NetworkAddress, _ outcome: String, _ report: RouterReport?, _ time: Duration
        ) {
            (self.address, self.outcome) = ("\(address)", outcome)
            (milliseconds, self.report) = (
                time.milliseconds, report.map { .init(router: "\($0.router)", reason: $0.reason) }
            )
        }

        var networkAddress: NetworkAddress { get throws { try .named(address) } }
        var duration: Duration { .milliseconds(milliseconds) }
        var router: RouterReport? {
            report.flatMap { report in NetworkAddress(report.router).map { RouterReport(report.reason, by: $0) } }
        }
    }

    /// An endpoint of an operator.
    private struct Request: Codable {
        var `operator`: String?
        var url: String
        var proxy: String?
        var address: String?
        var status: Int?
        var portal: String?
        var error: Failure?
        var milliseconds: InternetCheck.Evidence.Durations
        var attempts: [Attempt]?
        var isReversed: Bool?
        /// Whether scripts were added to the expected body.
        var hasAddedScripts: Bool?
        var packets: SentPackets?

        struct Failure: Codable {
            var step: ProbeError.Step
            var code: String
            var message: String
            var nameServers: [String]?
            var proxyStatus: Int?

            init(_ error: ProbeError) {
                (step, code, message) = (error.step, error.code.description, error.message)
                proxyStatus = error.proxyStatus
                if !error.nameServers.isEmpty { nameServers = error.nameServers.map { "\($0)" } }
            }

            var value: ProbeError {
                var error = ProbeError(.init(code), during: step, message)
                error.nameServers = nameServers?.compactMap { NetworkAddress($0) } ?? []
                error.proxyStatus = proxyStatus
                return error
            }
        }

        struct Attempt: Codable {
            var address: String
            var error: Failure?
            var milliseconds: Double
        }

        init(_ evidence: InternetCheck.Evidence) {
            (self.operator, url) = (evidence.operatorName, evidence.url.withoutSecrets)
            (proxy, address) = (evidence.proxy, evidence.address.map { "\($0)" })
            (status, portal) = (evidence.status, evidence.portal?.absoluteString.withoutSecrets)
            (error, milliseconds) = (evidence.error.map(Failure.init), evidence.durations)
            if !evidence.failedAttempts.isEmpty {
                attempts = evidence.failedAttempts.map {
                    .init(
                        address: "\($0.address)", error: $0.error.map(Failure.init),
                        milliseconds: $0.duration.milliseconds)
                }
            }
            isReversed = evidence.reversesFamilies ? true : nil
            hasAddedScripts = evidence.hasAddedScripts ? true : nil
            packets = evidence.packets
        }

        var evidence: InternetCheck.Evidence {
            get throws {
                let outcome: InternetCheck.Evidence.Outcome =
                    if let error { .failed(error.value) } else if let portal {
                        .portal(try .named(portal))
                    } else { .passed }
                var evidence = InternetCheck.Evidence(
                    url: url, operatorName: self.operator, outcome, status: status,
                    address: try address.map(NetworkAddress.named), durations: milliseconds)
                evidence.proxy = proxy
                evidence.failedAttempts = try (attempts ?? []).map {
                    .init(try .named($0.address), $0.error?.value, after: .milliseconds($0.milliseconds))
                }
                evidence.reversesFamilies = isReversed ?? false
                evidence.hasAddedScripts = hasAddedScripts ?? false
                evidence.packets = packets
                return evidence
            }
        }
    }

    /// The answer of the captive portal API, as far as a rule reads it.
    private struct Statement: Codable {
        var url: String
        var captive: Bool?
        var portal: String?

        init(_ evidence: InternetCheck.Report.CaptivePortalEvidence) {
            url = evidence.url.withoutSecrets
            captive = evidence.state?.isCaptive
            portal = evidence.state?.userPortal?.absoluteString.withoutSecrets
        }

        var evidence: InternetCheck.Report.CaptivePortalEvidence {
            get throws {
                let page = try portal.map(URL.named)
                return .init(url: url, state: captive.map { .init(isCaptive: $0, userPortal: page) })
            }
        }
    }

    /// The path, as far as a rule reads it.
    private struct Links: Codable {
        var status: String
        var hidden: String?
        var diagnosis: Diagnosis?
        var interfaces: [Link]
        var gateways: [Hop]

        struct Hop: Codable {
            var address: String
            var interface: String?
        }

        init(_ path: NetworkPath) {
            status = path.status.reportName
            if case .unavailable(let reason) = path.limitation { hidden = reason }
            diagnosis = path.diagnosis.map(Diagnosis.init)
            interfaces = path.interfaces.map(Link.init)
            gateways = path.gateways.map { .init(address: "\($0.address)", interface: $0.interface) }
        }

        var path: NetworkPath {
            get throws {
                NetworkPath(
                    status: status == "satisfied"
                        ? .satisfied : status == "requiresConnection" ? .requiresConnection : .unsatisfied,
                    diagnosis: try diagnosis?.value, interfaces: interfaces.map(\.value),
                    gateways: try gateways.map { .init(try .named($0.address), interface: $0.interface) },
                    limitation: hidden.map { .unavailable($0) })
            }
        }
    }

    private struct Link: Codable {
        var name: String
        var index: Int
        var type: String

        init(_ interface: NetworkPath.Interface) {
            (name, index, type) = (interface.name, interface.index, interface.type.reportName)
        }

        var value: NetworkPath.Interface { .init(name: name, index: index, type: .init(reportName: type)) }
    }

    private struct Diagnosis: Codable {
        var reason: String
        var interface: Link?
        var borrowedAddress: String?
        var filter: Filter?

        struct Filter: Codable {
            var interface: String?
            var requires: String?
            var prohibits: [String]
        }

        init(_ diagnosis: PathDiagnosis) {
            reason = diagnosis.reason.rawValue
            interface = diagnosis.interface.map(Link.init)
            borrowedAddress = diagnosis.borrowedAddress.map { "\($0)" }
            filter = diagnosis.filter.map {
                .init(
                    interface: $0.interfaceName, requires: $0.requiredType?.reportName,
                    prohibits: $0.prohibitedTypes.map(\.reportName).sorted())
            }
        }

        var value: PathDiagnosis {
            get throws {
                var diagnosis = PathDiagnosis(
                    try .named(reason), interface: interface?.value,
                    filter: filter.map { filter in
                        PathFilter(
                            requiredType: filter.requires.map(InterfaceType.init(reportName:)),
                            prohibitedTypes: Set(filter.prohibits.map(InterfaceType.init(reportName:))),
                            interfaceName: filter.interface)
                    })
                diagnosis.borrowedAddress = try borrowedAddress.map(NetworkAddress.named)
                return diagnosis
            }
        }
    }
}

// MARK: - Names

extension ProbeError.Step: Codable {}

extension InternetCheck.Evidence.Durations: Decodable {
    /// Reads the steps in milliseconds.
    public init(from decoder: any Decoder) throws {
        let steps = try decoder.singleValueContainer().decode([String: Double?].self).compactMapValues { $0 }
        let duration = { (name: String) in steps[name].map { Duration.milliseconds($0) } }
        self.init(
            resolve: duration("resolve"), connect: duration("connect"), tls: duration("tls"),
            headers: duration("headers"), body: duration("body"), total: duration("total") ?? .zero)
        delay = duration("delay")
    }
}

/// A name in stored facts that is not known.
private struct UnknownName: Error, CustomStringConvertible {
    let name: String
    let type: String

    var description: String { "“\(name)” is no \(type)." }
}

extension RawRepresentable where RawValue == String {
    fileprivate static func named(_ name: String) throws -> Self {
        guard let value = Self(rawValue: name) else { throw UnknownName(name: name, type: "\(Self.self)") }
        return value
    }
}

extension NetworkAddress {
    fileprivate static func named(_ name: String) throws -> Self {
        guard let value = Self(name) else { throw UnknownName(name: name, type: "address") }
        return value
    }
}

extension URL {
    fileprivate static func named(_ name: String) throws -> Self {
        guard let value = Self(string: name) else { throw UnknownName(name: name, type: "URL") }
        return value
    }
}

extension InterfaceType {
    /// The type with a spelling; `other` for an unknown one.
    fileprivate init(reportName: String) {
        let types: [InterfaceType] = [.wifi, .cellular, .wiredEthernet, .loopback]
        self = types.first { $0.reportName == reportName } ?? .other
    }
}

extension String {
    /// The text of a URL without user, password, query and fragment.
    var withoutSecrets: String { String(prefix { $0 != "?" && $0 != "#" }).withoutUser }

    /// The text of a URL without user and password.
    var withoutUser: String {
        guard let scheme = firstRange(of: "://") else { return self }
        let authority = self[scheme.upperBound...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return self }
        return String(self[..<scheme.upperBound] + self[index(after: at)...])
    }
}
