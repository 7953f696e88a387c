// SPDX-License-Identifier: Apache-2.0

extension NetworkDiagnostics {
    /// The state of each hop between this machine and the Internet, from near to far.
    public struct Report: Hashable, Sendable {
        /// The path; an unsatisfied one has a diagnosis.
        public var path: NetworkPath
        /// The routers of the path.
        public var routers: [RouterAnswer]
        /// The name servers, in the order in which they are queried.
        public var nameServers: [NameServerAnswer]
        /// The public addresses that were contacted because names could not be resolved: the first that answered, or all if
        /// none did; else empty.
        public var publicAddresses: [AddressAnswer]
        /// The report of the Internet check; nil if there is no path to check.
        public var internet: InternetCheck.Report?
        /// The report on the host; nil if no host was given.
        public var host: HostReport?

        /// Creates a report.
        public init(
            path: NetworkPath, routers: [RouterAnswer] = [], nameServers: [NameServerAnswer] = [],
            publicAddresses: [AddressAnswer] = [], internet: InternetCheck.Report? = nil, host: HostReport? = nil
        ) {
            self.path = path
            self.routers = routers
            self.nameServers = nameServers
            self.publicAddresses = publicAddresses
            self.internet = internet
            self.host = host
        }

        /// The nearest fault; nil if everything works, or if that is not known.
        ///
        /// Proof from a distant hop outweighs doubt about a nearer one: a router that does not answer but forwards
        /// packets works.
        public var fault: Fault? {
            guard path.canBeChecked || internet?.verdict == .verified else { return .machine }
            guard let internet else { return nil }
            switch internet.verdict {
            case .verified: return host.flatMap { $0.verdict == .unreachable ? .host : nil }
            case .captivePortal: return .portal
            case .inconclusive: return faultInNames == .nameServers ? .nameServers : nil
            case .partial, .noInternet: return fault(internet)
            }
        }

        private func fault(_ internet: InternetCheck.Report) -> Fault {
            if internet.isFaultOfMachine || internet.diagnosis != nil { return .machine }
            if !hasDistantAnswer, !routers.isEmpty, routers.allSatisfy({ $0.outcome == .silent }) { return .router }
            // The proxy resolves names.
            if internet.failedProxy != nil { return .proxy }
            // The failure of a single operator may be its own.
            let isOfOne = internet.failedOperators.count == 1
            guard let reason = internet.verdict.reason else {
                return isOfOne || internet.hasProvenAnswer ? .endpoints : .filter
            }
            switch reason {
            case .hijackedNames: return .nameServers
            case .hostNotFound: return isOfOne ? .endpoints : faultInNames
            case .nameResolution, .dnsRefused, .dnsSilent: return faultInNames
            case .unexpectedAnswers: return .endpoints
            case .tls, .refused: return isOfOne ? .endpoints : .filter
            case .unreachable, .timedOut:
                if internet.failsAtNames { return faultInNames }
                return !hasDistantAnswer ? .provider : isOfOne ? .endpoints : .filter
            }
        }

        /// The fault if names cannot be resolved.
        ///
        /// A public address that answers proves that the uplink works, and so does a distant name server, even by an error.
        /// If no public address answers, the uplink explains why names fail, too. A nearby server that fails may only report
        /// that its own uplink is down.
        private var faultInNames: Fault {
            if nameServers.isEmpty, !path.supportsDNS { return .nameServers }
            if hasDistantAnswer { return .nameServers }
            let isDeadNearby = nameServers.contains { $0.isNearby && ![.answers, .fails].contains($0.outcome) }
            let hasAnswer = nameServers.contains { $0.outcome == .answers }
            return publicAddresses.isEmpty && isDeadNearby && !hasAnswer ? .nameServers : .provider
        }

        /// Whether anything beyond this machine's own links has answered, so that the router and its uplink work.
        private var hasDistantAnswer: Bool {
            publicAddresses.contains { $0.outcome == .answers }
                || nameServers.contains { !$0.isNearby && ![.silent, .unreachable].contains($0.outcome) }
                || internet?.hasConnections == true
        }
    }

