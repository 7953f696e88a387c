// SPDX-License-Identifier: Apache-2.0

/// One row of the table by which ``Conclusion`` is drawn from ``Facts``.
///
/// A condition reads facts and calls no other rule.
struct Rule: Sendable {
    /// The name for programs; nil while this machine is online.
    let cause: ConnectivityCause?
    let state: ConnectivityState
    let fault: ConnectivityFault?
    /// How it is recognized, for the documentation.
    let sign: String
    /// Whether it holds, if no earlier rule does.
    let condition: @Sendable (Facts) -> Bool
    /// What happened and what to do, in one or two sentences for a user; nil while this machine is online.
    let sentence: @Sendable (Facts) -> String?

    private init(
        _ cause: ConnectivityCause?, _ state: ConnectivityState, _ fault: ConnectivityFault?, _ sign: String,
        if condition: @escaping @Sendable (Facts) -> Bool, _ sentence: @escaping @Sendable (Facts) -> String?
    ) {
        self.cause = cause
        self.state = state
        self.fault = fault
        self.sign = sign
        self.condition = condition
        self.sentence = sentence
    }

    /// A row for facts that have a value, which its sentence is given.
    private init<Value>(
        _ cause: ConnectivityCause, _ state: ConnectivityState, _ fault: ConnectivityFault?, _ sign: String,
        of value: @escaping @Sendable (Facts) -> Value?,
        if condition: @escaping @Sendable (Facts) -> Bool = { _ in true },
        _ sentence: @escaping @Sendable (Facts, Value) -> String
    ) {
        self.init(cause, state, fault, sign, if: { condition($0) && value($0) != nil }) { facts in
            value(facts).map { sentence(facts, $0) }
        }
    }

    /// The rule that facts meet first.
    static func first(for facts: Facts) -> Rule? {
        for part in parts { if let rule = part().first(where: { $0.condition(facts) }) { return rule } }
        return nil
    }

    /// The ordered table: the first rule that holds gives the conclusion.
    static var all: [Rule] { parts.flatMap { $0() } }

    /// The parts of the table, in order; each is built when a conclusion first needs it.
    private static let parts: [@Sendable () -> [Rule]] = [
        { online }, { missingPath }, { notVerified }, { here }, { hops }, { silence }, { names }, { https },
        { operators },
    ]
}

// MARK: - The table

extension Rule {
    private static let online = [
        Rule(nil, .online, nil, "The Internet has answered.", if: { $0.verdict == .verified }) { _ in nil },
        Rule(
            .ownPage, .captivePortal, nil,
            "All names lead to one private address, which shows a page, no public address answers, and the Internet was online on this network before.",
            if: { $0.isOwnPage && $0.wasProven && $0.path.canBeChecked }
        ) { _ in GeneralReason.ownPage },
        Rule(
            .ownPage, .captivePortal, .portal,
            "All names lead to one private address, which shows a page, and no public address answers.",
            if: { $0.isOwnPage && $0.path.canBeChecked }
        ) { _ in GeneralReason.ownPage },
        Rule(
            .captivePortal, .captivePortal, .portal, "Answers over plain HTTP are a login page.",
            if: { $0.verdict?.portal != nil && $0.path.canBeChecked }
        ) { _ in GeneralReason.login },
    ]

    /// A check counts only where packets may be able to leave; a proxy that was asked has its own route.
    private static let missingPath: [Rule] =
        proxies(.offline) { $0.pathState == .offline && !$0.isFailing }
        + PathDiagnosis.Reason.allCases.flatMap { reason in
            [ConnectivityState.offline, .requiresConnection].map { state in
                Rule(
                    ConnectivityCause(reason), state, .machine, "The kernel shows it.",
                    if: { $0.pathState == state && !$0.isFailing && $0.path.diagnosis?.reason == reason }
                ) { $0.path.diagnosis?.description }
            }
        } + [
            Rule(
                .noPath, .offline, .machine, "The system shows no path, and not why.",
                if: { $0.pathState == .offline && !$0.isFailing }
            ) { _ in GeneralReason.noPath },
            Rule(
                .onDemand, .requiresConnection, .machine, "The system connects on demand.",
                if: { $0.pathState == .requiresConnection && !$0.isFailing }
            ) { _ in GeneralReason.onDemand },
        ]

