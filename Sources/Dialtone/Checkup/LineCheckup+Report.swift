//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension LineCheckup {
    /// What was found between this machine and the Internet, from near to far.
    public struct Report: Hashable, Sendable {
        /// The path, with its diagnosis where there is none.
        public var path: NetworkPath
        /// The routers of the path.
        public var routers: [RouterAnswer]
        /// The name servers, in the order in which they are asked.
        public var nameServers: [NameServerAnswer]
        /// What the check of the Internet came to; nil when there is no path to check.
        public var internet: InternetCheck.Report?
        /// What came of connecting to the host; nil when none was given or there is no path.
        public var host: HostReport?

        /// Makes a report.
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

        /// The nearest thing that is broken; nil when nothing is, or nothing can be told.
        ///
        /// Proof from far away goes before doubt near by: a router that does not answer but lets the Internet through is
        /// well.
        public var fault: Fault? {
            guard path.canBeChecked else { return .machine }
            guard let verdict = internet?.verdict else { return nil }
            switch verdict {
            case .verified: return host.flatMap { $0.verdict == .unreachable ? .host : nil }
            case .captivePortal: return .portal
            case .inconclusive: return faultInNames
            case .partial: return .provider
            case .noInternet(let reason): return fault(reason)
            }
        }

        private func fault(_ reason: InternetCheck.NoInternetReason) -> Fault {
            if !routers.isEmpty, routers.allSatisfy({ $0.outcome == .silent }) { return .router }
            if reason == .hijackedNames { return .nameServers }
            return faultInNames ?? .provider
        }

        /// Whether the name servers alone explain it.
        ///
        /// One far away that answers, even with a failure, proves that the line works so far. One near by that fails may
        /// only say that the line behind it is dead.
        private var faultInNames: Fault? {
            guard !nameServers.isEmpty else { return path.supportsDNS ? nil : .nameServers }
            if nameServers.contains(where: { $0.outcome == .answers }) { return nil }
            let isReached = nameServers.contains { !$0.isNearby && $0.outcome != .silent }
            let isDeadNearby = nameServers.contains { $0.isNearby && [.silent, .refuses].contains($0.outcome) }
            return isReached || isDeadNearby ? .nameServers : nil
        }
    }

    /// Where it is broken.
    public enum Fault: String, Hashable, Sendable, CaseIterable {
        /// This machine has no path: the path's diagnosis says why.
        case machine
        /// The router does not answer.
        case router
        /// Names are not resolved, or resolved wrongly.
        case nameServers
        /// The network wants a login first.
        case portal
        /// Router and names are well; the line behind them is not.
        case provider
        /// The Internet is there, the host is not.
        case host
    }
}

extension LineCheckup.Fault: CustomStringConvertible {
    /// One or two plain sentences for a person: where it is broken, and what to do.
    public var description: String {
        switch self {
        case .machine: "The trouble is in this machine, or in what it is plugged into."
        case .router: "The router does not answer: is it on, and is this the right network?"
        case .nameServers:
            "The name service is the trouble: the line may be well, but names do not lead where they should."
        case .portal: "The network wants a login first: open its page in a browser."
        case .provider: "The trouble is beyond the router: its own line, or the provider. Restart it, or call them."
        case .host: "The Internet is there; the trouble is at the host, or on the way to it alone."
        }
    }
}
