// SPDX-License-Identifier: Apache-2.0

extension InternetCheck.Report {
    /// What happened to the requests of a check that did not verify the Internet, in one sentence that names the servers
    /// concerned, if known.
    var cause: String {
        if let diagnosis, verdict.reason != nil { return diagnosis.description }
        switch verdict {
        case .partial:
            let words = clockExplanation ?? failedProxy.map(explanation(ofProxy:)) ?? secureExplanation
            guard let words else { return GeneralReason.noHTTPS }
            return words.hasPrefix("HTTPS")
                ? words : "\(GeneralReason.noHTTPS.withoutFullStop): \(words.loweredFirstLetter)"
        case .noInternet(let reason):
            return clockExplanation ?? failedProxy.map(explanation(ofProxy:)) ?? explanation(of: reason)
        case .captivePortal: return GeneralReason.login
        case .verified, .inconclusive: return GeneralReason.undetermined
        }
    }

    private var clockExplanation: String? {
        hasInvalidCertificates ? "Certificates are not valid at this machine's time: check its clock." : nil
    }

    private func explanation(of reason: InternetCheck.NoInternetReason) -> String {
        let words: String? =
            switch reason {
            case .unreachable where isRejectedHere:
                "This machine rejects its own connections: check its firewall and its routing rules."
            case .hijackedNames: forgeryExplanation
            case .tls: certificateExplanation
            case .unexpectedAnswers:
                serverErrors(failures.filter { $0.error?.reason == reason }).map {
                    "Servers answer with an error (\($0))."
                }
            case .timedOut:
                isAcceptedInSilence
                    ? "Connections are accepted, but no answer arrives."
                    : isAnswered ? "Connections are not answered." : nil
            case .unreachable where untranslatedVersion != nil: translationExplanation
            case .dnsRefused, .dnsSilent, .nameResolution, .unreachable:
                failures.lazy.compactMap(\.error).first { $0.reason == reason }?.nameServerSentence
            default: nil
            }
        return words ?? reason.description
    }

    /// Why HTTPS does not pass.
    private var secureExplanation: String? {
        if isRejectedHere {
            return "HTTPS does not pass, because this machine rejects it: check its firewall and its routing rules."
        }
        let secure = failures.filter(\.isSecure)
        guard let reason = InternetCheck.NoInternetReason.mostFrequent(secure.compactMap(\.error?.reason)) else {
            return tls?.reason.map { "HTTPS cannot be checked: \($0)." }
        }
        return switch reason {
        case .tls: certificateExplanation ?? "Secure connections break off during the handshake."
        case .timedOut: "Secure connections are not answered."
        case .refused: "Secure connections are refused."
        case .unexpectedAnswers:
            serverErrors(secure).map { "HTTPS servers answer with an error (\($0))." }
                ?? "HTTPS servers answer, but not as expected."
        default: reason.description
        }
    }

    /// What the certificates show; nil if the handshakes break off without one.
    ///
    /// The certificate of a single operator may simply be wrong; those of several are not, all at once.
    private var certificateExplanation: String? {
        let tls = failures.filter { $0.isSecure && $0.error?.reason == .tls }
        let foreign = tls.filter {
            [.untrustedCertificate, .wrongCertificateName].contains($0.error?.code)
        }
        guard let first = foreign.first, 2 * foreign.count > tls.count else { return nil }
        if Set(foreign.map(\.operatorText)).count > 1 { return "Something is intercepting secure connections." }
        let problem = first.error?.code == .untrustedCertificate ? "not trusted" : "for another name"
        return "The certificate of \(first.operatorText) is \(problem)."
    }

    /// The IP version of all addresses of names, if this machine has no route for it while the other one works; nil otherwise.
    var untranslatedVersion: IPVersion? {
        let versions = Set(failures.map { $0.error?.code == .unreachable ? $0.address?.version : nil })
        guard versions.count == 1, case let version?? = versions.first,
            hops?.publicAddresses.contains(where: { $0.outcome == .answers && $0.address.version != version }) == true
        else { return nil }
        return version
    }

    private var translationExplanation: String {
        untranslatedVersion == .ipv4
            ? "Names have IPv4 addresses only, but this network has IPv6 only: its DNS servers should provide DNS64."
            : "Names have IPv6 addresses only, but this network has IPv4 only."
    }

    private var forgeryExplanation: String? {
        if failures.contains(where: { $0.error?.code == .hijackedName }) {
            return "DNS answers lead to private addresses: something is forging them."
        }
        let addresses = failures.compactMap(\.address)
        let counts = addresses.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        guard let (address, count) = counts.max(by: { $0.value < $1.value }) else { return nil }
        let names = count == failures.count ? "all names" : "several names"
        return "DNS answers lead \(names) to \(address): something is forging them."
    }