    /// There is a path, or it is hidden, and too little is known.
    private static let notVerified: [Rule] = [
        Rule(
            .socketsDenied, .unknown, nil, "A sandbox refuses sockets, and the network cannot be read.",
            if: { $0.pathState == .unknown && !$0.isFailing && $0.socketRefusal != nil }
        ) { $0.socketRefusal },
        Rule(
            .notVisible, .unknown, nil, "The network cannot be read.",
            if: { $0.pathState == .unknown && !$0.isFailing }
        ) { facts in
            if case .unavailable(let sentence)? = facts.path.limitation { return sentence }
            return GeneralReason.unreadable
        },
        Rule(.notChecked, .unverified, nil, "There is a path; nothing was asked.", if: { $0.verdict == nil }) { _ in
            GeneralReason.unchecked
        },
        Rule(
            .noResources, .unverified, .machine,
            "A probe could not be made for lack of descriptors, threads or memory.", of: \.shortage
        ) {
            "The Internet could not be checked, because this machine lacks a resource (\($1)): raise its limit, or end what uses too much."
        },
        Rule(
            .socketsDenied, .unverified, nil, "A sandbox refuses sockets.",
            if: { !$0.isFailing && $0.socketRefusal != nil }
        ) { $0.socketRefusal },
        Rule(
            .lateByLoss, .unverified, nil, "Packets are lost, and answers are missing when the check ends.",
            of: \.packetLoss, if: \.isLate
        ) { "\($0.timeLimit): \($1.description.loweredFirstLetter)" },
        Rule(
            .slow, .unverified, nil, "An answer took a second or more, and others are missing when the check ends.",
            of: \.notableLatency, if: \.isLate
        ) { InternetCheck.Remark.slowSentence($1) },
        Rule(
            .late, .unverified, nil,
            "So few packets are answered in time that their loss cannot be measured, and answers are missing when the check ends.",
            of: \.lossAtMost, if: { $0.isLate && $0.lossAtMost?.isSlight == false }
        ) {
            "\($0.timeLimit): only \($1.percentageAnswered) % of connections to a public address are accepted in time, so packets are lost, or late."
        },
        Rule(
            .lateNameServer, .unverified, nil, "One name server is silent and another answers, when the check ends.",
            of: \.silentNameServer, if: \.isLate
        ) { "\($0.timeLimit): the DNS server \($1.scopedText) does not answer, which delays each name." },
        Rule(
            .lateNames, .unverified, nil, "Public addresses answer, and name servers do not when the check ends.",
            if: { $0.isLate && $0.hasPublicAddress && $0.failsAtNames }
        ) { facts in
            let servers = facts.nameServers.map(\.server.scopedText).joined(separator: ", ")
            return "\(facts.timeLimit): DNS servers do not answer in this time"
                + (servers.isEmpty ? "." : " (\(servers)).")
        },
        Rule(.late, .unverified, nil, "Answers are missing when the check ends.", if: { $0.isLate }) {
            "\($0.timeLimit): this connection is slow, or does not work."
        },
        Rule(
            .unsupportedProxy, .unverified, .proxy, "The proxy of the settings is no HTTP proxy.",
            of: \.unsupportedProxy, if: { !$0.isFailing }
        ) { "The Internet could not be checked because of the proxy: \($1). Set an HTTP proxy, or none." },
        Rule(.undetermined, .unverified, nil, "No endpoint could be queried.", if: { !$0.isFailing }) { _ in
            "Whether this is the Internet could not be determined."
        },
    ]

