// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// The hops from this machine to the Internet and to the watched hosts, with the nearest fault marked.
enum HopsSection {
    static func html(_ live: LiveState) -> HTML {
        let hops = Hop.chain(live.connectivity, hosts: live.hosts)
        let near = hops.filter { $0.kind != .host }.map(item)
        return "<ol class=\"hops\">\(near)\(hosts(hops.filter { $0.kind == .host }))</ol>"
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
        <span class="unseen">\(words(hop.standing)): </span><span class="name" title="\(hop.title)">\(hop.title)</span> \
        <span class="small">\(hop.detail ?? "")</span></li>
        """
    }

    private static func words(_ standing: Hop.Standing) -> String {
        switch standing {
        case .works: "works"
        case .broken: "the fault is here"
        case .silent: "does not answer"
        case .unknown: "not known"
        }
    }
}
