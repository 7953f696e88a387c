// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The property that all failed endpoints share.
extension Facts {
    typealias Evidence = InternetCheck.Evidence

    /// The endpoints that were queried: without those that the verdict did not need, or that could not be queried.
    var queried: [Evidence] { operators.filter { $0.error?.isInability != true } }

    /// Those that failed, without those that were cut off at the end of the check if others show why they failed.
    var failures: [Evidence] {
        let failures = queried.filter { $0.error != nil }
        let located = failures.filter { $0.error?.step != .judge || $0.error?.code != .timedOut }
        return located.isEmpty ? failures : located
    }

    /// Those that failed over HTTPS.
    var secureFailures: [Evidence] { failures.filter(\.isSecure) }

    /// Those that decided the verdict: where plain HTTP passes, those over HTTPS.
    var decidingFailures: [Evidence] { queried.filter { $0.error != nil && (answers != .partial || $0.isSecure) } }

    /// Whether more than half of some endpoints meet a condition.
    func most(_ endpoints: [Evidence], _ condition: (Evidence) -> Bool) -> Bool {
        2 * endpoints.count(where: condition) > endpoints.count
    }

    // MARK: Operators

    /// The operators whose endpoints failed, as text.
    var failedOperators: Set<String> { Set(failures.map(\.operatorText)) }

    /// The operator that alone was queried, whose failure may be its own; nil if there are several.
    var onlyOperator: String? { Set(queried.map(\.operatorText)).count == 1 ? failures.first?.operatorText : nil }

    /// Whether an answer came from an operator itself, as its certificate proves.
    var hasProvenOperator: Bool { operators.contains { $0.isProven } }

    /// Whether HTTPS passes for an operator: if it does not for the others, there is something between.
    var hasSecureAnswer: Bool { operators.contains { $0.isSecure && $0.passed } }

    /// Whether something else answers in the place of the operators: none of them completes a handshake over HTTPS.
    var hasOtherInPlace: Bool {
        let secure = operators.filter { $0.isSecure && $0.error?.isInability != true }
        return !secure.isEmpty
            && !secure.contains { $0.isProven || [.headers, .body].contains($0.error?.step) }
    }

    // MARK: Pages

    /// Whether a page of the router, or of another host of this network, takes the place of the Internet: the names of all endpoints
    /// that were asked lead to one private address, and no public address answers.
    var isOwnPage: Bool {
        let asked = askedBeyond
        guard verdict?.portal != nil, !asked.isEmpty,
            asked.allSatisfy({ ![.answers, .accepts].contains($0.outcome) })
        else { return false }
        let addresses = Dictionary(grouping: queried.map { $0.proxy == nil ? $0.address : nil }) { $0?.version }
        return addresses[nil] == nil
            && addresses.values.allSatisfy { Set($0).count == 1 && $0.allSatisfy { $0?.isPrivate == true } }
    }

    // MARK: Answers

    /// The public addresses that were asked.
    var askedBeyond: [InternetCheck.AddressAnswer] { beyond.filter { $0.outcome != .notSent } }

    /// Whether a public address has accepted a connection.
    var hasPublicAddress: Bool { beyond.contains { $0.outcome == .answers } }

    /// Whether anything beyond this machine's own links has answered, so that the router and its uplink work.
    ///
    /// A firewall may refuse connections in the place of a public address.
    var hasDistantAnswer: Bool { hasPathAnswer || distantServers.contains { !isOfPath($0) } }

    /// Whether something accepts connections in the place of public addresses, and nothing comes back over them.
    var isAcceptedInPlace: Bool { beyond.contains { $0.outcome == .accepts } }

    /// Whether any of them has answered that is reached as the Internet is.
    var hasPathAnswer: Bool { hasPublicAddress || hasConnection || distantServers.contains(where: isOfPath) }

    /// The name servers beyond this machine's own links, and beyond its tunnels' own networks, that have answered.
    private var distantServers: [InternetCheck.NameServerAnswer] {
        // A transparent proxy answers queries itself.
        if transparentProxy != nil { return [] }
        return nameServers.filter { server in
            let isNearby = server.isNearby || server.tunnel != nil && server.server.isPrivate
            return !isNearby && server.hasReplied
        }
    }

    /// Whether a host, or something in its place that answers, has accepted a connection.
    private var hasConnection: Bool { operators.contains { $0.status != nil || $0.isConnected && !isAcceptedInPlace } }

