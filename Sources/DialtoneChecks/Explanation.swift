// SPDX-License-Identifier: Apache-2.0

extension InternetCheck.Report {
    /// Why the Internet, or HTTPS alone, cannot be reached, in one sentence for a user that names the servers concerned, if
    /// known; nil for other verdicts, and if the reason is not known.
    public var explanation: String? {
        if let diagnosis, verdict.reason != nil { return diagnosis.description }
        if hasInvalidCertificates { return "Certificates are not valid at this machine's time: check its clock." }
        if let proxy = failedProxy { return explanation(of: proxy) }
        return switch verdict {
        case .partial: secureExplanation
        case .noInternet(let reason): explanation(of: reason)
        default: nil
        }
    }

    private func explanation(of reason: InternetCheck.NoInternetReason) -> String {
        let words: String? =
            switch reason {
            case .hijackedNames: forgeryExplanation
            case .tls: certificateExplanation
            case .unexpectedAnswers: serverErrors(failures).map { "Servers answer with an error (\($0))." }
            case .timedOut: isAcceptedInSilence ? "Connections are accepted, but no answer arrives." : nil
            case .dnsRefused, .dnsSilent, .nameResolution, .unreachable:
                failures.lazy.compactMap(\.error).first { $0.reason == reason }?.nameServerSentence
            default: nil
            }
        return words ?? reason.description
    }

    /// Why HTTPS does not pass.
    private var secureExplanation: String? {
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

    private var forgeryExplanation: String? {
        if failures.contains(where: { $0.error?.code == .hijackedName }) {
            return "DNS answers lead to private addresses: something is forging them."
        }
        let addresses = failures.filter { $0.isSecure && $0.error?.reason == .tls }.compactMap(\.address)
        let counts = addresses.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        guard let address = addresses.max(by: { (counts[$0] ?? 0) < (counts[$1] ?? 0) }) else { return nil }
        return "DNS answers lead to one wrong address (\(address)): something is forging them."
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

    private func explanation(of proxy: String) -> String {
        if failures.contains(where: { $0.error?.isRefusalOfCredentials == true }) {
            return "The proxy \(proxy) requires a user name and a password."
        }
        if verdict == .partial { return "The proxy \(proxy) does not pass secure connections." }
        if failures.allSatisfy({ $0.error?.step == .connect }) {
            let isRefusing = failures.allSatisfy { $0.error?.code == .refused }
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

    /// The time until the fastest endpoint that passed had answered; nil if none did.
    package var latency: Duration? { endpoints.filter(\.passed).map(\.durations.total).min() }

    /// The endpoints that were queried and failed, without those that were cut off at the end of the check if others show
    /// why they failed.
    private var failures: [InternetCheck.Evidence] {
        let failures = queriedEndpoints.filter { $0.error != nil }
        let located = failures.filter { $0.error?.step != .judge || $0.error?.code != .timedOut }
        return located.isEmpty ? failures : located
    }

    /// The operators whose endpoints failed, as text.
    package var failedOperators: Set<String> { Set(failures.map(\.operatorText)) }

    /// Whether only one operator was queried, whose failure may be its own.
    package var isOfOneOperator: Bool { Set(queriedEndpoints.map(\.operatorText)).count == 1 }

    /// Whether most endpoints failed because their names were not resolved, or were resolved to wrong addresses.
    package var failsAtNames: Bool {
        verdict == .noInternet(.hijackedNames)
            || 2 * failures.count { $0.error?.step == .resolve && $0.proxy == nil } > failures.count
    }

    /// Whether a host, or something in its place, has accepted a connection.
    package var hasConnections: Bool {
        endpoints.contains {
            $0.proxy == nil
                && ($0.status != nil
                    || [.tls, .headers, .body].contains($0.error?.step) && $0.error?.isInability == false)
        }
    }

    /// Whether an answer came from an operator itself, as its certificate proves.
    package var hasProvenAnswer: Bool { endpoints.contains { $0.isSecure && $0.status != nil } }

    /// Whether the cause is on this machine: most failures are certificates that a wrong clock makes invalid, or HTTPS is
    /// required and cannot be checked here.
    package var isFaultOfMachine: Bool {
        if hasInvalidCertificates { return true }
        return verdict == .partial && failures.isEmpty && tls?.reason != nil
    }

    /// Whether the place of the fault is still open, so that `NetworkDiagnostics` finds out more.
    package var leavesPlaceOpen: Bool {
        guard diagnosis == nil, !isFaultOfMachine, failedProxy == nil, let reason = verdict.reason else { return false }
        return ![.tls, .unexpectedAnswers].contains(reason)
    }

    private var hasInvalidCertificates: Bool {
        guard verdict == .partial || verdict.reason == .tls else { return false }
        let secure = failures.filter(\.isSecure)
        return 2 * secure.count { $0.error?.code == .invalidCertificate } > secure.count
    }

    /// The proxy, without its password, if all endpoints that failed were queried by it and it is to blame.
    package var failedProxy: String? {
        guard let proxy = failures.first?.proxy, failures.allSatisfy({ $0.proxy == proxy }) else { return nil }
        // The proxy's own name may be what is not resolved.
        if failures.allSatisfy({ $0.error?.step == .resolve }) { return nil }
        switch verdict {
        case .noInternet: return proxy
        case .partial: return failures.allSatisfy { $0.error?.code == .proxyFailure } ? proxy : nil
        default: return nil
        }
    }
}

extension InternetCheck.Evidence {
    /// The operator, or the host if it is unknown.
    fileprivate var operatorText: String { operatorName ?? (try? ProbeTarget(url))?.host ?? url }
}

extension ProbeError {
    /// Whether a proxy requires other credentials, or any.
    fileprivate var isRefusalOfCredentials: Bool {
        let refusal = ProbeError.proxy(answering: 407)
        return code == refusal.code && message == refusal.message
    }
}
