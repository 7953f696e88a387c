// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// The hops from this machine to the Internet and to the watched hosts, with the nearest fault marked.
enum HopsSection {
    static func html(_ live: LiveState) -> HTML {
        let hops = Hop.chain(live.connectivity, live.diagnosis, hosts: live.hosts)
        let near = hops.filter { $0.kind != .host }.map(item)
        return "<ol class=\"hops\">\(near)\(hosts(hops.filter { $0.kind == .host }))</ol>\(advice(hops, live))"
    }

    /// The line below the hops, which always exists, so that nothing moves when a state changes.
    private static func advice(_ hops: [Hop], _ live: LiveState) -> HTML {
        guard let broken = hops.first(where: { $0.standing == .broken }) else {
            let isOnline = live.connectivity.isOnline
            let words = isOnline ? "Every hop answers." : "What is beyond this machine has not been checked."
            return "<p class=\"advice\">\(words)</p>"
        }
        let isRouterWorking = hops.contains { $0.kind == .router && $0.standing == .works }
        return "<p class=\"advice\"><strong>\(place(broken, live, isRouterWorking))</strong> \(broken.advice ?? "")</p>"
    }

    private static func place(_ hop: Hop, _ live: LiveState, _ isRouterWorking: Bool) -> String {
        switch hop.kind {
        case .machine: "The fault is on this machine, or on its link."
        case .router: "The fault is at the router."
        case .proxy: "The fault is at the proxy."
        case .names: "The fault is in DNS."
        case .internet where live.connectivity.state == .captivePortal: "Nothing passes before the login."
        case .internet: isRouterWorking ? "The fault is beyond the router." : "The fault is beyond this machine."
        case .host: "The Internet works, but \(hop.title) does not answer."
        }
    }

    /// Beyond a few, the hosts are counted: the section of the hosts lists them all.
    private static func hosts(_ hops: [Hop]) -> [HTML] {
        guard hops.count > 4 else { return hops.map(item) }
        let working = hops.count { $0.standing == .works }
        let isBroken = hops.contains { $0.standing == .broken }
        return [
            item(
                Hop(
                    kind: .host, title: "Hosts",
                    standing: isBroken ? .broken : working == hops.count ? .works : .unknown,
                    detail: "\(working) of \(hops.count) reachable"))
        ]
    }

    private static func item(_ hop: Hop) -> HTML {
        """
        <li data-hop="\(hop.kind.rawValue)" data-standing="\(hop.standing.rawValue)">\
        <span class="unseen">\(words(hop.standing)): </span><span class="name">\(hop.title)</span> \
        <span class="small">\(hop.detail ?? "\u{A0}")</span></li>
        """
    }

    private static func words(_ standing: Hop.Standing) -> String {
        switch standing {
        case .works: "works"
        case .broken: "broken"
        case .unknown: "not known"
        }
    }
}
