// SPDX-License-Identifier: Apache-2.0

/// The texts that the command and the dashboard share: properties of paths, counts and failures.
///
/// Names start in lower case, to stand inside a sentence; `sentenceCased` starts one with them.
package enum Wording {
    /// The IP versions that a path carries, its DNS, and its cost; empty without a path, which carries nothing.
    package static func properties(_ path: NetworkPath) -> [String] {
        guard path.status == .satisfied else { return [] }
        let properties = [
            (path.supportsIPv4, "IPv4"), (path.supportsIPv6, "IPv6"), (path.supportsDNS, "DNS"),
            (!path.supportsDNS, "no DNS server"), (path.isExpensive, "expensive"), (path.isConstrained, "constrained"),
        ]
        return properties.filter(\.0).map(\.1)
    }

    /// The number of endpoints that answered as expected, of those that were queried.
    package static func passed(_ report: InternetCheck.Report) -> String {
        let queried = report.queriedEndpoints
        return "\(queried.count(where: \.passed)) of \(queried.count) endpoints answered as expected"
    }

    /// The reason why an endpoint did not answer as expected.
    package static func failure(_ error: ProbeError) -> String {
        let more = error.message.isEmpty ? "" : ": \(error.message)"
        return switch error.code {
        case .nameServerRefused, .nameServerSilent, .nameServerUnreachable: error.message
        case .timedOut where error.step == .resolve:
            error.message.isEmpty ? "DNS servers do not answer" : error.message
        case .abandoned: "the verdict did not need it"
        case .hostNotFound: "no such name"
        case .noAddress: "the name has no address"
        case .nameServerFailure: "DNS error\(more)"
        case .hijackedName: "forged DNS answer\(more)"
        case .refused: "connection refused"
        case .unreachable: "no route\(more)"
        case .timedOut: "\(error.message.isEmpty ? "timed out" : error.message) while \(step(error.step))"
        case .connectionLost: "connection lost while \(step(error.step))"
        case .untrustedCertificate: "certificate not trusted\(more)"
        case .wrongCertificateName: "certificate for another name\(more)"
        case .invalidCertificate: "invalid certificate\(more)"
        case .tlsFailure: "TLS failed\(more)"
        case .tlsUnavailable: "HTTPS is not available here\(more)"
        case .cancelled: "cancelled"
        default: error.message.isEmpty ? "\(error.code)" : error.message
        }
    }

    /// The step of a request, to follow "while" in a sentence.
    static func step(_ step: ProbeError.Step) -> String {
        switch step {
        case .prepare: "preparing"
        case .resolve: "resolving the name"
        case .connect: "connecting"
        case .proxy: "asking the proxy"
        case .tls: "starting TLS"
        case .headers: "waiting for the response"
        case .body: "reading the response"
        case .judge: "waiting"
        }
    }
}

extension String {
    /// The text with an upper-case first letter.
    package var sentenceCased: String { prefix(1).uppercased() + dropFirst() }
}
