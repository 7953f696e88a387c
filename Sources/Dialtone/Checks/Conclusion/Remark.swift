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
            /// IPv4 or IPv6 is not answered beyond the router.
            public static let addressFamily = Kind(rawValue: "addressFamily")
            /// A name server does not answer, while another one does.
            public static let nameServer = Kind(rawValue: "nameServer")
            /// Names are resolved slowly.
            public static let slowNames = Kind(rawValue: "slowNames")
            /// Answers take long.
            public static let slowAnswers = Kind(rawValue: "slowAnswers")
            /// Packets are lost.
            public static let packetLoss = Kind(rawValue: "packetLoss")
            /// The link has no address of its own.
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
        /// The login page that the answer points to.
        public let portal: URL?
        /// One sentence for a user.
        public let description: String

        /// Creates a remark about a dissent.
        init(operatorName: String?, url: String, status: Int? = nil, portal: URL? = nil) {
            (kind, self.operatorName, self.url, self.status, self.portal) = (
                .dissent, operatorName, url, status, portal
            )
            let target = portal.map { $0.absoluteString == url ? "" : ", which points to \($0.absoluteString)" } ?? ""
            let answer = status.map { "answers with status \($0)" } ?? "does not answer as expected"
            description =
                operatorName.map { "\($0) is blocked or redirected: \(url) \(answer)\(target)." }
                ?? "The network's captive portal API says captive: \(url)\(target)."
        }

        /// Creates a remark of another kind.
        init(_ kind: Kind, _ description: String) {
            (self.kind, self.description) = (kind, description)
            (operatorName, url, status, portal) = (nil, nil, nil, nil)
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

extension InternetCheck.Report {
    /// The sources that contradict a verified verdict: at most one operator, or the captive portal API.
    var dissents: [InternetCheck.Remark] {
        var remarks: [InternetCheck.Remark] = []
        for evidence in endpoints {
            guard let portal = evidence.portal else { continue }
            let name = evidence.operatorName ?? evidence.url
            guard !remarks.contains(where: { $0.operatorName == name }) else { continue }
            remarks.append(.init(operatorName: name, url: evidence.url, status: evidence.status, portal: portal))
        }
        if let api = captivePortalAPI, let state = api.state, state.isCaptive {
            remarks.append(.init(operatorName: nil, url: api.url, portal: state.userPortal))
        }
        return remarks
    }

    /// What works badly although the Internet answers.
    var weaknesses: [InternetCheck.Remark] {
        let slow = isSlow ? latency.map { InternetCheck.Remark(.slowAnswers, Self.slowSentence($0)) } : nil
        // A loss may hit the packets of one family only, and explains what is slow.
        if let packetLoss, !packetLoss.isSlight {
            return [.init(.packetLoss, packetLoss.description), namesRemark, slow].compactMap(\.self)
        }
        let family = DeadFamily(endpoints, (hops?.publicAddresses ?? []) + familyAnswers)
            .map { InternetCheck.Remark(.addressFamily, $0.description) }
        return [family, namesRemark, slow].compactMap(\.self)
    }

    /// A name server that does not answer, or names that are resolved slowly.
    private var namesRemark: InternetCheck.Remark? {
        let delay = nameDelay
        if let server = silentNameServer {
            let seconds = Int((delay / .seconds(1)).rounded())
            let cost = seconds > 0 ? ", which delays each name by about \(seconds) s" : ""
            return .init(.nameServer, "The DNS server \(server.scopedText) does not answer\(cost).")
        }
        guard hasSlowNames, !isSlow else { return nil }
        return .init(.slowNames, "Names take \(delay.secondsText).")
    }

    /// The shortest time to resolve a name.
    private var nameDelay: Duration {
        endpoints.filter { $0.passed && $0.proxy == nil }.compactMap(\.durations.resolve).min() ?? .zero
    }

    /// Whether each name takes long.
    var hasSlowNames: Bool { nameDelay >= Self.slowName }

    /// The first name server that does not answer while another one does.
    var silentNameServer: NetworkAddress? {
        let answers = hops?.nameServers ?? []
        guard answers.contains(where: { $0.outcome == .answers }) else { return nil }
        return answers.first { [.silent, .refuses, .unreachable].contains($0.outcome) }?.server
    }

    /// Whether the fastest answer took long, apart from resolving the name.
    private var isSlow: Bool {
        guard let fastest = endpoints.filter(\.passed).map(\.durations).min(by: { $0.total < $1.total }) else {
            return false
        }
        return fastest.total - (fastest.resolve ?? .zero) >= Self.slowAnswer
    }

    /// The time to resolve a name above which it is worth a remark: resolvers usually wait a second or more for a dead server.
    private static let slowName = Duration.seconds(1)
    /// The time for an answer above which it is worth a remark.
    private static let slowAnswer = Duration.seconds(2)

    static func slowSentence(_ duration: Duration) -> String {
        "This connection is very slow: answers take \(duration.secondsText)."
    }

    /// The loss that was measured, or that the check's connections show; nil without one.
    ///
    /// On a busy machine, or with a busy server, answers are late: packets are sent again although none is lost. Therefore a
    /// small loss is taken from neither, and a measurement that shows almost none counts more than the check's few packets.
    var packetLoss: PacketLoss? {
        if let measured = hops?.loss {
            if measured.isSlight { return nil }
            if measured.isSevere { return measured }
        }
        return PacketLoss(endpoints.compactMap(\.packets)).flatMap { $0.share < Self.leastLoss ? nil : $0 }
    }

    /// The share below which repeated packets do not show a loss.
    private static let leastLoss = 0.15

    /// The loss that explains why the check failed; nil without one.
    var severeLoss: PacketLoss? {
        let failures = decidingFailures
        let isExplained = 2 * failures.count { $0.error?.mayBeLoss == true } > failures.count
        return isExplained ? packetLoss.flatMap { $0.isSevere ? $0 : nil } : nil
    }
}
