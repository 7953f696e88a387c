// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc
import OpenNetwork

/// Predicts from a dump alone where packets would go, with its own evaluation of rules and its own longest-prefix match.
///
/// It is written from ip-rule(8), ip-route(8) and the kernel's documentation, and shares no code with the code under test.
struct Oracle {
    let dump: SystemDump

    /// Addresses in the two halves of each family's public space.
    static let representatives: [Int: [[String]]] = [
        4: [["24.48.0.1", "62.115.0.1"], ["177.8.0.1", "203.104.0.1"]],
        6: [["2403:300::1", "2607:f2c0::1"], ["2803:c600::1", "2a00:d40::1"]],
    ]

    /// An egress: a link, and the router on it.
    private struct Way: Hashable {
        var link: String
        var gateway: String?
        var metric: Int
    }

    /// The path, without a diagnosis.
    func path() -> Seen {
        var families: [String] = []
        var preferred: [Way] = []
        var others: [Way] = []
        for family in [4, 6] {
            let ways = ways(family, over: nil)
            guard !ways.isEmpty else { continue }
            families.append("ipv\(family)")
            preferred += ways
            // A link without an address beyond it counts only if packets that may use any link take it.
            for link in dump.links where link.isUp && link.ifname != "lo" && link.mayReachBeyond {
                others += self.ways(family, over: link.ifname)
            }
        }
        guard !families.isEmpty else { return Seen(status: .unsatisfied) }
        others.sort { ($0.metric, index($0.link)) < ($1.metric, index($1.link)) }
        return Seen(
            status: .satisfied, families: families, interfaces: unique((preferred + others).map(\.link)),
            gateways: unique(preferred.compactMap(\.gateway)))
    }

    /// Both halves must have an egress; the result has those of both halves, each once.
    private func ways(_ family: Int, over link: String?) -> [Way] {
        let destinations = Self.representatives[family] ?? []
        // A socket that is bound to a link is tried only if one that is not bound needs a source address first.
        let mayChoose =
            link == nil
            || destinations.joined().contains { found(to: $0, family, over: nil, mayChoose: true)?.source != nil }
        let halves = destinations.map { ways($0, family, over: link, mayChoose: mayChoose) }
        return halves.contains(where: \.isEmpty) ? [] : unique(halves.flatMap { $0 })
    }

    /// The least specific route to any of the addresses decides for all of them.
    private func ways(_ addresses: [String], _ family: Int, over link: String?, mayChoose: Bool) -> [Way] {
        let all = addresses.compactMap { found(to: $0, family, over: link, mayChoose: mayChoose) }
        guard let (route, source) = all.min(by: { length($0.route, family) < length($1.route, family) }) else {
            return []
        }
        return hops(route).compactMap { hop in
            guard let name = hop.dev, link == nil || link == name,
                let out = dump.links.first(where: { $0.ifname == name })
            else { return nil }
            return out.isRunning && (hasSource(out, family) || source.map { canBorrow($0, family) } ?? false)
                ? Way(link: name, gateway: hop.gateway, metric: route.metric ?? 0) : nil
        }
    }

    /// The route to a destination, with the source address that connect(2) chooses if that decides.
    private func found(
        to destination: String, _ family: Int, over link: String?, mayChoose: Bool
    ) -> (route: SystemDump.Route, source: String?)? {
        let address = bits(destination, family)
        let unsourced = route(to: address, family, over: link)
        if family == 4, unsourced != nil, dump.rules[4]?.contains(where: { $0.src != "all" }) == true {
            // connect(2) looks up again with the source that it has chosen, and fails where a rule rejects that.
            guard let source = dump.sources[.init(destination: destination, link: link)] else { return nil }
            return route(to: address, from: bits(source, family), family, over: link).map { ($0, source) }
        }
        if let unsourced {
            let links = hops(unsourced).compactMap { hop in dump.links.first { $0.ifname == hop.dev } }
            if links.allSatisfy({ hasSource($0, family) }) { return (unsourced, nil) }
        } else if family == 4 || !mayChoose {
            return nil
        }
        guard let source = dump.sources[.init(destination: destination, link: link)] else {
            return unsourced.map { ($0, nil) }
        }
        return route(to: address, from: bits(source, family), family, over: link).map { ($0, source) }
            ?? unsourced.map { ($0, nil) }
    }

    /// An address that is neither private nor link-local, of any link: one without carrier lends its address too.
    private func canBorrow(_ source: String, _ family: Int) -> Bool {
        let isGlobal = family == 4 ? source.hasPrefix("203.") : source.hasPrefix("2")
        return isGlobal
            && dump.links.contains { link in
                link.addresses?.contains { $0.local == source && $0.tentative != true } ?? false
            }
    }

