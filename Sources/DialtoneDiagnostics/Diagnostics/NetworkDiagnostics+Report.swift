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
        /// The report of the Internet check; nil if there is no path to check.
        public var internet: InternetCheck.Report?
        /// The report on the host; nil if no host was given.
        public var host: HostReport?

        /// Creates a report.
        public init(
            path: NetworkPath, routers: [RouterAnswer] = [], nameServers: [NameServerAnswer] = [],
            internet: InternetCheck.Report? = nil, host: HostReport? = nil
        ) {
            self.path = path
            self.routers = routers
            self.nameServers = nameServers
            self.internet = internet
            self.host = host
        }

        /// The nearest fault; nil if everything works, or if that is not known.
        ///
        /// Proof from a distant hop outweighs doubt about a nearer one: a router that does not answer but forwards
        /// packets works.
        public var fault: Fault? {
            guard path.canBeChecked || internet?.verdict == .verified else { return .machine }
            guard let verdict = internet?.verdict else { return nil }
            switch verdict {
            case .verified: return host.flatMap { $0.verdict == .unreachable ? .host : nil }
            case .captivePortal: return .portal
            case .inconclusive: return faultInNames
            case .partial: return internet?.hasInvalidCertificates == true ? .machine : .provider
            case .noInternet(let reason): return fault(reason)
            }
        }

        private func fault(_ reason: InternetCheck.NoInternetReason) -> Fault {
            if internet?.hasInvalidCertificates == true { return .machine }
            if !routers.isEmpty, routers.allSatisfy({ $0.outcome == .silent }) { return .router }
            // The proxy resolves names.
            if internet?.failedProxy != nil { return .proxy }
            if reason == .hijackedNames { return .nameServers }
            return faultInNames ?? .provider
        }

        /// The fault in the name servers, if they alone explain the failure.
        ///
        /// A distant server that answers, even with an error, proves that the route to it works. A nearby server that
        /// fails may only report that its own uplink is down.
        private var faultInNames: Fault? {
            guard !nameServers.isEmpty else { return path.supportsDNS ? nil : .nameServers }
            if nameServers.contains(where: { $0.outcome == .answers }) { return nil }
            let isReached = nameServers.contains { !$0.isNearby && $0.outcome != .silent }
            let isDeadNearby = nameServers.contains { $0.isNearby && [.silent, .refuses].contains($0.outcome) }
            return isReached || isDeadNearby ? .nameServers : nil
        }
    }

    /// The place of a fault.
    public enum Fault: String, Hashable, Sendable, CaseIterable {
        /// This machine has no path, or its clock is wrong; the path's diagnosis or the check's explanation says which.
        case machine
        /// The router does not answer.
        case router
        /// Names are not resolved, or are resolved to wrong addresses.
        case nameServers
        /// The proxy does not answer, requires a login, or does not lead to the Internet.
        case proxy
        /// The network requires a login.
        case portal
        /// Router and DNS work; the connection behind them does not.
        case provider
        /// The Internet is reachable, the host is not.
        case host
    }
}

extension NetworkDiagnostics.Fault: CustomStringConvertible {
    /// One or two sentences for a user: the place of the fault, and what to do.
    public var description: String {
        switch self {
        case .machine: "The problem is on this machine, or on the network it is connected to."
        case .router: "The router does not answer: is it on, and is this the right network?"
        case .nameServers:
            "DNS is broken: names cannot be resolved. The connection itself may be fine."
        case .proxy: "The proxy does not pass requests on: check its address and the login, or ask its operator."
        case .portal: "The network requires a login: open its page in a browser."
        case .provider:
            "The problem is beyond the router: its uplink, or the provider. Restart the router, or call the provider."
        case .host: "The Internet works: the problem is at the host, or on the route to it."
        }
    }
}