    /// This machine keeps its own connections from leaving, or from being trusted.
    private static let here: [Rule] =
        PathDiagnosis.Reason.allCases.map { reason in
            Rule(
                ConnectivityCause(reason), .limited, .machine, "No endpoint has a route, so that nothing was sent.",
                if: { $0.diagnosis?.reason == reason }
            ) { $0.diagnosis?.description }
        } + [
            Rule(
                .clock, .limited, .machine, "Most certificates are not valid at this machine's time.",
                if: { $0.hasInvalidCertificates }
            ) {
                $0.verdict == .partial
                    ? "HTTPS does not pass: certificates are not valid at this machine's time: check its clock."
                    : "Certificates are not valid at this machine's time: check its clock."
            },
            Rule(
                .tlsUnavailable, .limited, .machine, "HTTPS is required, and this system cannot verify it.",
                if: { $0.verdict == .partial && $0.failures.isEmpty && $0.tlsObstacle != nil }
            ) { facts in facts.tlsObstacle.map { "HTTPS cannot be checked: \($0)." } },
        ]
        + eitherState(
            .rejectedHere, .machine, "The kernel refuses connections, or datagrams, to all public addresses.",
            if: { $0.isRejectedHere }
        ) {
            $0.verdict == .partial
                ? "HTTPS does not pass, because this machine rejects it: check its firewall and its routing rules."
                : "This machine rejects its own connections: check its firewall and its routing rules."
        }

    /// Routers, proxies, and links that lose packets.
    private static let hops: [Rule] =
        eitherState(
            .router, .router, "It is silent, as is its link-layer address, and nothing distant answers.",
            if: { $0.isRouterSilent && !$0.hasDistantAnswer }
        ) { GeneralReason.router($0.ownRouters.map { "\($0.router)" }.joined(separator: ", ")) }
        + proxies(.limited) { _ in true } + [
            Rule(
                .packetLoss, .limited, nil, "More than a third of the packets are lost.",
                of: \.severeLoss
            ) { $1.sentence },
            Rule(
                .packetLoss, .limited, nil,
                "Packets are lost, some connections pass, and those that are not answered decide.",
                of: \.partialLoss
            ) { $1.sentence },
            Rule(
                .largePackets, .limited, .filter, "A handshake stalls, and passes with smaller packets.",
                if: { $0.largePackets == .lost }
            ) { "\($0.lostPacketsSentence), or ask its operator." },
            Rule(
                .transparentProxy, .limited, .proxy,
                "Names lead to a transparent proxy (198.18.0.0/15), nothing comes back through it, and public addresses answer.",
                of: \.transparentProxy, if: { $0.isTransparentProxySilent && $0.hasPublicAddress }
            ) {
                "Nothing comes back through the transparent proxy to which names lead (\($1)), although the Internet answers without it: check the proxy."
            },
            Rule(
                .transparentProxy, .noInternet, nil,
                "Names lead to a transparent proxy (198.18.0.0/15), and nothing comes back through it, nor beside it.",
                of: \.transparentProxy, if: { $0.isTransparentProxySilent && $0.isSilentBeyond }
            ) {
                "Nothing comes back through the transparent proxy to which names lead (\($1)): check the proxy, and its connection to the Internet."
            },
        ]