    /// Whether anything has answered, be it a firewall that refuses connections: this machine's own where it rejects everything.
    var hasAnswer: Bool {
        let isAcceptedInPlace = isAcceptedInPlace
        return hasPathAnswer || beyond.contains { $0.outcome == .refuses && (!$0.isRejected || isRejectedHere) }
            || failures.contains { failure in
                [.refused, .tls, .unexpectedAnswers].contains(failure.error?.reason)
                    && !(isAcceptedInPlace && failure.isEndedInSilence)
            }
    }

    /// Whether something refuses or accepts connections in the place of all public addresses that were asked, and no name server beyond
    /// the router answers: then it is not known whose fault it is that names are not resolved.
    var isOnlyAnsweredInPlace: Bool {
        let asked = askedBeyond
        return !asked.isEmpty && asked.allSatisfy { [.refuses, .accepts].contains($0.outcome) }
            && !nameServers.contains { $0.hasReplied && !$0.isNearby }
    }

    /// Whether nothing answers beyond the router, shown by two operators, or by one and the public addresses.
    ///
    /// Endpoints of one's own are no witnesses for the whole Internet.
    var isSilentBeyond: Bool {
        guard let reason = verdict?.reason, reason != .hijackedNames, diagnosis == nil, failedProxy == nil, !hasAnswer,
            packetLoss == nil
        else { return false }
        if isRouterSilent { return true }
        // Servers that a box hides may answer name servers of this network.
        if isAcceptedInPlace, failsAtNames, nameServers.contains(where: \.hasReplied) { return false }
        if !askedBeyond.isEmpty, !failures.isEmpty { return true }
        let known = Set([InternetCheck.Endpoint].defaults.map(\.url))
        let asked = failures.filter { $0.error?.step != .resolve && known.contains($0.url) }
        return Set(asked.map(\.operatorText)).count > 1
    }

    // MARK: Routers

    /// Whether all routers of this machine's own links are silent.
    var isRouterSilent: Bool { !ownRouters.isEmpty && ownRouters.allSatisfy { $0.outcome == .silent } }

    /// Whether a router of this machine's own links has answered.
    var hasRouter: Bool { ownRouters.contains { $0.outcome == .answers } }

    /// The first report of a router that it does not forward packets; nil without one.
    var routerReport: RouterReport? { (routers.lazy.compactMap(\.report) + beyond.lazy.compactMap(\.report)).first }

    /// Whether the router, if there is one, is known to work: it answers, or reports that it does not forward packets.
    var isBeyondRouter: Bool {
        // A router whose answer was not awaited may be at fault.
        if ownRouters.isEmpty { return path.gateways.isEmpty || tunnel != nil }
        return hasRouter || hasTunnelEnd || hasAnswerBesideTunnel || tunnel == nil && routerReport != nil
    }

    // MARK: This machine

    /// Whether a firewall or a routing rule of this machine rejects connections: none to a public address could be started, or
    /// datagrams to none could be sent, by their first hop and to them, and nothing distant answers.
    var isRejectedHere: Bool {
        let sent = askedBeyond
        if !sent.isEmpty, sent.allSatisfy(\.isRejected), !hasDistantAnswer,
            routers.allSatisfy({ $0.isRejectedBeyond || $0.egress == .carrier })
        {
            return true
        }
        guard !beyond.isEmpty, beyond.allSatisfy({ $0.outcome == .notSent }) else { return false }
        return most(decidingFailures) { $0.error?.code == .unreachable && $0.error?.step == .connect }
    }

    /// Whether most certificates are not valid at this machine's time.
    var hasInvalidCertificates: Bool {
        guard verdict == .partial || verdict?.reason == .tls else { return false }
        let secureFailures = secureFailures
        let isInvalid = { (evidence: Evidence) in evidence.error?.code == .invalidCertificate }
        if most(secureFailures, isInvalid) { return true }
        // Certificates that were lost say nothing against those of two operators.
        guard !hasProvenOperator, Set(secureFailures.filter(isInvalid).map(\.operatorText)).count > 1 else {
            return false
        }
        return most(secureFailures.filter { $0.error?.mayBeLoss == false }, isInvalid)
    }

    /// The sandbox that refused the sockets of the check, in one sentence; nil if sockets were allowed.
    var socketRefusal: String? {
        guard let error = operators.first?.error, error.code == .notPermitted, error.step == .prepare else {
            return nil
        }
        return "\(error.message)."
    }

    /// What this process, or this machine, lacked for a probe; nil if it lacked nothing.
    var shortage: String? { inability(.noResources) }

