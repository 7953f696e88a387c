// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

extension InternetCheck {
    /// What contradicts a `verified` verdict, or works badly although the Internet answers.
    public struct Remark: Hashable, Sendable {
        /// The subject of a remark.
        ///
        /// Any version may add kinds, so a `switch` over it needs a `default`.
        public struct Kind: RawRepresentable, Hashable, Sendable {
            /// The spelling in the JSON report.
            public let rawValue: String

            /// Creates a kind from its spelling; unknown spellings are kept.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// One operator, or the network's captive portal API, contradicts the others, which are proven over HTTPS.
            ///
            /// Common causes are a filter that blocks one operator, a broken API, or an outage behind a redirect.
            public static let dissent = Kind(rawValue: "dissent")
            /// IPv4 or IPv6 is not answered beyond the router, or leads to a login page.
            public static let addressFamily = Kind(rawValue: "addressFamily")
            /// HTTPS does not pass for one operator or a few, while it does for others.
            public static let secureConnections = Kind(rawValue: "secureConnections")
            /// A name server does not answer, while another one does.
            public static let nameServer = Kind(rawValue: "nameServer")
            /// Names are resolved slowly.
            public static let slowNames = Kind(rawValue: "slowNames")
            /// Answers take long.
            public static let slowAnswers = Kind(rawValue: "slowAnswers")
            /// Large packets are lost by one IP version.
            public static let largePackets = Kind(rawValue: "largePackets")
            /// Packets are lost.
            public static let packetLoss = Kind(rawValue: "packetLoss")
            /// The link has no address.
            public static let borrowedAddress = Kind(rawValue: "borrowedAddress")
        }

        /// The subject.
        public let kind: Kind
        /// The operator whose endpoint looks like a portal's; nil for the captive portal API, and for other kinds.
        public let operatorName: String?
        /// The URL of that endpoint or of the API; nil for other kinds.
        public let url: String?
        /// The status of the endpoint's answer.
        public let status: Int?
        /// The login page that the answer points to, or to which an IP version leads.
        public let portal: URL?
        /// One sentence for a user.
        public let description: String

        /// Creates a remark about a dissent.
        init(operatorName: String?, url: String, status: Int? = nil, portal: URL? = nil) {
            kind = .dissent
            self.operatorName = operatorName
            self.url = url
            self.status = status
            self.portal = portal
            let target = portal.map { $0.absoluteString == url ? "" : ", which points to \($0.absoluteString)" } ?? ""
            let answer = status.map { "answers with status \($0)" } ?? "does not answer as expected"
            description =
                operatorName.map { "\($0) is blocked or redirected: \(url) \(answer)\(target)." }
                ?? "The network's captive portal API says captive: \(url)\(target)."
        }

        /// Creates a remark of another kind.
        init(_ kind: Kind, _ description: String, portal: URL? = nil) {
            self.kind = kind
            self.description = description
            self.portal = portal
            operatorName = nil
            url = nil
            status = nil
        }
    }
}

extension InternetCheck.Remark: CustomStringConvertible {}

extension InternetCheck.Remark: Encodable {
    /// Writes one element of `remarks`; only a dissent has `url`, and its `operator` is null for the captive portal API.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "kind": kind.rawValue, "operator": operatorName, "url": url, "status": status,
            "portal": portal?.absoluteString, "message": description,
        ])
    }
}

/// The table of remarks: of each row, all that it gives hold. A condition reads ``Facts`` and calls no other row.
extension InternetCheck.Remark {
    /// Everything that contradicts a verified verdict, or works badly; empty for other verdicts.
    static func all(of facts: Facts) -> [Self] {
        guard facts.verdict == .verified else { return [] }
        let remarks = dissents(facts) + table.compactMap { $0(facts) }
        return facts.metOutage ? remarks.filter { !causedByOutages.contains($0.kind) } : remarks
    }

    /// The remarks that an outage during the check explains.
    private static let causedByOutages: Set<Kind> = [
        .nameServer, .slowNames, .slowAnswers, .packetLoss, .addressFamily,
    ]