    /// Nothing answers beyond the router.
    private static let silence: [Rule] = [
        Rule(
            .allSilent, .noInternet, nil, "Nothing answers; the router may be present.",
            if: { $0.isSilentBeyond && !$0.isBeyondRouter }
        ) {
            $0.routers.isEmpty
                ? "Nothing answers: check the router and its uplink."
                : "Neither the router nor anything beyond it answers: check the router and its uplink."
        },
        Rule(
            .tunnelUplink, .noInternet, .tunnel, "The other end of a tunnel answers, nothing beyond it does.",
            of: \.tunnel, if: { $0.isSilentBeyond && $0.hasTunnelEnd }
        ) { "The other end of the tunnel \($1) answers, but nothing beyond it does: ask the operator of the VPN." },
        Rule(
            .routerReport, .noInternet, .provider, "A router says so (ICMP destination unreachable).",
            of: \.routerReport, if: \.isSilentBeyond
        ) {
            $1.description.withoutFullStop + ($1.reason == .prohibited ? "; " : ": ")
                + "check its uplink, or call the provider."
        },
        Rule(
            .provider, .noInternet, .provider,
            "The router answers, nothing beyond it does, be it through a tunnel or not.",
            if: { $0.isSilentBeyond && $0.hasRouter && ($0.tunnel == nil || $0.isSilentBesideTunnel) }
        ) { _ in GeneralReason.provider },
        Rule(
            .tunnelSilent, .noInternet, nil,
            "Nothing comes back through the tunnel, and a name server outside it answers, but resolves no names.",
            of: \.tunnel, if: { $0.isSilentBeyond && $0.isUnclearBesideTunnel }
        ) {
            "Nothing comes back through the tunnel \($1), and names are not resolved without it: check the VPN, and the router's uplink."
        },
        Rule(
            .tunnelSilent, .noInternet, .tunnel,
            "Nothing comes back through the tunnel that all packets enter; what carries it is not known to fail.",
            of: \.tunnel, if: \.isSilentBeyond
        ) { $0.silentTunnelSentence($1) },
        Rule(
            .tunnelSilent, .noInternet, .provider, "The link is of an unknown type, without a router.",
            of: { $0.path.interfaces.first }, if: { $0.isSilentBeyond && $0.path.interfaces.first?.type == .other }
        ) {
            "Nothing beyond \($1.name) answers: check the VPN or the connection that it belongs to, or call the provider."
        },
        Rule(
            .linkSilent, .noInternet, .provider, "The link has no router, and nothing beyond it answers.",
            if: { $0.isSilentBeyond }
        ) { _ in
            "Nothing beyond this machine's own link answers: check the router and its uplink, or call the provider."
        },
    ]

    /// Names are not resolved, or lead to wrong addresses.
    private static let names: [Rule] = [
        Rule(
            .hijackedNames, .noInternet, nil,
            "All names lead to the router, or to one address of its network, and nothing answers beyond it.",
            of: \.nearbyImposter
        ) {
            "DNS answers lead all names to \($0.isRouter($1) ? "the router" : "an address of this network") (\($1)), and nothing else answers: "
                + "check whether the router is connected to the Internet, or requires a login."
        },
        Rule(
            .hijackedNames, .limited, .nameServers,
            "Names lead to private addresses, or those of several operators to one.",
            if: { $0.verdict?.reason == .hijackedNames }
        ) { $0.forgerySentence + $0.namesAdvice },
        Rule(
            .tunnelNames, .limited, .tunnel,
            "All name servers are reached through a tunnel, and nothing comes back through it.",
            of: \.silentNamesTunnel
        ) {
            let servers = $0.nameServers.map(\.server.scopedText).joined(separator: ", ")
            return "Nothing comes back through the tunnel \($1), which leads to the DNS servers (\(servers)): "
                + "check the VPN." + $0.namesAdvice
        },
        Rule(
            .addressFamily, .limited, .provider,
            "All name servers are reached by an IP version that is not answered beyond the router; the other one is.",
            of: \.deadNamesVersion, if: \.isDeadBeyondRouter
        ) { $0.deadNamesSentence($1, " beyond the router", "call the provider") },
        Rule(
            .addressFamily, .limited, nil,
            "All name servers are reached by an IP version that is not answered, perhaps by the router; the other one is.",
            of: \.deadNamesVersion
        ) { $0.deadNamesSentence($1, "", "check the router and this machine's firewall") },
        Rule(
            .hostNotFound, .limited, .endpoints, "The names of one operator do not exist.",
            if: { $0.verdict?.reason == .hostNotFound && $0.failedOperators.count == 1 }
        ) { "\(InternetCheck.NoInternetReason.hostNotFound)" + $0.operatorAdvice },
        answeredInPlace(.hostNotFound, .hostNotFound),
        answeredInPlace(.nameResolution, .nameResolution),
        named(.hostNotFound, .hostNotFound, "The names of several operators do not exist (NXDOMAIN)."),
        named(.nameResolution, .nameResolution, "Name servers answer with an error (SERVFAIL)."),
        named(.dnsRefused, .dnsRefused, "Port 53 of the name servers is refused."),
        answeredInPlace(.dnsSilent, .dnsSilent),
        answeredInPlace(.dnsUnreachable, .unreachable),
        named(.dnsSilent, .dnsSilent, "Name servers are silent."),
        Rule(
            .untranslated, .limited, .nameServers, "All addresses of names are of the IP version that has no route.",
            if: { $0.verdict?.reason == .unreachable && $0.untranslatedVersion != nil }
        ) {
            ($0.untranslatedVersion == .ipv4
                ? "Names have IPv4 addresses only, but this network has IPv6 only: its DNS servers should provide DNS64."
                : "Names have IPv6 addresses only, but this network has IPv4 only.") + $0.namesAdvice
        },
        Rule(
            .dnsUnreachable, .limited, .nameServers, "Name servers have no route, or their router does not answer.",
            if: { $0.verdict?.reason == .unreachable && $0.failsAtNames }
        ) { $0.words(.unreachable) + $0.namesAdvice },
        Rule(
            .acceptedInSilence, .limited, .nameServers, "Most names are not resolved; what is connected sends nothing.",
            if: { $0.verdict?.reason == .timedOut && $0.failsAtNames && $0.isAcceptedInSilence }
        ) { "Connections are accepted, but no answer arrives." + $0.namesAdvice },
        Rule(
            .timedOut, .limited, .nameServers, "Most names are not resolved; the other connections are not answered.",
            if: { $0.verdict?.reason == .timedOut && $0.failsAtNames }
        ) { $0.silenceSentence + $0.namesAdvice },
    ]

