// SPDX-License-Identifier: Apache-2.0

/// Why no name server of this machine resolves names.
package struct NameServerFault: Hashable, Sendable {
    /// The problem that all of the servers have.
    package enum Kind: Hashable, Sendable {
        /// Nothing listens on port 53 of any server.
        case refused
        /// None of them can be reached.
        case unreachable
        /// None of them answers.
        case silent
        /// At least one of them answers, even if only with an error.
        case failing
    }

    let kind: Kind
    let servers: [NetworkAddress]

    package init(_ kind: Kind, _ servers: [NetworkAddress]) {
        self.kind = kind
        self.servers = servers
    }

    /// The fault that several servers' reactions show together; nil without servers.
    init?(_ outcomes: [NameServerProbe.Outcome], of servers: [NetworkAddress]) {
        guard !outcomes.isEmpty else { return nil }
        let kind: Kind =
            if outcomes.contains(where: { [.answers, .fails].contains($0) }) {
                .failing
            } else if outcomes.allSatisfy({ $0 == .refuses }) {
                .refused
            } else if outcomes.allSatisfy({ $0 == .unreachable }) {
                .unreachable
            } else {
                .silent
            }
        self.init(kind, servers)
    }

    /// The fault as text, without a full stop: "DNS servers refuse queries (192.0.2.1)".
    package var words: String {
        let what =
            switch kind {
            case .refused: "DNS servers refuse queries"
            case .unreachable: "DNS servers cannot be reached"
            case .silent: "DNS servers do not answer"
            case .failing: "DNS servers answer with an error"
            }
        return servers.isEmpty ? what : "\(what) (\(servers.map(\.scopedText).joined(separator: ", ")))"
    }

    /// The fault as an error of name resolution.
    var error: ProbeError {
        let code: ProbeError.Code =
            switch kind {
            case .refused: .nameServerRefused
            case .unreachable: .nameServerUnreachable
            case .silent: .nameServerSilent
            case .failing: .nameServerFailure
            }
        return .resolving(code, words)
    }
}