    /// Why a proxy cannot be used; nil if it can.
    var unsupportedProxy: String? { inability(.unsupportedProxy) }

    private func inability(_ code: ProbeError.Code) -> String? {
        operators.lazy.compactMap(\.error).first { $0.code == code }?.message
    }

    /// Why HTTPS could not be queried; nil if it was, and without endpoints.
    var tlsObstacle: String? { InternetCheck.TLSProof(operators)?.reason }

    // MARK: Proxy

    /// The proxy, without its password, if all endpoints that failed were queried by it and it is to blame.
    var failedProxy: String? {
        let failures = failures
        guard let proxy = failures.first?.proxy, failures.allSatisfy({ $0.proxy == proxy }) else { return nil }
        // Name servers may be why the proxy's own name is not resolved.
        if failsOnly(at: .resolve), (verdict?.reason ?? secureReason) != .hostNotFound { return nil }
        switch verdict {
        case .noInternet: return proxy
        case .partial:
            return failures.allSatisfy { [.resolve, .connect, .proxy].contains($0.error?.step) } ? proxy : nil
        default: return nil
        }
    }

    /// Whether all endpoints that failed did so at one step.
    func failsOnly(at step: ProbeError.Step) -> Bool { failures.allSatisfy { $0.error?.step == step } }

    /// Whether the proxy requires other credentials, or any.
    var isRefusedByProxy: Bool { failures.contains { $0.error?.proxyStatus == 407 } }

    /// What the proxy answers in place of a tunnel; nil if it says nothing.
    var proxyAnswer: String? {
        secureFailures.lazy.compactMap(\.error).filter { $0.code == .proxyFailure }.map(\.message)
            .first { !$0.isEmpty }
    }

    // MARK: Names

    /// Whether most endpoints failed because their names were not resolved, or were resolved to wrong addresses.
    var failsAtNames: Bool {
        verdict == .noInternet(.hijackedNames)
            || most(failures) { $0.error?.step == .resolve && $0.proxy == nil }
    }

    /// The IP version of all addresses of names, if this machine has no route for it while the other one works; nil otherwise.
    var untranslatedVersion: IPVersion? {
        let versions = Set(
            failures.flatMap { failure in
                [failure.error?.code == .unreachable ? failure.address?.version : nil]
                    + failure.failedAttempts.map(\.address.version)
            })
        guard versions.count == 1, case let version?? = versions.first,
            beyond.contains(where: { $0.outcome == .answers && $0.address.version != version })
        else { return nil }
        return version
    }

    /// Whether only addresses of an IP version were tried that is dead while the other one works.
    func isOfDeadVersion(_ evidence: Evidence) -> Bool {
        guard !evidence.failedAttempts.isEmpty, let dead = DeadFamily(operators, beyond + otherVersion)?.family else {
            return false
        }
        return evidence.failedAttempts.allSatisfy { $0.address.version == dead }
    }

    /// The IP version that is not answered while the other one works, if all name servers are reached by it; nil without one.
    var deadNamesVersion: IPVersion? {
        let hops = InternetCheck.Hops(nameServers: nameServers, publicAddresses: beyond)
        guard failsAtNames, packetLoss == nil, let version = hops.silentNamesVersion,
            DeadFamily(operators, beyond + otherVersion)?.family == version
        else { return nil }
        return version
    }

    /// Whether that IP version is dead beyond this machine and its router: the router of this version answers or does not exist, or
    /// a router reports that it does not forward packets.
    var isDeadBeyondRouter: Bool {
        guard let version = deadNamesVersion else { return false }
        let asked = (beyond + otherVersion).filter { $0.address.version == version }
        if asked.contains(where: \.isRejected) { return false }
        return asked.contains { $0.report != nil }
            || !path.gateways.contains { $0.address.version == version }
            || ownRouters.contains { $0.router.address.version == version && $0.outcome == .answers }
    }

    /// What is wrong with the name servers, as a sentence that lists them; nil if that is not known.
    func nameServerSentence(_ reason: InternetCheck.NoInternetReason) -> String? {
        failures.lazy.compactMap(\.error).first { $0.reason == reason }?.nameServerSentence
    }

    /// The first name server that does not answer while another one does.
    var silentNameServer: NetworkAddress? {
        guard nameServers.contains(where: { $0.outcome == .answers }) else { return nil }
        return nameServers.first { [.silent, .refuses, .unreachable].contains($0.outcome) }?.server
    }