    /// Plain HTTP passes, HTTPS does not.
    private static let https: [Rule] = [
        [
            inBetween(
                .interception, "Several operators show foreign certificates, and plain HTTP passes.",
                if: { $0.verdict == .partial && $0.secureReason == .tls && $0.isIntercepted }
            ) { _ in "HTTPS does not pass: \(GeneralReason.interception)." }
        ],
        secure(
            .certificate, "One operator shows a foreign certificate.",
            if: { $0.secureReason == .tls && !$0.foreignCertificates.isEmpty }
        ) {
            "HTTPS does not pass: the certificate of \($0.certificateProblem)."
        },
        secure(.tls, "Handshakes break off without a certificate.", if: { $0.secureReason == .tls }) { _ in
            "HTTPS does not pass: \(GeneralReason.brokenHandshakes)."
        },
        secure(.timedOut, "Secure connections are not answered.", if: { $0.secureReason == .timedOut }) { _ in
            "HTTPS does not pass: secure connections are not answered."
        },
        secure(.refused, "Secure connections are refused.", if: { $0.secureReason == .refused }) { _ in
            "HTTPS does not pass: \(GeneralReason.secureRefusal)."
        },
        // A status over HTTPS proves the server, so that no facts meet the row of what is in between.
        secure(
            .serverError, "HTTPS servers answer with an error.",
            if: { $0.secureReason == .unexpectedAnswers && $0.serverErrors($0.secureFailures) != nil }
        ) {
            "HTTPS servers answer with an error (\($0.serverErrors($0.secureFailures) ?? ""))."
        }.filter { $0.fault == .endpoints },
        secure(
            .unexpectedAnswers, "HTTPS servers do not answer as expected.",
            if: { $0.secureReason == .unexpectedAnswers }
        ) { _ in
            "HTTPS servers answer, but not as expected."
        },
        secure(.partial, "HTTPS fails in another way, or cannot be checked.", if: { _ in true }) { facts in
            if let reason = facts.secureReason {
                return "HTTPS does not pass: \(reason.description.loweredFirstLetter)"
            }
            return facts.tlsObstacle.map { "HTTPS cannot be checked: \($0)." } ?? GeneralReason.noHTTPS
        },
    ].flatMap(\.self)

