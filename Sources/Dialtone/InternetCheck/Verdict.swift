//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

extension InternetCheck {
    /// What a check came to.
    public enum Verdict: Hashable, Sendable {
        /// The Internet answered: as many endpoints as the quorum asks for, as expected.
        case verified
        /// HTTP passes, HTTPS does not.
        case partial
        /// The network wants a login first, which a browser finds at the URL.
        ///
        /// The URL comes from a stranger: it is `http` or `https`, percent-encoded, and at most 2048 bytes long.
        case captivePortal(URL)
        /// The Internet did not answer, for this reason.
        case noInternet(NoInternetReason)
        /// There is too little evidence: checks are off, or no endpoint could be asked.
        case inconclusive
    }

    /// Why the Internet did not answer: what happened to most of the endpoints.
    public enum NoInternetReason: String, Hashable, Sendable, CaseIterable {
        /// Names lead to private addresses: the answers of the name server are forged.
        case hijackedNames
        /// A certificate was refused or a handshake broke: somebody sits in the way, or the clock is wrong.
        case tls
        /// Something answered, but not what was expected.
        case unexpectedAnswers
        /// Connections were refused or broken.
        case refused
        /// There is no way there.
        case unreachable
        /// Nothing answered in time.
        case timedOut
        /// Names could not be resolved.
        case nameResolution
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

    /// What it says, apart from a portal's URL: many portals put into that what they were asked, new in each check.
    var kind: String { reportName + (reason.map { ".\($0.rawValue)" } ?? "") }

    /// The verdict with what belongs to it.
    public var description: String {
        switch self {
        case .captivePortal(let url): "captivePortal(\(url.absoluteString))"
        case .noInternet(let reason): "noInternet(\(reason.rawValue))"
        default: reportName
        }
    }
}