    private func hasSource(_ link: SystemDump.Link, _ family: Int) -> Bool {
        (link.addresses ?? []).contains {
            $0.family == (family == 4 ? "inet" : "inet6") && $0.scope == "global" && $0.tentative != true
                && $0.dadfailed != true
        }
    }

    // MARK: Rules

    /// Evaluates the rules in their order.
    private func route(
        to address: [Bool], from source: [Bool]? = nil, _ family: Int, over link: String?
    ) -> SystemDump.Route? {
        for rule in (dump.rules[family] ?? []) where rule.src == "all" || source == bits(rule.src, family) {
            // Every action other than a table lookup rejects.
            guard rule.action == nil else { return nil }
            switch match(address, source, rule.table ?? "main", family, over: link) {
            case .miss: continue
            case .reject: return nil
            case .found(let route):
                if let most = rule.suppressedPrefixLength, length(route, family) <= most { continue }
                // The first next hop counts.
                let egress = dump.links.first { $0.ifname == hops(route).first?.dev }
                if let group = rule.suppressedGroup, egress?.group == group { continue }
                return route
            }
        }
        return nil
    }

    private enum Match { case miss, reject, found(SystemDump.Route) }

    /// The longest usable prefix that matches; among several the smallest metric.
    ///
    /// Of the routes to one prefix, those for some sources come first, whatever their metric is. If none of them matches, IPv6 goes on
    /// with shorter prefixes: of the routes to that prefix for all sources, it finds only a default route.
    private func match(
        _ address: [Bool], _ source: [Bool]?, _ table: String, _ family: Int, over link: String?
    ) -> Match {
        let candidates = (dump.routes[family] ?? [])
            .filter { $0.table == table && covers($0, address, family) && accepts($0, source, family) }
            .filter { route in
                route.from != nil || length(route, family) == 0
                    || !(dump.routes[family] ?? []).contains {
                        $0.table == table && $0.dst == route.dst && $0.from != nil
                    }
            }
            .sorted {
                (-length($0, family), -sourceLength($0), $0.metric ?? 0)
                    < (-length($1, family), -sourceLength($1), $1.metric ?? 0)
            }
        for route in candidates {
            if route.type == "unicast" {
                if hops(route).contains(where: { isOpen($0, family, over: link) }) { return .found(route) }
                continue
            }
            // IPv6 installs the other routes on loopback, so that a packet bound to another link skips them.
            if family == 6, link != nil { continue }
            switch route.type {
            case "throw": return .miss
            case "unreachable", "blackhole", "prohibit": return .reject
            default: continue
            }
        }
        return .miss
    }

    private func isOpen(_ hop: SystemDump.Hop, _ family: Int, over link: String?) -> Bool {
        if hop.flags.contains("dead") { return false }
        if hop.flags.contains("linkdown"), let name = hop.dev, dump.ignoredDeadLinks[family]?.contains(name) == true {
            return false
        }
        return link == nil || hop.dev == link
    }

    private func hops(_ route: SystemDump.Route) -> [SystemDump.Hop] {
        route.nexthops ?? [SystemDump.Hop(gateway: route.gateway, dev: route.dev, flags: route.flags)]
    }

    // MARK: Prefixes

    private func covers(_ route: SystemDump.Route, _ address: [Bool], _ family: Int) -> Bool {
        if route.dst == "default" { return true }
        let network = bits(String(route.dst.prefix { $0 != "/" }), family)
        return network.prefix(length(route, family)) == address.prefix(length(route, family))
    }

    /// Whether a route is for all sources, or for this one.
    private func accepts(_ route: SystemDump.Route, _ source: [Bool]?, _ family: Int) -> Bool {
        guard let from = route.from else { return true }
        guard let source else { return false }
        let network = bits(String(from.prefix { $0 != "/" }), family)
        return network.prefix(sourceLength(route)) == source.prefix(sourceLength(route))
    }

    private func sourceLength(_ route: SystemDump.Route) -> Int {
        guard let from = route.from else { return 0 }
        return from.firstIndex(of: "/").flatMap { Int(from[from.index(after: $0)...]) } ?? 128
    }

    private func length(_ route: SystemDump.Route, _ family: Int) -> Int {
        if route.dst == "default" { return 0 }
        guard let slash = route.dst.firstIndex(of: "/") else { return family == 4 ? 32 : 128 }
        return Int(route.dst[route.dst.index(after: slash)...]) ?? 0
    }

    private func bits(_ text: String, _ family: Int) -> [Bool] {
        var bytes = [UInt8](repeating: 0, count: family == 4 ? 4 : 16)
        guard inet_pton(family == 4 ? AF_INET : AF_INET6, text, &bytes) == 1 else { return [] }
        return bytes.flatMap { byte in (0..<8).map { byte & (0x80 >> $0) != 0 } }
    }

    private func index(_ link: String) -> Int { dump.links.first { $0.ifname == link }?.ifindex ?? .max }

    private func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }
}
#endif