    /// The result of most endpoints.
    private static let operators: [Rule] = [
        [
            inBetween(
                .interception, "Several operators show foreign certificates.",
                if: { $0.verdict?.reason == .tls && $0.isIntercepted }
            ) { _ in "Something is intercepting secure connections." }
        ],
        ofOperators(
            .certificate, "One operator shows a foreign certificate.", by: .tls, if: { !$0.foreignCertificates.isEmpty }
        ) {
            "The certificate of \($0.certificateProblem)."
        },
        ofOperators(.tls, "Handshakes break off.", by: .tls),
        ofOperators(
            .serverError, "All servers answer with an error.", by: .unexpectedAnswers, orIf: { !$0.hasOtherInPlace },
            if: { $0.serverErrors($0.unexpectedAnswers) != nil }
        ) { "Servers answer with an error (\($0.serverErrors($0.unexpectedAnswers) ?? ""))." },
        ofOperators(
            .unexpectedAnswers, "Servers do not answer as expected.", by: .unexpectedAnswers,
            orIf: { !$0.hasOtherInPlace }),
        ofOperators(
            .acceptedInSilence, "Connections are accepted, and then ended without an answer.", by: .refused,
            if: { $0.isAcceptedInSilence }
        ) { _ in "Connections are accepted, but no answer arrives." },
        ofOperators(.refused, "Connections are refused.", by: .refused),
        ofUnknown(.unreachable, "The kernel or a router reports that there is no route.", by: .unreachable) {
            $0.words(.unreachable)
        },
        ofOperators(
            .acceptedInSilence, "Connections are accepted, and then nothing is sent.", by: .timedOut,
            orIf: { !$0.hasAnswer && !$0.isAcceptedInPlace },
            if: { $0.isAcceptedInSilence }
        ) { _ in "Connections are accepted, but no answer arrives." },
        [
            Rule(
                .addressFamily, .limited, .provider,
                "Hosts that are reached through NAT64 are silent, and others answer.",
                if: { $0.verdict?.reason == .timedOut && $0.isTranslationDead }
            ) { _ in Facts.translationSentence.withoutFullStop + ": call the provider." }
        ],
        ofUnknown(.timedOut, "Connections are not answered.", by: .timedOut) { $0.silenceSentence },
    ].flatMap(\.self)
}

// MARK: - Rows that differ in one cell

extension Rule {
    /// Rows for a cause that is also known while something passes.
    private static func eitherState(
        _ cause: ConnectivityCause, _ fault: ConnectivityFault, _ sign: String,
        if condition: @escaping @Sendable (Facts) -> Bool, _ sentence: @escaping @Sendable (Facts) -> String?
    ) -> [Rule] {
        [
            Rule(cause, .noInternet, fault, sign, if: { condition($0) && $0.isSilentBeyond }, sentence),
            Rule(cause, .limited, fault, sign, if: condition, sentence),
        ]
    }

    /// Rows for a proxy by which all endpoints failed.
    private static func proxies(
        _ state: ConnectivityState, if isCounted: @escaping @Sendable (Facts) -> Bool
    ) -> [Rule] {
        func row(
            _ cause: ConnectivityCause, _ sign: String, if condition: @escaping @Sendable (Facts) -> Bool,
            _ words: @escaping @Sendable (Facts) -> String
        ) -> Rule {
            Rule(cause, state, .proxy, sign, of: \.failedProxy, if: { isCounted($0) && condition($0) }) {
                ($0.verdict == .partial ? "HTTPS does not pass: the proxy \($1) " : "The proxy \($1) ")
                    + "\(words($0)). Ask its operator, or check its address."
            }
        }
        return [
            Rule(
                .tunnelProxy, state, .tunnel,
                "The proxy is reached through a tunnel, and nothing comes back through it.",
                of: \.silentProxyTunnel, if: isCounted
            ) {
                "Nothing comes back through the tunnel \($1), which leads to the proxy \($0.failedProxy ?? ""): check the VPN."
            },
            row(.proxyCredentials, "It answers with status 407.", if: { $0.isRefusedByProxy }) { _ in
                "requires a user name and a password"
            },
            row(
                .proxyTunnel, "It passes plain HTTP and refuses tunnels.",
                if: { $0.verdict == .partial && $0.failsOnly(at: .proxy) }
            ) { _ in
                "does not pass secure connections"
            },
            Rule(
                .proxyName, state, .proxy, "Its name does not exist, or has no address.",
                of: \.failedProxy, if: { isCounted($0) && $0.failsOnly(at: .resolve) }
            ) {
                "The name of the proxy \($1) does not exist, or has no address. Ask its operator, or check its address."
            },
            row(
                .proxyRefused, "Its port is closed.",
                if: { facts in
                    facts.failsOnly(at: .connect)
                        && facts.failures.allSatisfy { [.refused, .connectionLost].contains($0.error?.code) }
                }
            ) { _ in "refuses connections" },
            row(.proxySilent, "Connections to it are not answered.", if: { $0.failsOnly(at: .connect) }) { _ in
                "does not answer"
            },
            row(.proxyError, "It answers with an error.", if: { $0.proxyError != nil }) {
                "answers with an error (\($0.proxyError ?? ""))"
            },
            row(.proxy, "No endpoint answers through it.", if: { _ in true }) { _ in
                "does not lead to the Internet, or does not answer"
            },
        ]
    }

