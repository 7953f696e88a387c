// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// A hop between this machine and what it wants to reach: its link, the router, DNS, the Internet, a watched host.
///
/// `chain` is pure: the page shows what the last check proved and, if it failed, what `NetworkDiagnostics` found.
struct Hop: Hashable, Sendable {
    /// The kinds, from near to far.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case machine, router, proxy, names, internet, host
    }

    /// What is known about a hop.
    enum Standing: String, Hashable, Sendable {
        case works
        /// The nearest fault is here.
        case broken
        /// Not known: not reached, not checked, or not used.
        case unknown
    }

    var kind: Kind
    /// Its name on the page.
    var title: String
    var standing: Standing
    /// Its address, time or outcome, in a few words; nil without any.
    var detail: String?
    /// What to do, for a broken hop; nil if the reason of the state says all that is known.
    var advice: String?
}

extension Hop {
    /// The hops from this machine to the Internet and to the watched hosts, nearest first.
    ///
    /// - Parameters:
    ///   - connectivity: the state of the network.
    ///   - diagnosis: what the hops answered when the last check failed; nil without it.
    ///   - hosts: the watched hosts.
    static func chain(
        _ connectivity: Connectivity, _ diagnosis: NetworkDiagnostics.Report? = nil, hosts: [HostRow] = []
    ) -> [Hop] {
        let report =
            diagnosis ?? NetworkDiagnostics.Report(path: connectivity.path, internet: connectivity.evidence)
        let chain = Chain(connectivity, report)
        var hops = [chain.machine, chain.router, chain.proxy, chain.names, chain.internet].compactMap(\.self)
        if let place = hops.firstIndex(where: { $0.standing == .broken }) {
            hops[place].advice = chain.advice
        }
        return hops + hosts.map { host($0, connectivity, isFirst: !hops.contains { $0.standing == .broken }) }
    }

    /// - Parameter isFirst: whether no nearer hop is broken.
    private static func host(_ row: HostRow, _ connectivity: Connectivity, isFirst: Bool) -> Hop {
        let result = row.result(in: connectivity)
        let standing: Standing =
            switch result.verdict {
            case .reachable: .works
            case .unreachable: isFirst ? .broken : .unknown
            case .unknown: .unknown
            }
        let detail: String =
            switch result.verdict {
            case .reachable: row.connectDuration.map { Figures.latency($0 / .seconds(1)) } ?? "reachable"
            case .unreachable: "not reachable"
            case .unknown: "unknown"
            }
        return Hop(kind: .host, title: row.host.name, standing: standing, detail: detail)
    }
}

/// The hops up to the Internet, derived from one report.
private struct Chain {
    private let connectivity: Connectivity
    private let report: NetworkDiagnostics.Report
    /// The kind of the broken hop; nil if there is none, or if it is not known.
    private let fault: Hop.Kind?

    init(_ connectivity: Connectivity, _ report: NetworkDiagnostics.Report) {
        (self.connectivity, self.report) = (connectivity, report)
        fault =
            switch connectivity.state {
            case .online, .unverified, .unknown: nil
            case .offline, .requiresConnection: report.fault.map(Self.kind) ?? .machine
            case .captivePortal, .limited: report.fault.map(Self.kind) ?? .internet
            }
    }

    private static func kind(_ fault: NetworkDiagnostics.Fault) -> Hop.Kind {
        switch fault {
        case .machine: .machine
        case .router: .router
        case .nameServers: .names
        case .proxy: .proxy
        case .portal, .filter, .provider, .endpoints, .host: .internet
        }
    }

    private var path: NetworkPath { report.path }
    private var endpoints: [InternetCheck.Evidence] { report.internet?.endpoints ?? [] }
    /// Whether an answer from beyond the router has arrived, be it that of a portal.
    private var isForwarding: Bool {
        endpoints.contains { $0.status != nil } || connectivity.isOnline || connectivity.state == .captivePortal
    }

    /// What to do about the fault, without what the reason of the state says already.
    var advice: String? {
        guard let words = report.explanation, let reason = connectivity.reason else { return report.explanation }
        guard words.hasPrefix(reason) else { return words }
        let rest = words.dropFirst(reason.count).drop { $0 == " " }
        return rest.isEmpty ? nil : String(rest)
    }

    private func hop(
        _ kind: Hop.Kind, _ title: String, works: Bool, _ detail: String?
    ) -> Hop {
        let standing: Hop.Standing = fault == kind ? .broken : works ? .works : .unknown
        return Hop(kind: kind, title: title, standing: standing, detail: detail)
    }

    var machine: Hop {
        let properties = Wording.properties(path).filter { $0 != "no DNS server" && $0 != "DNS" }
        let detail = path.status == .satisfied ? properties.joined(separator: ", ") : path.isUnknown ? nil : "no path"
        return hop(.machine, "This machine", works: path.status == .satisfied || connectivity.isOnline, detail)
    }

    var router: Hop {
        let answers = report.routers
        let addresses = path.gateways.prefix(2).map(\.description).joined(separator: ", ")
        let outcome = answers.count == 1 ? answers.first.map { " " + $0.outcome.words } ?? "" : ""
        let works = isForwarding || answers.contains { $0.outcome == .answers }
        let none = path.status == .satisfied ? "none needed" : nil
        let isNews = !isForwarding && !answers.isEmpty
        return hop(.router, "Router", works: works, addresses.isEmpty ? none : addresses + (isNews ? outcome : ""))
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
                report.nameServers.first.map { "\($0.address) \($0.outcome.words)" }
            }
        let works =
            !times.isEmpty || report.nameServers.contains { $0.outcome == .answers }
            || connectivity.isOnline && path.supportsDNS
        return hop(.names, "DNS", works: works, detail)
    }

    var internet: Hop {
        let detail: String? =
            switch connectivity.state {
            case .online:
                endpoints.filter(\.passed).map(\.durations.total).min().map { Figures.latency($0 / .seconds(1)) }
                    ?? "verified"
            case .captivePortal: "login required"
            case .limited: fault == .internet ? "limited" : "not reached"
            case .offline, .requiresConnection: "not reached"
            case .unverified, .unknown: "not checked"
            }
        return hop(.internet, "Internet", works: connectivity.isOnline, detail)
    }
}