    /// Whether hosts, or something in their place, accept connections and then send nothing.
    private var isAcceptedInSilence: Bool {
        let late = failures.compactMap(\.error).filter { $0.reason == .timedOut }
        return 2 * late.count { [.tls, .headers, .body].contains($0.step) } > late.count
    }

    /// The statuses of evidence, as text, if all of them are errors of a server.
    private func serverErrors(_ evidence: [InternetCheck.Evidence]) -> String? {
        let statuses = evidence.map { $0.status ?? 0 }
        guard !statuses.isEmpty, statuses.allSatisfy((500..<600).contains) else { return nil }
        return "status " + Set(statuses).sorted().map(String.init).joined(separator: ", ")
    }

    private func explanation(ofProxy proxy: String) -> String {
        if failures.contains(where: { $0.error?.isRefusalOfCredentials == true }) {
            return "The proxy \(proxy) requires a user name and a password."
        }
        if verdict == .partial { return "The proxy \(proxy) does not pass secure connections." }
        if failures.allSatisfy({ $0.error?.step == .resolve }) {
            return "The name of the proxy \(proxy) does not exist, or has no address."
        }
        if failures.allSatisfy({ $0.error?.step == .connect }) {
            let isRefusing = failures.allSatisfy { [.refused, .connectionLost].contains($0.error?.code) }
            return "The proxy \(proxy) \(isRefusing ? "refuses connections" : "does not answer")."
        }
        let tunnels = failures.lazy.filter(\.isSecure).compactMap(\.error).filter { $0.code == .proxyFailure }
        if let status = serverErrors(failures.filter { !$0.isSecure }) {
            return "The proxy \(proxy) answers with an error (\(status))."
        }
        if let message = tunnels.map(\.message).first(where: { !$0.isEmpty }) {
            return "The proxy \(proxy) answers with an error (\(message))."
        }
        return "The proxy \(proxy) does not lead to the Internet, or does not answer."
    }
}

extension InternetCheck.Report {
    /// The endpoints that were queried: without those that the verdict did not need, or that could not be queried.
    package var queriedEndpoints: [InternetCheck.Evidence] {
        endpoints.filter { $0.error?.isInability != true }
    }

    /// The endpoints that failed and decided the verdict: where plain HTTP passes, those over HTTPS.
    var decidingFailures: [InternetCheck.Evidence] {
        queriedEndpoints.filter { $0.error != nil && (verdict != .partial || $0.isSecure) }
    }

    /// The time in which the fastest endpoint that passed answered, without the time that other addresses took before it was
    /// tried; nil if none did.
    package var latency: Duration? { endpoints.filter(\.passed).map(\.durations.latency).min() }

    /// The sandbox that refused the sockets of a check, in one sentence; nil if sockets were allowed.
    var socketRefusal: String? {
        guard let error = endpoints.first?.error, error.code == .notPermitted, error.step == .prepare else {
            return nil
        }
        return "\(error.message)."
    }

    /// The endpoints that were queried and failed, without those that were cut off at the end of the check if others show
    /// why they failed.
    private var failures: [InternetCheck.Evidence] {
        let failures = queriedEndpoints.filter { $0.error != nil }
        let located = failures.filter { $0.error?.step != .judge || $0.error?.code != .timedOut }
        return located.isEmpty ? failures : located
    }

    /// The operators whose endpoints failed, as text.
    var failedOperators: Set<String> { Set(failures.map(\.operatorText)) }

    /// Whether only one operator was queried, whose failure may be its own.
    var isOfOneOperator: Bool { Set(queriedEndpoints.map(\.operatorText)).count == 1 }

    /// Whether most endpoints failed because their names were not resolved, or were resolved to wrong addresses.
    var failsAtNames: Bool {
        verdict == .noInternet(.hijackedNames)
            || 2 * failures.count { $0.error?.step == .resolve && $0.proxy == nil } > failures.count
    }

    /// Whether a host, or something in its place that answers, has accepted a connection.
    private var hasConnections: Bool {
        let isIntercepted = hops?.isIntercepted == true
        return endpoints.contains { $0.status != nil || $0.isConnected && !isIntercepted }
    }

