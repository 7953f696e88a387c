// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Why no name server of this machine resolves names.
struct NameServerFault: Hashable, Sendable {
    /// The problem that all of the servers have.
    enum Kind: Hashable, Sendable {
        /// Nothing listens on port 53 of any server.
        case refused
        /// None of them can be reached.
        case unreachable
        /// None of them answers.
        case silent
        /// At least one of them answers with an error.
        case failing
        /// At least one of them answers, but the C library had given up before.
        case late
        /// At least one of them answers in time, but the C library has no answer nevertheless.
        case answering
        /// None is configured, and the C library's default, this machine itself, does not answer.
        case unconfigured
    }

    let kind: Kind
    let servers: [NetworkAddress]

    init(_ kind: Kind, _ servers: [NetworkAddress]) {
        self.kind = kind
        self.servers = servers
    }

    /// The fault that the servers' reactions show after the C library has failed; nil without servers.
    init?(_ found: NameServers) {
        func servers(_ outcome: NameServerProbe.Outcome) -> [NetworkAddress] {
            found.reactions.filter { $0.answer?.outcome == outcome }.map(\.server)
        }
        let all = found.reactions.map(\.server)
        guard !all.isEmpty else { return nil }
        if !servers(.fails).isEmpty {
            self.init(.failing, servers(.fails))
        } else if !servers(.answers).isEmpty {
            let fastest = found.reactions.compactMap(\.answer).filter { $0.outcome == .answers }.map(\.duration).min()
            self.init((fastest ?? .zero) >= Self.shortestTimeout ? .late : .answering, servers(.answers))
        } else if !found.areConfigured {
            self.init(.unconfigured, all)
        } else if servers(.refuses) == all {
            self.init(.refused, all)
        } else if servers(.unreachable) == all {
            self.init(.unreachable, all)
        } else {
            self.init(.silent, all)
        }
    }

    /// The shortest time for which the C library can be made to wait for a server: `options timeout:1` (resolv.conf(5)).
    private static let shortestTimeout = Duration.seconds(1)

    /// The fault as text, without a full stop: "DNS servers refuse queries (192.0.2.1)".
    var words: String {
        let what =
            switch kind {
            case .refused: "DNS servers refuse queries"
            case .unreachable: "DNS servers cannot be reached"
            case .silent: "DNS servers do not answer"
            case .failing: "DNS servers answer with an error"
            case .late: "DNS servers answer too late"
            case .answering: "Names are not resolved, although DNS servers answer"
            case .unconfigured: "No DNS server is configured"
            }
        return listed.isEmpty ? what : "\(what) (\(listed.map(\.scopedText).joined(separator: ", ")))"
    }

    /// The servers that the text lists.
    private var listed: [NetworkAddress] { kind == .unconfigured ? [] : servers }

    /// The fault as an error of name resolution.
    var error: ProbeError {
        let code: ProbeError.Code =
            switch kind {
            case .refused, .unconfigured: .nameServerRefused
            case .unreachable: .nameServerUnreachable
            case .silent, .late: .nameServerSilent
            case .failing, .answering: .nameServerFailure
            }
        return error(code)
    }

    /// The fault as the text of an error with another code.
    func error(_ code: ProbeError.Code) -> ProbeError {
        var error = ProbeError.resolving(code, words)
        error.nameServers = listed
        return error
    }
}