    /// A row for names that fail for a reason.
    private static func named(
        _ cause: ConnectivityCause, _ reason: InternetCheck.NoInternetReason, _ sign: String
    ) -> Rule {
        Rule(cause, .limited, .nameServers, sign, if: { $0.verdict?.reason == reason }) {
            $0.words(reason) + $0.namesAdvice
        }
    }

    /// A row for names that fail where nothing shows whether the connection itself works.
    private static func answeredInPlace(_ cause: ConnectivityCause, _ reason: InternetCheck.NoInternetReason) -> Rule {
        Rule(
            cause, .limited, nil,
            "No name server beyond the router answers, and something refuses or accepts connections in the place of all public addresses.",
            if: { $0.verdict?.reason == reason && $0.failsAtNames && $0.isOnlyAnsweredInPlace }
        ) { $0.words(reason) }
    }

    /// Rows for HTTPS that does not pass while plain HTTP does: the fault of a single operator, or of something before them all.
    private static func secure(
        _ cause: ConnectivityCause, _ sign: String, if condition: @escaping @Sendable (Facts) -> Bool,
        _ words: @escaping @Sendable (Facts) -> String
    ) -> [Rule] {
        either(
            cause, sign, isOwn: { $0.failedOperators.count == 1 || $0.hasProvenOperator && !$0.hasSecureAnswer },
            if: { $0.verdict == .partial && condition($0) }, words)
    }

    /// Rows for a reason why no endpoint, or too few, answered: the fault of a single operator, or of something before them all.
    private static func ofOperators(
        _ cause: ConnectivityCause, _ sign: String, by reason: InternetCheck.NoInternetReason,
        orIf isOwn: @escaping @Sendable (Facts) -> Bool = { _ in false },
        if condition: @escaping @Sendable (Facts) -> Bool = { _ in true },
        _ words: (@Sendable (Facts) -> String)? = nil
    ) -> [Rule] {
        either(
            cause, sign, isOwn: { $0.failedOperators.count == 1 || isOwn($0) },
            if: { $0.verdict?.reason == reason && condition($0) }, words ?? { $0.words(reason) })
    }

    /// The same for what may also be said of a check none of whose endpoints failed: it does not show whose fault it is.
    private static func ofUnknown(
        _ cause: ConnectivityCause, _ sign: String, by reason: InternetCheck.NoInternetReason,
        _ words: @escaping @Sendable (Facts) -> String
    ) -> [Rule] {
        let row = Rule(cause, .limited, nil, sign, if: { $0.verdict?.reason == reason && $0.failures.isEmpty }, words)
        return [row] + ofOperators(cause, sign, by: reason, orIf: { !$0.hasAnswer }, words)
    }

    private static func either(
        _ cause: ConnectivityCause, _ sign: String, isOwn: @escaping @Sendable (Facts) -> Bool,
        if condition: @escaping @Sendable (Facts) -> Bool, _ words: @escaping @Sendable (Facts) -> String
    ) -> [Rule] {
        [
            Rule(cause, .limited, .endpoints, sign, if: { condition($0) && isOwn($0) }) {
                words($0) + $0.operatorAdvice
            },
            inBetween(cause, sign, if: condition, words),
        ]
    }

    /// A row for something between this machine and the Internet.
    private static func inBetween(
        _ cause: ConnectivityCause, _ sign: String, if condition: @escaping @Sendable (Facts) -> Bool,
        _ words: @escaping @Sendable (Facts) -> String
    ) -> Rule {
        Rule(cause, .limited, .filter, sign, if: condition) { words($0) + " Ask the operator of this network." }
    }
}