    private static let table: [@Sendable (Facts) -> Self?] = [
        { $0.largePackets == .lost ? .init(.largePackets, "\($0.lostPacketsSentence).") : nil },
        { $0.isTranslationDead ? .init(.addressFamily, Facts.translationSentence) : nil },
        { facts in
            let scripted = facts.operators.filter(\.hasAddedScripts).map(\.operatorText).uniqued
            guard !scripted.isEmpty else { return nil }
            let names = scripted.joined(separator: ", ")
            return .init(.dissent, "Something on the way adds scripts to pages without encryption (\(names)).")
        },
        { $0.secureRemark.map { .init(.secureConnections, $0) } },
        { facts in
            guard let loss = facts.packetLoss else { return nil }
            let version = facts.lossVersion.map { " over \($0.name)" } ?? ""
            return .init(.packetLoss, "\(loss.description.withoutFullStop)\(version).")
        },
        { facts in
            // A loss may hit the packets of one family only.
            guard facts.packetLoss == nil else { return nil }
            return DeadFamily(facts.operators, facts.beyond + facts.otherVersion)
                .map { .init(.addressFamily, $0.description) }
        },
        { facts in
            guard let server = facts.silentNameServer else { return nil }
            let seconds = facts.nameDelay.rounded(to: .seconds(1))
            let cost = seconds > 0 ? ", which delays each name by about \(seconds) s" : ""
            return .init(.nameServer, "The DNS server \(server.scopedText) does not answer\(cost).")
        },
        { facts in
            guard facts.silentNameServer == nil, facts.hasSlowNames, !facts.isSlow else { return nil }
            if let version = facts.unansweredQueries, facts.packetLoss == nil {
                let servers = facts.nameServers.map(\.server.scopedText).joined(separator: ", ")
                return .init(
                    .slowNames,
                    "DNS servers (\(servers)) do not answer queries for \(version.name) addresses: programs wait 5 s or more for each name."
                )
            }
            return .init(.slowNames, "Names take \(facts.nameDelay.secondsText).")
        },
        { $0.isSlow ? $0.latency.map { .init(.slowAnswers, slowSentence($0)) } : nil },
        { facts in
            guard facts.path.status != .satisfied, let address = facts.path.diagnosis?.borrowedAddress else {
                return nil
            }
            let link = facts.path.diagnosis?.interface?.name ?? "The link"
            return .init(.borrowedAddress, "\(link) has no address of its own: packets leave with \(address).")
        },
        { $0.packetLoss == nil ? $0.heartbeatLoss.map { .init(.packetLoss, $0.description) } : nil },
    ]

    /// The sources that contradict a verified verdict: operators, or the captive portal API.
    private static func dissents(_ facts: Facts) -> [Self] {
        var remarks: [Self] = []
        if let (portal, version) = facts.pageOfVersion {
            remarks.append(
                .init(
                    .addressFamily,
                    "\(version.name) leads to a login page, which the other IP version does not need: \(portal.absoluteString).",
                    portal: portal))
        }
        for evidence in facts.operators {
            guard let portal = evidence.portal, !evidence.hasAddedScripts, facts.pageOfVersion == nil else { continue }
            let name = evidence.operatorName ?? evidence.url
            guard !remarks.contains(where: { $0.operatorName == name }) else { continue }
            remarks.append(.init(operatorName: name, url: evidence.url, status: evidence.status, portal: portal))
        }
        if let api = facts.captivePortalAPI, let state = api.state, state.isCaptive {
            remarks.append(.init(operatorName: nil, url: api.url, portal: state.userPortal))
        }
        return remarks
    }

    static func slowSentence(_ duration: Duration) -> String {
        "This connection is very slow: answers take \(duration.secondsText)."
    }
}

extension Facts {
    /// What happens to the HTTPS of operators while that of others passes: several fail, or one shows a foreign certificate.
    fileprivate var secureRemark: String? {
        let proven = Set(operators.filter { $0.isSecure && $0.passed }.map(\.operatorText))
        // Something else blocks plain HTTP.
        let blocked = Set(operators.filter { !$0.isSecure && !$0.passed }.map(\.operatorText))
        // Silence may be a lost packet.
        let failed = secureFailures.filter {
            !proven.contains($0.operatorText) && !blocked.contains($0.operatorText) && $0.error?.mayBeLoss == false
                && !isOfDeadVersion($0)
        }
        let names = failed.map(\.operatorText).uniqued
        guard !proven.isEmpty, let first = failed.first else { return nil }
        if names.count == 1 {
            guard [.untrustedCertificate, .wrongCertificateName].contains(first.error?.code) else { return nil }
            return "HTTPS of \(first.operatorText) does not pass: its certificate is \(first.certificateProblem)."
        }
        let what =
            switch InternetCheck.NoInternetReason.mostFrequent(failed.compactMap(\.error?.reason)) {
            case .tls where isIntercepted: GeneralReason.interception
            case .tls: GeneralReason.brokenHandshakes
            case .refused: GeneralReason.secureRefusal
            default: "something on the way blocks them, or their servers are down"
            }
        return "HTTPS of \(names.joined(separator: ", ")) does not pass: \(what)."
    }
}
