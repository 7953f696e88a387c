// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetlinkTesting

/// Makes random changes in the network namespace in which the soak test starts.
///
/// One link, `up0`, always exists. Once everything else is removed, it alone decides the right answer at a roll call.
struct Churn: ~Copyable {
    private var kernel: RouteNetlink
    private let outside: NetworkNamespace
    private var outsideKernel: RouteNetlink
    private(set) var changes = 0

    private static let links = 0..<4
    private static let priorities: ClosedRange<UInt32> = 200...203
    private static let table = RouteTable(rawValue: 100)
    private static let reject: [RouteType] = [.unreachable, .blackhole, .prohibit]

    init() throws {
        let outside = try NetworkNamespace()
        let outsideKernel = try RouteNetlink(in: outside)
        let kernel = try RouteNetlink()
        self.outside = outside
        self.outsideKernel = outsideKernel
        self.kernel = kernel
    }

    /// Creates the permanent link.
    mutating func begin() throws {
        try kernel.setLink(try kernel.link(named: "lo").index, up: true)
        try plug("up0")
        try kernel.addAddress(Self.prefix(192, 0, 2, 2, length: 24), to: try kernel.link(named: "up0").index)
        try settle(isUp: true)
    }

    /// Puts the network into a known state: only `up0`, which is either down or up with a default route.
    mutating func settle(isUp: Bool) throws {
        for link in Self.links {
            if let index = try? kernel.link(named: "c\(link)").index { try kernel.deleteLink(index) }
        }
        for family in [AddressFamily.ipv4, .ipv6] {
            for priority in Self.priorities {
                for rule in rules(family, priority) { try? kernel.deleteRule(rule) }
                for type in Self.reject { try? kernel.deleteRoute(rejection(family, type, priority)) }
            }
        }
        let index = try kernel.link(named: "up0").index
        try kernel.setLink(index, up: isUp)
        if isUp {
            try kernel.replaceRoute(
                NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1), interface: index, priority: 50))
        }
    }

    /// Changes the network at random, unless the kernel rejects the change.
    mutating func perform() {
        changes += 1
        let number = Int.random(in: Self.links)
        let family: AddressFamily = Bool.random() ? .ipv4 : .ipv6
        let isThere = Int.random(in: 0..<10) < 6
        do {
            switch Int.random(in: 0..<100) {
            case 0..<4: try plug("c\(number)")
            case 4..<6: try kernel.deleteLink(try kernel.link(named: "c\(number)").index)
            case 6..<20: try kernel.setLink(try kernel.link(named: "c\(number)").index, up: isThere)
            case 20..<28: try outsideKernel.setLink(try outsideKernel.link(named: "far-c\(number)").index, up: isThere)
            case 28..<32: try kernel.setLink(try kernel.link(named: "up0").index, up: isThere)
            case 32..<52: try setAddress(number, family, isThere)
            case 52..<88: try setRoute(number, family, isThere)
            case 88..<94:
                let rule = rules(family, Self.priorities.randomElement() ?? 200).randomElement()
                if let rule { if isThere { try kernel.addRule(rule) } else { try kernel.deleteRule(rule) } }
            default:
                let route = rejection(family, Self.reject.randomElement() ?? .unreachable, 200)
                if isThere { try kernel.addRoute(route) } else { try kernel.deleteRoute(route) }
            }
        } catch {
            // What exists already cannot be added, and what does not exist cannot be deleted.
        }
    }

    /// Changes a default route, which is an event for every watcher.
    mutating func storm() {
        changes += 2
        guard let index = try? kernel.link(named: "up0").index else { return }
        let route = NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 9), interface: index, priority: 900)
        try? kernel.addRoute(route)
        try? kernel.deleteRoute(route)
    }

    private mutating func plug(_ name: String) throws {
        try kernel.createLink(.veth(name: name, peer: "far-\(name)"))
        let far = try kernel.link(named: "far-\(name)").index
        try kernel.setLink(far, namespace: outside)
        try outsideKernel.setLink(try outsideKernel.link(named: "far-\(name)").index, up: true)
        try kernel.setLink(try kernel.link(named: name).index, up: true)
    }

    private mutating func setAddress(_ link: Int, _ family: AddressFamily, _ isThere: Bool) throws {
        let index = try kernel.link(named: "c\(link)").index
        let address = Self.address(link, 2, family)
        guard let prefix = NetworkPrefix(address, length: family == .ipv4 ? 24 : 64) else { return }
        if isThere { try kernel.addAddress(prefix, to: index) } else { try kernel.deleteAddress(prefix, from: index) }
    }

    private mutating func setRoute(_ link: Int, _ family: AddressFamily, _ isThere: Bool) throws {
        let index = try kernel.link(named: "c\(link)").index
        let texts =
            family == .ipv4
            ? ["0.0.0.0/0", "0.0.0.0/0", "0.0.0.0/1", "203.0.113.0/24", "198.51.100.1/32"]
            : ["::/0", "::/0", "2000::/3", "2001:db8:ff::/48"]
        let destinations = texts.compactMap { NetworkPrefix($0) }
        let route = NewRoute(
            destinations.randomElement() ?? .all(family.version ?? .ipv4), via: Self.address(link, 1, family),
            interface: index,
            priority: Self.priorities.randomElement(), table: Bool.random() ? .main : Self.table)
        if isThere { try kernel.addRoute(route) } else { try kernel.deleteRoute(route) }
    }

    private static func address(_ link: Int, _ host: UInt8, _ family: AddressFamily) -> NetworkAddress {
        family == .ipv4
            ? NetworkAddress(10, UInt8(link + 1), 0, host)
            : NetworkAddress("2001:db8:\(link + 1)::\(host)") ?? .any(.ipv6)
    }

    private static func prefix(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, length: UInt8) -> NetworkPrefix {
        NetworkPrefix(NetworkAddress(a, b, c, d), length: length) ?? .all(.ipv4)
    }

    private func rules(_ family: AddressFamily, _ priority: UInt32) -> [RuleMessage] {
        [
            RuleMessage(family: family, action: .lookup, table: Self.table, priority: priority),
            RuleMessage(family: family, action: .unreachable, table: .unspecified, priority: priority),
        ]
    }

    private func rejection(_ family: AddressFamily, _ type: RouteType, _ priority: UInt32) -> NewRoute {
        NewRoute(.all(family.version ?? .ipv4), type: type, nextHops: [], priority: priority)
    }
}
#endif
