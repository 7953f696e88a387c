// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport

/// A random change of a network.
///
/// It is a value, so that a failing sequence can be printed, shortened and replayed. The kernel rejects impossible changes (a
/// route over a link that is down); this is part of the test.
enum RandomAction: Hashable, Sendable {
    case plug(Int)
    case unplug(Int)
    case link(Int, isUp: Bool)
    case carrier(Int, isThere: Bool)
    case address(Int, AddressFamily, isThere: Bool)
    case route(Route, isThere: Bool)
    case rule(Rule, isThere: Bool)
    /// For all links, or for one link and family.
    case ignoreDeadLinks(Int?, AddressFamily, Bool)
    case group(Int, UInt32)
    /// The state of a link's router; there are no two routers with routes of one metric, so that the path stays the same.
    case router(Int, AddressFamily, isFailed: Bool)

    struct Route: Hashable, Sendable {
        var destination: NetworkPrefix
        var type: RouteType
        /// None for a route that rejects, two for multipath.
        var links: [Int]
        var priority: UInt32
        var table: RouteTable
        /// The sources that an IPv6 route is limited to: the network of a link.
        var source: Int?
        /// Whether the route does not need an address on the link.
        var isOnLink = false
    }

    struct Rule: Hashable, Sendable {
        var family: AddressFamily
        var action: RuleAction
        var table: RouteTable
        var priority: UInt32
        var suppressed: UInt32?
        var suppressedGroup: UInt32?
        /// The link whose address packets must have.
        var source: Int?
    }

    static let links = 0..<3
    static let tables: [RouteTable] = [.main, RouteTable(rawValue: 100)]

    /// The addresses of the links: private ones, and in each family one that another link may borrow.
    static func address(_ link: Int, _ family: AddressFamily) -> NetworkPrefix {
        let number = UInt8(link + 1)
        let address =
            family == .ipv4
            ? (link == 2 ? "203.0.113.2" : NetworkAddress(10, number, 0, 2))
            : NetworkAddress(link == 1 ? "fd00:\(number)::2" : "2001:db8:\(number)::2") ?? .any(.ipv6)
        return NetworkPrefix(address, length: family == .ipv4 ? 24 : 64) ?? .all(family.version ?? .ipv4)
    }

    static func gateway(_ link: Int, _ family: AddressFamily) -> NetworkAddress {
        let number = UInt8(link + 1)
        return family == .ipv4
            ? (link == 2 ? "203.0.113.1" : NetworkAddress(10, number, 0, 1))
            : NetworkAddress(link == 1 ? "fd00:\(number)::1" : "2001:db8:\(number)::1") ?? .any(.ipv6)
    }
}

extension RandomAction {
    /// A start with a random number of links, followed by arbitrary actions.
    static func sequence(of count: Int, using generator: inout SeededGenerator) -> [RandomAction] {
        var actions: [RandomAction] = []
        for link in links where Int.random(in: 0..<4, using: &generator) > 0 {
            actions += [.plug(link), .address(link, .ipv4, isThere: true), .address(link, .ipv6, isThere: true)]
        }
        for link in links {
            for family in [AddressFamily.ipv4, .ipv6] where Bool.random(using: &generator) {
                let priority =
                    UInt32.random(in: 1...3, using: &generator) * (family == .ipv4 ? 100 : UInt32(100 + link))
                let route = Route(
                    destination: .all(family.version ?? .ipv4), type: .unicast, links: [link], priority: priority,
                    table: .main)
                actions.append(.route(route, isThere: true))
            }
        }
        return actions + (0..<count).map { _ in random(using: &generator) }
    }

    private static func random(using generator: inout SeededGenerator) -> RandomAction {
        let link = Int.random(in: links, using: &generator)
        let family: AddressFamily = Bool.random(using: &generator) ? .ipv4 : .ipv6
        let isThere = Int.random(in: 0..<10, using: &generator) < 6
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<10: return .plug(link)
        case 10..<12: return .unplug(link)
        case 12..<22: return .link(link, isUp: isThere)
        case 22..<30: return .carrier(link, isThere: isThere)
        case 30..<50: return .address(link, family, isThere: isThere)
        case 50..<84: return .route(.random(family, using: &generator), isThere: isThere)
        case 84..<92: return .rule(.random(family, using: &generator), isThere: isThere)
        default:
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: return .ignoreDeadLinks(nil, family, isThere)
            case 1: return .ignoreDeadLinks(link, family, isThere)
            case 2, 3: return .group(link, isThere ? 7 : 0)
            default: return .router(link, family, isFailed: isThere)
            }
        }
    }
}

extension RandomAction.Route {
    fileprivate static func random(_ family: AddressFamily, using generator: inout SeededGenerator) -> Self {
        let destinations: [NetworkPrefix] =
            family == .ipv4
            ? [.all(.ipv4), .all(.ipv4), .all(.ipv4), "0.0.0.0/1", "128.0.0.0/1", "24.0.0.0/8", "203.104.0.1/32"]
            : [.all(.ipv6), .all(.ipv6), .all(.ipv6), "2000::/3", "2400::/6", "2800::/5", "2403:300::/32"]
        let types: [RouteType] = [.unicast, .unicast, .unicast, .unicast, .unreachable, .blackhole, .prohibit, .throw]
        let type = types.randomElement(using: &generator) ?? .unicast
        var links = RandomAction.links.shuffled(using: &generator)
        // IPv6 merges routes with the same metric, which makes the links of multipath depend on the past; IPv4 does not.
        let isMultipath = family == .ipv4 && Int.random(in: 0..<5, using: &generator) == 0
        links = type == .unicast ? Array(links.prefix(isMultipath ? 2 : 1)) : []
        let hasSource = family == .ipv6 && Int.random(in: 0..<3, using: &generator) == 0
        let isOnLink = Int.random(in: 0..<3, using: &generator) == 0
        let source = hasSource && type == .unicast ? RandomAction.links.randomElement(using: &generator) : nil
        let metric: UInt32 = family == .ipv4 ? 100 : UInt32(100 + (links.first ?? 3))
        return Self(
            destination: destinations.randomElement(using: &generator) ?? .all(family.version ?? .ipv4), type: type,
            links: links,
            priority: metric * UInt32.random(in: 1...3, using: &generator),
            table: RandomAction.tables.randomElement(using: &generator) ?? .main, source: source,
            isOnLink: isOnLink && type == .unicast)
    }
}

extension RandomAction.Rule {
    fileprivate static func random(_ family: AddressFamily, using generator: inout SeededGenerator) -> Self {
        let actions: [RuleAction] = [.lookup, .lookup, .lookup, .lookup, .unreachable, .blackhole, .prohibit]
        let action = actions.randomElement(using: &generator) ?? .lookup
        let isSuppressing = action == .lookup && Int.random(in: 0..<3, using: &generator) == 0
        let isOfGroup = action == .lookup && Int.random(in: 0..<3, using: &generator) == 0
        let hasSource = Int.random(in: 0..<3, using: &generator) == 0
        return Self(
            family: family, action: action,
            table: action == .lookup ? RandomAction.tables.randomElement(using: &generator) ?? .main : .unspecified,
            priority: UInt32.random(in: 1...4, using: &generator) * 100, suppressed: isSuppressing ? 0 : nil,
            suppressedGroup: isOfGroup ? 7 : nil,
            source: hasSource ? RandomAction.links.randomElement(using: &generator) : nil)
    }
}
#endif
