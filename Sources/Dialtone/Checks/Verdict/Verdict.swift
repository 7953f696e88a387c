// SPDX-License-Identifier: Apache-2.0

import SystemSupport

extension InternetCheck {
    /// What the answers of the endpoints amount to.
    ///
    /// The rules read it; what a check concludes is its report's state and cause. The JSON of `dialtone` and the metric `dialtone_checks_total` have it as `verdict`.
    package enum Verdict: Hashable, Sendable {
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
    package enum NoInternetReason: String, Hashable, Sendable, CaseIterable {
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
    package var reportName: String {
        switch self {
        case .verified: "verified"
        case .partial: "partial"
        case .captivePortal: "captivePortal"
        case .noInternet: "noInternet"
        case .inconclusive: "inconclusive"
        }
    }

    /// The portal's URL; nil for other verdicts.
    package var portal: URL? { if case .captivePortal(let url) = self { url } else { nil } }

    /// Why the Internet did not answer; nil for other verdicts.
    package var reason: InternetCheck.NoInternetReason? {
        if case .noInternet(let reason) = self { reason } else { nil }
    }

    /// The verdict without a portal's URL, which in many portals changes with each request.
    var kind: String { reportName + (reason.map { ".\($0.rawValue)" } ?? "") }

    /// The verdict with its URL or reason.
    package var description: String {
        switch self {
        case .captivePortal(let url): "captivePortal(\(url.absoluteString))"
        case .noInternet(let reason): "noInternet(\(reason.rawValue))"
        default: reportName
        }
    }
}

extension InternetCheck.NoInternetReason: CustomStringConvertible {
    /// One sentence for a user.
    package var description: String {
        switch self {
        case .hijackedNames: "DNS answers are forged: names lead to wrong addresses."
        case .tls: "Secure connections fail: the certificates are not accepted, or the handshake breaks off."
        case .unexpectedAnswers: "Servers answer, but not as expected."
        case .refused: "Connections are refused."
        case .hostNotFound: "The names of the endpoints do not exist, or have no address."
        case .nameResolution: "Names cannot be resolved: the DNS servers answer with an error."
        case .dnsRefused: "DNS servers refuse queries."
        case .unreachable: "There is no route to the Internet."
        case .timedOut: "Nothing answers."
        case .dnsSilent: "DNS servers do not answer."
        }
    }
}
