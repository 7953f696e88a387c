//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Netlink

/// Random changes of the namespace that the soak is started in.
///
/// One link, `up0`, stays; what the subject must say at the roll calls depends on it alone, once the rest is swept away.
struct Churn: ~Copyable {
    private var kernel: RouteNetlink
    private let street: NetworkNamespace
    private var streetKernel: RouteNetlink
    private(set) var changes = 0

    private static let links = 0..<4
    private static let priorities: ClosedRange<UInt32> = 200...203
    private static let table = RouteTable(rawValue: 100)
    private static let reject: [RouteType] = [.unreachable, .blackhole, .prohibit]

    init() throws {
        let street = try NetworkNamespace()
        let streetKernel = try RouteNetlink(in: street)
        let kernel = try RouteNetlink()
        self.street = street
        self.streetKernel = streetKernel
        self.kernel = kernel
    }

    /// Makes what stays.
    mutating func begin() throws {
        try kernel.setLink(try kernel.link(named: "lo").index, up: true)
        try plug("up0")
        try kernel.addAddress(Self.prefix(192, 0, 2, 2, length: 24), to: try kernel.link(named: "up0").index)
        try settle(isUp: true)
    }

    /// The network as it must be: nothing but `up0`, and that up with a default route, or down.
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
                NewRoute(.all(.ipv4), via: InetAddress(192, 0, 2, 1), interface: index, priority: 50))
        }
    }

    /// One change of any kind, unless the kernel refuses it.
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
            case 20..<28: try streetKernel.setLink(try streetKernel.link(named: "far-c\(number)").index, up: isThere)
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
            // What is there cannot be added, and what is not cannot be taken away.
        }
    }

    /// A change of a default route, which every watcher hears of.
    mutating func storm() {
        changes += 2
        guard let index = try? kernel.link(named: "up0").index else { return }
        let route = NewRoute(.all(.ipv4), via: InetAddress(192, 0, 2, 9), interface: index, priority: 900)
        try? kernel.addRoute(route)
        try? kernel.deleteRoute(route)
    }

    private mutating func plug(_ name: String) throws {
        try kernel.createLink(.veth(name: name, peer: "far-\(name)"))
        let far = try kernel.link(named: "far-\(name)").index
        try kernel.setLink(far, namespace: street)
        try streetKernel.setLink(try streetKernel.link(named: "far-\(name)").index, up: true)
        try kernel.setLink(try kernel.link(named: name).index, up: true)
    }

    private mutating func setAddress(_ link: Int, _ family: AddressFamily, _ isThere: Bool) throws {
        let index = try kernel.link(named: "c\(link)").index
        let address = Self.address(link, 2, family)
        guard let prefix = InetPrefix(address, length: family == .ipv4 ? 24 : 64) else { return }
        if isThere { try kernel.addAddress(prefix, to: index) } else { try kernel.deleteAddress(prefix, from: index) }
    }

    private mutating func setRoute(_ link: Int, _ family: AddressFamily, _ isThere: Bool) throws {
        let index = try kernel.link(named: "c\(link)").index
        let texts =
            family == .ipv4
            ? ["0.0.0.0/0", "0.0.0.0/0", "0.0.0.0/1", "203.0.113.0/24", "198.51.100.1/32"]
            : ["::/0", "::/0", "2000::/3", "2001:db8:ff::/48"]
        let destinations = texts.compactMap { InetPrefix($0) }
        let route = NewRoute(
            destinations.randomElement() ?? .all(family), via: Self.address(link, 1, family), interface: index,
            priority: Self.priorities.randomElement(), table: Bool.random() ? .main : Self.table)
        if isThere { try kernel.addRoute(route) } else { try kernel.deleteRoute(route) }
    }

    private static func address(_ link: Int, _ host: UInt8, _ family: AddressFamily) -> InetAddress {
        family == .ipv4
            ? InetAddress(10, UInt8(link + 1), 0, host) : InetAddress("2001:db8:\(link + 1)::\(host)") ?? .any(.ipv6)
    }

    private static func prefix(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, length: UInt8) -> InetPrefix {
        InetPrefix(InetAddress(a, b, c, d), length: length) ?? .all(.ipv4)
    }

    private func rules(_ family: AddressFamily, _ priority: UInt32) -> [RuleMessage] {
        [
            RuleMessage(family: family, action: .lookup, table: Self.table, priority: priority),
            RuleMessage(family: family, action: .unreachable, table: .unspecified, priority: priority),
        ]
    }

    private func rejection(_ family: AddressFamily, _ type: RouteType, _ priority: UInt32) -> NewRoute {
        NewRoute(.all(family), type: type, nextHops: [], priority: priority)
    }
}
#endif