// MARK: - Parts of conditions and sentences

extension Facts {
    /// The state that follows from the path alone.
    fileprivate var pathState: ConnectivityState { ConnectivityState(path) }

    /// Whether there is a path, or may be, and the check found less than the whole Internet over it.
    ///
    /// Without an answer, a borrowed address makes no path.
    fileprivate var isFailing: Bool {
        switch verdict {
        case .partial: path.canBeChecked
        case .noInternet: pathState == .unverified || pathState == .unknown
        default: false
        }
    }

    /// Whether the check ended before it could conclude anything from the answers that were missing.
    fileprivate var isLate: Bool { verdict == .inconclusive && queried.contains { $0.error?.mayBeLoss == true } }

    fileprivate var timeLimit: String { "No answer within \(duration.secondsText)" }

    /// The failure, for a reason that name servers may explain.
    fileprivate func words(_ reason: InternetCheck.NoInternetReason) -> String {
        nameServerSentence(reason) ?? reason.description
    }

    /// The lost packets, and advice.
    var lostPacketsSentence: String {
        let version = versionOfLostPackets.map { " over \($0.name)" } ?? ""
        return "Large packets are lost on the way\(version): check the MTU of the link, of a tunnel or of the router"
    }

    /// The effect of a NAT64 that does not work.
    static let translationSentence =
        "IPv4 is not answered through NAT64: hosts without an IPv6 address cannot be reached."

    fileprivate var silenceSentence: String { hasAnswer ? "Connections are not answered." : "Nothing answers." }

    fileprivate func silentTunnelSentence(_ name: String) -> String {
        let routers = ownRouters.filter { $0.outcome == .answers }.map { "\($0.router)" }.joined(separator: ", ")
        return routers.isEmpty
            ? "Nothing comes back through the tunnel \(name): check the VPN, or the connection that carries it."
            : "Nothing comes back through the tunnel \(name), although the router (\(routers)) answers: check the VPN, "
                + "or whether the Internet works without it."
    }

    fileprivate var forgerySentence: String {
        if failures.contains(where: { $0.error?.code == .hijackedName }) {
            return "DNS answers lead to private addresses: something is forging them."
        }
        guard let imposter else { return InternetCheck.NoInternetReason.hijackedNames.description }
        let names = imposter.isOfAll ? "all names" : "several names"
        return "DNS answers lead \(names) to \(imposter.address): something is forging them."
    }

    fileprivate var namesAdvice: String {
        hasPublicAddress ? " The connection itself works: the Internet answers without names." : ""
    }

    /// What happened where name servers are reached by an IP version that is dead at a place, and what to do.
    fileprivate func deadNamesSentence(_ version: IPVersion, _ place: String, _ advice: String) -> String {
        let servers = nameServers.map(\.server.scopedText).joined(separator: ", ")
        return "\(version.name) is not answered\(place), and all DNS servers are reached by it (\(servers)): "
            + "\(advice), or use DNS servers with \(version == .ipv4 ? "IPv6" : "IPv4") addresses."
    }

    fileprivate var operatorAdvice: String {
        if let onlyOperator { return " Only \(onlyOperator) was queried, so the fault may be there." }
        return hasProvenOperator ? " The connection itself works." : ""
    }

    fileprivate var certificateProblem: String {
        foreignCertificates.first.map { "\($0.operatorText) is \($0.certificateProblem)" } ?? ""
    }

    fileprivate var unexpectedAnswers: [Evidence] { failures.filter { $0.error?.reason == .unexpectedAnswers } }

    fileprivate var proxyError: String? { serverErrors(failures.filter { !$0.isSecure }) ?? proxyAnswer }
}

extension PacketLoss {
    fileprivate var sentence: String {
        "\(description.withoutFullStop): check the cable or the Wi-Fi, or call the provider."
    }
}

extension String {
    /// The sentence as it follows a colon: it starts in lower case, except for an abbreviation such as DNS.
    fileprivate var loweredFirstLetter: String {
        dropFirst().first?.isUppercase == true ? self : prefix(1).lowercased() + dropFirst()
    }
}