    /// The place of a fault.
    public enum Fault: String, Hashable, Sendable, CaseIterable {
        /// This machine has no path, or its clock or its certificates are wrong.
        case machine
        /// The router does not answer.
        case router
        /// Names are not resolved, or are resolved to wrong addresses.
        case nameServers
        /// The proxy does not answer, requires a login, or does not lead to the Internet.
        case proxy
        /// The network requires a login.
        case portal
        /// Something between this machine and the Internet blocks or intercepts connections.
        case filter
        /// No packet comes back from beyond this machine's own network.
        case provider
        /// The servers that the check queries do not answer as expected; what is in between works, or is not known to fail.
        case endpoints
        /// The Internet is reachable, the host is not.
        case host
    }
}

extension NetworkDiagnostics.Report {
    /// One or two sentences for a user: what is broken, and what to do; nil without a fault.
    ///
    /// They say only what the report shows.
    public var explanation: String? {
        guard let fault else { return nil }
        let cause = internet?.reason
        switch fault {
        case .machine: return path.canBeChecked ? cause : path.diagnosis?.description ?? "\(fault)"
        case .nameServers:
            let uplinkWorks = publicAddresses.contains { $0.outcome == .answers }
            return (internet?.failsAtNames == true ? cause ?? "\(fault)" : "\(fault)")
                + (uplinkWorks ? " The connection itself works: the Internet answers without names." : "")
        case .proxy: return cause.map { "\($0) Ask its operator, or check its address." } ?? "\(fault)"
        case .filter: return cause.map { "\($0) Ask the operator of this network." } ?? "\(fault)"
        case .endpoints: return explanationOfEndpoints
        case .provider: return explanationOfProvider
        case .router, .portal, .host: return "\(fault)"
        }
    }

    private var explanationOfEndpoints: String? {
        guard let internet, let cause = internet.reason else { return "\(NetworkDiagnostics.Fault.endpoints)" }
        if internet.isOfOneOperator, let name = internet.failedOperators.first {
            return "\(cause) Only \(name) was queried, so the fault may be there."
        }
        return cause + (internet.hasProvenAnswer ? " The connection itself works." : "")
    }

    private var explanationOfProvider: String {
        guard routers.contains(where: { $0.outcome == .answers }) else {
            return
                "Nothing beyond this machine's own link answers: check the router and its uplink, or call the provider."
        }
        let isRejected =
            internet?.verdict.reason == .unreachable || publicAddresses.contains { $0.outcome == .unreachable }
            || nameServers.contains { !$0.isNearby && $0.outcome == .unreachable }
        return isRejected
            ? "A router reports that it has no route to the Internet: check its uplink, or call the provider."
            : "\(NetworkDiagnostics.Fault.provider)"
    }
}

extension NetworkDiagnostics.Fault: CustomStringConvertible {
    /// One or two sentences for a user: the place of the fault, and what to do.
    ///
    /// The report's `explanation` is more specific.
    public var description: String {
        switch self {
        case .machine: "The problem is on this machine, or on the network it is connected to."
        case .router: "The router does not answer: is it on, and is this the right network?"
        case .nameServers: "Names cannot be resolved, or lead to wrong addresses."
        case .proxy: "The proxy does not pass requests on: check its address and the login, or ask its operator."
        case .portal: "The network requires a login: open its page in a browser."
        case .filter: "Connections are blocked or intercepted on the way: ask the operator of this network."
        case .provider:
            "The router answers, but nothing beyond it does: check the router's uplink, or call the provider."
        case .endpoints: "The servers that were queried do not answer as expected."
        case .host: "The Internet works, but the host cannot be reached."
        }
    }
}

extension NetworkDiagnostics.RouterAnswer.Outcome {
    /// What the router does, to follow its address in a sentence.
    package var words: String {
        switch self {
        case .answers: "answers"
        case .silent: "does not answer"
        case .unclear: "does not answer, but may be present"
        }
    }
}

extension NetworkDiagnostics.NameServerAnswer.Outcome {
    /// What the name server does, to follow its address in a sentence.
    package var words: String {
        switch self {
        case .answers: "answers"
        case .fails: "answers with an error"
        case .refuses: "does not run DNS (port 53 refused)"
        case .unreachable: "cannot be reached"
        case .silent: "does not answer"
        }
    }
}

extension NetworkDiagnostics.AddressAnswer.Outcome {
    /// What the address does, to follow it in a sentence.
    package var words: String {
        switch self {
        case .answers: "answers"
        case .refuses: "refuses connections"
        case .unreachable: "cannot be reached"
        case .silent: "does not answer"
        }
    }
}
