// SPDX-License-Identifier: Apache-2.0

extension InternetCheck {
    /// Whether HTTPS took part in a check.
    ///
    /// Anyone on the path can forge a plain answer; only HTTPS proves that the answer came from the operator.
    public enum TLSProof: Hashable, Sendable {
        /// At least one HTTPS endpoint answered as expected, with a valid certificate.
        case verified
        /// HTTPS endpoints were queried, and none passed.
        case failed
        /// No HTTPS endpoint could be queried, for this reason.
        case notChecked(String)
    }
}

extension InternetCheck.TLSProof {
    /// Its spelling in reports.
    public var reportName: String {
        switch self {
        case .verified: "verified"
        case .failed: "failed"
        case .notChecked: "notChecked"
        }
    }

    /// Why HTTPS took no part; nil if it did.
    public var reason: String? {
        if case .notChecked(let reason) = self { reason } else { nil }
    }
}

extension InternetCheck.Report {
    /// Whether HTTPS took part in the check, and why not; nil for a report without evidence.
    public var tls: InternetCheck.TLSProof? {
        guard !endpoints.isEmpty else { return nil }
        let secure = endpoints.filter(\.isSecure)
        guard !secure.isEmpty else { return .notChecked("no HTTPS endpoint is configured") }
        if secure.contains(where: \.passed) { return .verified }
        let errors = secure.compactMap(\.error)
        guard errors.allSatisfy(\.isInability) else { return .failed }
        // The verdict may have been reached before some answered; another reason says more.
        let unable = errors.first { ![.abandoned, .cancelled].contains($0.code) }
        guard let unable else { return .notChecked("the check ended before HTTPS answered") }
        return .notChecked(unable.message.isEmpty ? "\(unable.code)" : unable.message)
    }
}