    /// The address to which names lead, and whether all do.
    var imposter: (address: NetworkAddress, isOfAll: Bool)? {
        let failures = failures
        let counts = failures.compactMap(\.address).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        // Of equally frequent ones the lowest, so that the same facts give the same sentence.
        let most = counts.max { ($0.value, "\($1.key)") < ($1.value, "\($0.key)") }
        return most.map { ($0.key, $0.value == failures.count) }
    }

    /// The address of a transparent proxy to which all names lead; nil without one.
    var transparentProxy: NetworkAddress? {
        let addresses = queried.compactMap { $0.proxy == nil ? $0.address : nil }
        guard addresses.allSatisfy(\.isOfTransparentProxy) else { return nil }
        return addresses.min { "\($0)" < "\($1)" }
    }

    /// Whether names lead to a transparent proxy, and no endpoint answers through it.
    var isTransparentProxySilent: Bool {
        transparentProxy != nil && !operators.contains { $0.status != nil }
            && failures.allSatisfy { $0.error?.code == .timedOut || $0.error?.reason == .refused }
    }

    /// The one address of this network to which all names lead, be it the router's, if nothing else shows that the Internet answers.
    var nearbyImposter: NetworkAddress? {
        guard verdict?.reason == .hijackedNames, let imposter, imposter.isOfAll, !hasDistantAnswer,
            !askedBeyond.isEmpty, !beyond.contains(where: { $0.outcome == .refuses })
        else { return nil }
        return imposter.address.isPrivate && !imposter.address.isThisHost || isRouter(imposter.address)
            ? imposter.address : nil
    }

    func isRouter(_ address: NetworkAddress) -> Bool {
        path.gateways.contains { $0.address.unscoped == address.unscoped }
    }

    // MARK: IP versions

    /// The IP version by which alone packets of full size are lost: HTTPS passes by the other one.
    var versionOfLostPackets: IPVersion? {
        guard largePackets == .lost, let version = largePacketsVersion,
            operators.contains(where: { $0.isSecure && $0.passed && $0.proxy == nil && $0.address?.version != version })
        else { return nil }
        return version
    }

    /// The login page that is shown by one IP version alone, and that version; nil without one.
    var pageOfVersion: (portal: URL, version: IPVersion)? {
        guard let page = secondPage?.portal, let version = secondPage?.address?.version,
            operators.allSatisfy({ $0.portal == nil || $0.address?.version == version })
        else { return nil }
        return (page, version)
    }

    /// Whether NAT64 does not work (RFC 6146): hosts that are reached through it are silent, those of several operators and no other.
    var isTranslationDead: Bool {
        let direct = queried.filter { $0.proxy == nil && $0.error?.step != .resolve }
        let translated = direct.filter { $0.address?.isTranslated == true }
        return !translated.contains { $0.status != nil || $0.isConnected }
            && Set(translated.filter { $0.error?.code == .timedOut }.map(\.operatorText)).count > 1
            && direct.contains { $0.passed }
            && !direct.contains { $0.address?.isTranslated == false && $0.error?.code == .timedOut }
    }

    // MARK: HTTPS

    /// What happened to most of the endpoints over HTTPS that failed; nil if none did.
    var secureReason: InternetCheck.NoInternetReason? { .mostFrequent(secureFailures.compactMap(\.error?.reason)) }

    /// The operators whose certificates are not their own; empty if most handshakes break off without one.
    ///
    /// The certificate of a single operator may simply be wrong; those of several are not, all at once.
    var foreignCertificates: [Evidence] {
        let broken = secureFailures.filter { $0.error?.reason == .tls }
        let foreign = broken.filter { [.untrustedCertificate, .wrongCertificateName].contains($0.error?.code) }
        return 2 * foreign.count > broken.count ? foreign : []
    }

    /// Whether several operators have foreign certificates.
    var isIntercepted: Bool { Set(foreignCertificates.map(\.operatorText)).count > 1 }

    /// The statuses of endpoints, as text, if all of them are errors of a server; nil otherwise.
    func serverErrors(_ endpoints: [Evidence]) -> String? {
        let statuses = endpoints.map { $0.status ?? 0 }
        guard !statuses.isEmpty, statuses.allSatisfy((500..<600).contains) else { return nil }
        return "status " + Set(statuses).sorted().map(String.init).joined(separator: ", ")
    }

    /// Whether hosts, or something in their place, accept connections and then send nothing, be it that they end them.
    var isAcceptedInSilence: Bool {
        most(failures.filter { $0.error?.code == .timedOut || $0.error?.reason == .refused }, \.isEndedInSilence)
    }
}