    /// Whether anything beyond this machine's own links has answered, so that the router and its uplink work.
    ///
    /// A firewall may refuse connections in the place of a public address.
    var hasDistantAnswer: Bool {
        hops?.isUplinkWorking == true || hasConnections
            || hops?.nameServers.contains { !$0.isNearby && [.answers, .fails, .refuses].contains($0.outcome) } == true
    }

    /// Whether anything has answered, be it a firewall that refuses connections.
    var isAnswered: Bool {
        hasDistantAnswer || failures.contains { [.refused, .tls, .unexpectedAnswers].contains($0.error?.reason) }
            || hops?.publicAddresses.contains { $0.outcome == .refuses } == true
    }

    /// Whether nothing beyond the router answers, by two operators, or by one and the public addresses.
    ///
    /// Endpoints of one's own are no witnesses for the whole Internet.
    var isSilent: Bool {
        guard case .noInternet(let reason) = verdict, reason != .hijackedNames, diagnosis == nil, failedProxy == nil,
            !isAnswered, packetLoss == nil
        else { return false }
        if hops?.isRouterSilent == true { return true }
        if hops?.publicAddresses.contains(where: { $0.outcome != .notSent }) == true, !failures.isEmpty { return true }
        let known = Set([InternetCheck.Endpoint].defaults.map(\.url))
        let asked = failures.filter { $0.error?.step != .resolve && known.contains($0.url) }
        return Set(asked.map(\.operatorText)).count > 1
    }

    /// Whether an answer came from an operator itself, as its certificate proves.
    var hasProvenAnswer: Bool { endpoints.contains { $0.isSecure && $0.status != nil } }

    /// Whether something else answers in the place of the operators: none of them completes a handshake over HTTPS.
    var isAnsweredByOther: Bool {
        let secure = endpoints.filter { $0.isSecure && $0.error?.isInability != true }
        return !secure.isEmpty
            && !secure.contains { $0.status != nil || [.headers, .body].contains($0.error?.step) }
    }

    /// Whether the cause is on this machine: most failures are certificates that a wrong clock makes invalid, connections are
    /// rejected here, or HTTPS is required and cannot be checked here.
    var isFaultOfMachine: Bool {
        if hasInvalidCertificates || isRejectedHere { return true }
        return verdict == .partial && failures.isEmpty && tls?.reason != nil
    }

    /// Whether a firewall or a routing rule of this machine rejects connections: none to a public address could be started.
    private var isRejectedHere: Bool {
        guard let addresses = hops?.publicAddresses, !addresses.isEmpty,
            addresses.allSatisfy({ $0.outcome == .notSent })
        else { return false }
        let failures = decidingFailures
        return 2 * failures.count { $0.error?.code == .unreachable && $0.error?.step == .connect } > failures.count
    }

    private var hasInvalidCertificates: Bool {
        guard verdict == .partial || verdict.reason == .tls else { return false }
        let secure = failures.filter(\.isSecure)
        return 2 * secure.count { $0.error?.code == .invalidCertificate } > secure.count
    }

    /// The proxy, without its password, if all endpoints that failed were queried by it and it is to blame.
    var failedProxy: String? {
        guard let proxy = failures.first?.proxy, failures.allSatisfy({ $0.proxy == proxy }) else { return nil }
        // Name servers may be why the proxy's own name is not resolved.
        if failures.allSatisfy({ $0.error?.step == .resolve }), verdict.reason != .hostNotFound { return nil }
        switch verdict {
        case .noInternet: return proxy
        case .partial: return failures.allSatisfy { $0.error?.code == .proxyFailure } ? proxy : nil
        default: return nil
        }
    }
}

extension InternetCheck.Evidence.Durations {
    /// All steps together, without the delay.
    package var latency: Duration { total - (delay ?? .zero) }
}

extension InternetCheck.Evidence {
    /// Whether a host, or something in its place, has accepted the connection.
    var isConnected: Bool {
        guard proxy == nil else { return false }
        return status != nil || [.tls, .headers, .body].contains(error?.step) && error?.isInability == false
    }

    /// The operator, or the host if it is unknown.
    fileprivate var operatorText: String { operatorName ?? (try? ProbeTarget(url))?.host ?? url }
}

extension String {
    /// The sentence as it follows a colon: it starts in lower case, except for an abbreviation such as DNS.
    var loweredFirstLetter: String {
        dropFirst().first?.isUppercase == true ? self : prefix(1).lowercased() + dropFirst()
    }
}

extension ProbeError {
    /// Whether a proxy requires other credentials, or any.
    fileprivate var isRefusalOfCredentials: Bool {
        let refusal = ProbeError.proxy(answering: 407)
        return code == refusal.code && message == refusal.message
    }
}
