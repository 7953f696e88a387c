// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import SystemSupport

/// A hop between this machine and what it wants to reach: its link, the router, DNS, the Internet, a watched host.
///
/// `chain` is pure: the page shows what the last check proved, and where it found the fault.
struct Hop: Hashable, Sendable {
    /// The kinds, from near to far.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case machine, router, proxy, names, internet, host
    }

    /// The state of a hop.
    enum Standing: String, Hashable, Sendable {
        case works
        /// The nearest fault is here.
        case broken
        /// It does not answer, but the fault is elsewhere, or nearer.
        case silent
        /// Not known: not reached, not checked, or not used.
        case unknown
    }

    var kind: Kind
    /// Its name on the page.
    var title: String
    var standing: Standing
    /// Its address, time or outcome, in a few words; nil without any.
    var detail: String?
}

extension Hop {
    /// The hops from this machine to the Internet and to the watched hosts, nearest first.
    static func chain(_ connectivity: Connectivity, hosts: [HostRow] = []) -> [Hop] {
        let chain = Chain(connectivity)
        let hops = [chain.machine, chain.router, chain.proxy, chain.names, chain.internet].compactMap(\.self)
        return hops + hosts.map { host($0, connectivity, isFirst: !hops.contains { $0.standing == .broken }) }
    }

    /// - Parameter isFirst: whether no nearer hop is broken.
    private static func host(_ row: HostRow, _ connectivity: Connectivity, isFirst: Bool) -> Hop {
        let result = row.presentResult(in: connectivity)
        let standing: Standing =
            switch result.state {
            case .reachable: .works
            case .unreachable: isFirst ? .broken : .silent
            case .unknown: .unknown
            }
        let latency = result.state == .reachable ? row.connectDuration : nil
        let detail = latency.map { Figures.latency($0 / .seconds(1)) } ?? result.state.words
        return Hop(kind: .host, title: row.host.name, standing: standing, detail: detail)
    }
}

extension HostReport.State {
    var words: String { self == .unreachable ? "not reachable" : rawValue }
}

/// The hops up to the Internet, derived from one value.
private struct Chain {
    private let connectivity: Connectivity
    private let answers: InternetCheck.Hops
    /// The kind of the broken hop; nil if no hop is broken, or if it is not known.
    private let fault: Hop.Kind?

    init(_ connectivity: Connectivity) {
        self.connectivity = connectivity
        answers = connectivity.evidence?.hops ?? InternetCheck.Hops()
        fault =
            switch connectivity.fault {
            case .machine, .tunnel: .machine
            case .router: .router
            case .nameServers: .names
            case .proxy: .proxy
            case .portal, .filter, .provider, .endpoints, .host: .internet
            case nil: connectivity.isWithoutInternet ? .internet : nil
            }
    }

    private var path: NetworkPath { connectivity.path }
    private var endpoints: [InternetCheck.Evidence] { connectivity.evidence?.endpoints ?? [] }
    /// Whether an answer from beyond the router has arrived, be it that of a portal.
    private var isForwarding: Bool {
        endpoints.contains { $0.status != nil } || connectivity.isOnline || connectivity.state == .captivePortal
            || connectivity.evidence?.verdict == .partial
    }

    private func hop(_ kind: Hop.Kind, _ title: String, works: Bool, isSilent: Bool = false, _ detail: String?) -> Hop {
        let standing: Hop.Standing = fault == kind ? .broken : works ? .works : isSilent ? .silent : .unknown
        return Hop(kind: kind, title: title, standing: standing, detail: detail)
    }

    var machine: Hop {
        let properties = Wording.properties(path).filter { $0 != "no DNS server" && $0 != "DNS" }
        let detail =
            path.status == .satisfied ? properties.joined(separator: ", ") : path.isUnknown ? nil : "not connected"
        return hop(.machine, "This machine", works: path.status == .satisfied || connectivity.isOnline, detail)
    }

    var router: Hop {
        let answers = answers.routers
        let addresses = (path.gateways.first ?? answers.first?.router)?.description ?? ""
        let outcome = answers.count == 1 ? answers.first.map { " " + $0.outcome.words } ?? "" : ""
        let works = isForwarding || answers.contains { $0.outcome == .answers }
        let none = path.status == .satisfied ? "none needed" : nil
        let isNews = !isForwarding && !answers.isEmpty
        return hop(
            .router, "Router", works: works, isSilent: answers.contains { $0.outcome == .silent },
            addresses.isEmpty ? none : addresses + (isNews ? outcome : ""))
    }

    /// Nil if the check used no proxy.
    var proxy: Hop? {
        let proxies = endpoints.compactMap(\.proxy).uniqued
        guard let first = proxies.first else { return nil }
        return hop(.proxy, "Proxy", works: endpoints.contains { $0.proxy != nil && $0.status != nil }, first)
    }

    /// Nil if a proxy resolves the names.
    var names: Hop? {
        guard endpoints.isEmpty || endpoints.contains(where: { $0.proxy == nil }) else { return nil }
        let times = endpoints.filter { $0.error?.step != .resolve }.compactMap(\.durations.resolve)
        let detail: String? =
            if fault != .names, let fastest = times.min() {
                Figures.latency(fastest / .seconds(1))
            } else if path.status == .satisfied, !path.supportsDNS {
                "no server"
            } else {
                answers.nameServers.first.map { "\($0.server.scopedText) \($0.outcome.words)" }
            }
        let works =
            !times.isEmpty || answers.nameServers.contains { $0.outcome == .answers }
            || isForwarding && path.supportsDNS && endpoints.isEmpty
        let isSilent = !answers.nameServers.isEmpty && answers.nameServers.allSatisfy { $0.outcome != .answers }
        return hop(.names, "DNS", works: works, isSilent: isSilent, detail)
    }

    var internet: Hop {
        let detail: String? =
            switch connectivity.state {
            case .online:
                endpoints.filter(\.passed).map(\.durations.latency).min().map { Figures.latency($0 / .seconds(1)) }
                    ?? "verified"
            case .captivePortal: "login required"
            case .limited where fault == .internet: "limited"
            case .limited where answers.isUplinkWorking: "answers without names"
            case .noInternet: "does not answer"
            case .limited, .offline, .requiresConnection: "not reached"
            case .unverified, .unknown: "not checked"
            }
        return hop(
            .internet, "Internet", works: connectivity.isOnline, isSilent: connectivity.state == .noInternet, detail)
    }
}
