// SPDX-License-Identifier: Apache-2.0

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
    /// Why the Internet cannot be reached, in one sentence for a user that names the servers concerned, if known; nil
    /// for other verdicts.
    public var explanation: String? {
        guard let reason = verdict.reason else { return nil }
        if let diagnosis { return diagnosis.description }
        let names: [InternetCheck.NoInternetReason] = [.dnsRefused, .dnsSilent, .nameResolution, .unreachable]
        let error = endpoints.lazy.compactMap(\.error).first { $0.reason == reason }
        guard names.contains(reason), let error, error.step == .resolve, !error.message.isEmpty else {
            return reason.description
        }
        return error.message.hasSuffix(")") ? error.message + "." : reason.description
    }
}
