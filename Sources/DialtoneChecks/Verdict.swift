// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

extension InternetCheck {
    /// The conclusion of a check.
    public enum Verdict: Hashable, Sendable {
        /// The Internet answered: as many endpoints as the quorum requires gave the expected answer.
        ///
        /// `Report.remarks` names the one operator, or the captive portal API, that contradicts it.
        case verified
        /// HTTP passes, HTTPS does not.
        case partial
        /// The network requires a login at the URL, which a browser can open.
        ///
        /// The URL comes from the network: it is `http` or `https`, percent-encoded, and at most 2048 bytes long.
        case captivePortal(URL)
        /// The Internet did not answer, for this reason.
        case noInternet(NoInternetReason)
        /// There is too little evidence: checks are off, or no endpoint could be queried.
        case inconclusive
    }

    /// Why the Internet did not answer: what happened to most of the endpoints.
    public enum NoInternetReason: String, Hashable, Sendable, CaseIterable {
        /// Names resolve to private addresses, or those of several operators to one false host: DNS answers are forged.
        case hijackedNames
        /// A certificate was refused or a handshake broke: HTTPS is intercepted, or the clock is wrong.
        case tls
        /// Hosts answered, but not as expected.
        case unexpectedAnswers
        /// Connections were refused or broken.
        case refused
        /// The names do not exist (`NXDOMAIN`), or have no address.
        case hostNotFound
        /// The DNS servers answered with an error (`SERVFAIL`), or names could not be resolved for an unknown reason.
        case nameResolution
        /// Nothing listens on port 53 of the DNS servers.
        case dnsRefused
        /// There is no route, according to this machine or a router.
        case unreachable
        /// Nothing answered in time.
        case timedOut
        /// The DNS servers did not answer.
        case dnsSilent
    }
}

extension InternetCheck.Verdict: CustomStringConvertible {
    /// Its spelling in reports.
    public var reportName: String {
        switch self {
        case .verified: "verified"
        case .partial: "partial"
        case .captivePortal: "captivePortal"
        case .noInternet: "noInternet"
        case .inconclusive: "inconclusive"
        }
    }

    /// The portal's URL; nil for other verdicts.
    public var portal: URL? {
        if case .captivePortal(let url) = self { url } else { nil }
    }

    /// Why the Internet did not answer; nil for other verdicts.
    public var reason: InternetCheck.NoInternetReason? {
        if case .noInternet(let reason) = self { reason } else { nil }
    }

    /// The verdict without a portal's URL, which in many portals changes with each request.
    package var kind: String { reportName + (reason.map { ".\($0.rawValue)" } ?? "") }

    /// The verdict with its URL or reason.
    public var description: String {
        switch self {
        case .captivePortal(let url): "captivePortal(\(url.absoluteString))"
        case .noInternet(let reason): "noInternet(\(reason.rawValue))"
        default: reportName
        }
    }
}

extension InternetCheck.NoInternetReason: CustomStringConvertible {
    /// One sentence for a user.
    public var description: String {
        switch self {
        case .hijackedNames: "DNS answers lead to private addresses: something is forging them."
        case .tls: "Secure connections fail: something is intercepting them, or this machine's clock is wrong."
        case .unexpectedAnswers: "Servers answer, but not as expected."
        case .refused: "Connections are refused."
        case .hostNotFound: "The names of the endpoints do not exist, or have no address."
        case .nameResolution: "Names cannot be resolved: the DNS servers answer with an error."
        case .dnsRefused: "DNS servers refuse queries."
        case .unreachable: "There is no route beyond the router."
        case .timedOut: "Nothing answers."
        case .dnsSilent: "DNS servers do not answer."
        }
    }
}

extension InternetCheck.Report {
    /// Why the Internet, or HTTPS alone, cannot be reached, in one sentence for a user that names the servers concerned, if
    /// known; nil for other verdicts, and if the reason is not known.
    public var explanation: String? {
        if let diagnosis, verdict.reason != nil { return diagnosis.description }
        if hasInvalidCertificates { return "Certificates are not valid at this machine's time: check its clock." }
        if let proxy = failedProxy {
            return proxyRequiresLogin
                ? "The proxy \(proxy) requires a user name and a password."
                : "The proxy \(proxy) does not lead to the Internet, or does not answer."
        }
        guard let reason = verdict.reason else { return verdict == .partial ? secureExplanation : nil }
        let names: [InternetCheck.NoInternetReason] = [.dnsRefused, .dnsSilent, .nameResolution, .unreachable]
        let error = endpoints.lazy.compactMap(\.error).first { $0.reason == reason }
        guard names.contains(reason), let error, error.step == .resolve, !error.message.isEmpty else {
            return reason.description
        }
        return error.message.hasSuffix(")") ? error.message + "." : reason.description
    }

    /// Why HTTPS does not pass.
    private var secureExplanation: String? {
        switch InternetCheck.NoInternetReason.mostFrequent(failures.filter(\.isSecure).compactMap(\.error?.reason)) {
        case .tls: "Something is intercepting secure connections."
        case .timedOut: "Secure connections are not answered."
        case .refused: "Secure connections are refused."
        case .unexpectedAnswers: "HTTPS servers answer, but not as expected."
        case let reason?: reason.description
        case nil: nil
        }
    }

    /// The endpoints that were queried and failed.
    private var failures: [InternetCheck.Evidence] {
        endpoints.filter { $0.error?.isInability == false }
    }

    /// Whether most failures are certificates that a wrong clock makes invalid.
    package var hasInvalidCertificates: Bool {
        guard verdict == .partial || verdict.reason == .tls else { return false }
        let secure = failures.filter(\.isSecure)
        return 2 * secure.count { $0.error?.code == .invalidCertificate } > secure.count
    }

    /// The proxy, without its password, if all endpoints were queried by it and failed.
    package var failedProxy: String? {
        guard verdict.reason != nil, let proxy = failures.first?.proxy, failures.allSatisfy({ $0.proxy == proxy })
        else {
            return nil
        }
        return proxy
    }

    private var proxyRequiresLogin: Bool {
        let refusal = ProbeError.proxy(answering: 407)
        return failures.contains { $0.error?.code == refusal.code && $0.error?.message == refusal.message }
    }
}
