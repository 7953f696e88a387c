// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct LookupTests {
    static let families: [AddressFamily] = [.ipv4, .ipv6]

    /// A remote address.
    static func far(_ family: AddressFamily) throws -> NetworkAddress {
        try address(family == .ipv4 ? "203.0.113.9" : "2001:db8:9::9")
    }

    static func gateway(_ family: AddressFamily) throws -> NetworkAddress {
        try address(family == .ipv4 ? "192.0.2.254" : "2001:db8::fe")
    }

    @Test(arguments: families) func `the answer is the matching route`(family: AddressFamily) async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let gateway = try Self.gateway(family)
        try lab.kernel.addRoute(NewRoute(.all(family.version ?? .ipv4), via: gateway, interface: lab.a, priority: 42))
        let route = try lab.kernel.route(RouteLookup(to: Self.far(family)))
        #expect(route.destinationLength == 0)
        #expect(route.destination == nil)
        #expect(route.priority == 42)
        #expect(route.table == .main)
        #expect(route.nextHops == [NextHop(interface: lab.a, gateway: gateway)])
    }

    @Test(arguments: families) func `the answer has the table that a rule selected`(family: AddressFamily) async throws
    {
        var lab = try await Lab()
        try await lab.addAddresses()
        let table = RouteTable(rawValue: 4242)
        try lab.kernel.addRoute(
            NewRoute(.all(family.version ?? .ipv4), via: Self.gateway(family), interface: lab.a, table: table))
        try lab.kernel.addRule(RuleMessage(family: family, table: table, priority: 10, firewallMark: 5))
        let unmarked = try refusal { try lab.kernel.route(RouteLookup(to: Self.far(family))) }
        #expect(unmarked.errno == .networkUnreachable)
        let route = try lab.kernel.route(RouteLookup(to: Self.far(family), mark: 5))
        #expect(route.table == table)
        let path = try lab.kernel.path(RouteLookup(to: Self.far(family), mark: 5))
        #expect(path.table == table)
    }

    @Test(arguments: families) func `a path has a single next hop and the source address`(
        family: AddressFamily
    ) async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let gateway = try Self.gateway(family)
        try lab.kernel.addRoute(NewRoute(.all(family.version ?? .ipv4), via: gateway, interface: lab.a))
        let path = try lab.kernel.path(RouteLookup(to: Self.far(family)))
        #expect(path.nextHops.map(\.gateway) == [gateway])
        #expect(path.preferredSource?.description == (family == .ipv4 ? "192.0.2.1" : "2001:db8::1"))
    }

    @Test func `the answer has all next hops of a multipath route`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let hops = [
            NextHop(interface: lab.a, gateway: try address("192.0.2.2")),
            NextHop(interface: lab.a, gateway: try address("192.0.2.3")),
        ]
        try lab.kernel.addRoute(NewRoute(.all(.ipv4), nextHops: hops))
        let route = try lab.kernel.route(RouteLookup(to: Self.far(.ipv4)))
        #expect(route.nextHops == hops)
    }

    @Test(arguments: families) func `a lookup can be bound to a link`(family: AddressFamily) async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        try lab.kernel.addRoute(NewRoute(.all(family.version ?? .ipv4), via: Self.gateway(family), interface: lab.a))
        let route = try lab.kernel.route(RouteLookup(to: Self.far(family), interface: lab.a))
        #expect(route.nextHops.map(\.interface) == [lab.a])
        try lab.kernel.addRoute(NewRoute(.all(family.version ?? .ipv4), interface: lab.b, priority: 5000))
        let other = try lab.kernel.route(RouteLookup(to: Self.far(family), interface: lab.b))
        #expect(other.nextHops.map(\.interface) == [lab.b])
    }

    @Test(arguments: families) func `a lookup can have a source address`(family: AddressFamily) async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let table = RouteTable(rawValue: 77)
        let source = try prefix(family == .ipv4 ? "192.0.2.1/32" : "2001:db8::1/128")
        try lab.kernel.addRoute(
            NewRoute(.all(family.version ?? .ipv4), via: Self.gateway(family), interface: lab.a, table: table))
        try lab.kernel.addRule(RuleMessage(family: family, table: table, priority: 10, source: source))
        let route = try lab.kernel.route(RouteLookup(to: Self.far(family), source: source.address))
        #expect(route.table == table)
    }

    static let outcomes: [(RouteType?, NetlinkError.Errno)] = [
        (nil, .networkUnreachable), (.unreachable, .hostUnreachable), (.prohibit, .permissionDenied),
        (.blackhole, .invalidArgument),
    ]

    @Test(arguments: families, outcomes) func `each reason for no route has its error number`(
        family: AddressFamily, outcome: (type: RouteType?, errno: NetlinkError.Errno)
    ) async throws {
        var lab = try await Lab()
        if let type = outcome.type { try lab.kernel.addRoute(NewRoute(.all(family.version ?? .ipv4), type: type)) }
        let lookup = RouteLookup(to: try Self.far(family))
        let error = try refusal { try lab.kernel.route(lookup) }
        #expect(error.errno == outcome.errno)
        let settled = try lab.kernel.settledRoutes([lookup])
        #expect(settled == [.failure(outcome.errno)])
    }

    @Test(arguments: families) func `a throw route continues with the next rule`(family: AddressFamily) async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let table = RouteTable(rawValue: 77)
        try lab.kernel.addRoute(NewRoute(.all(family.version ?? .ipv4), type: .throw, table: table))
        try lab.kernel.addRule(RuleMessage(family: family, table: table, priority: 10))
        try lab.kernel.addRoute(NewRoute(.all(family.version ?? .ipv4), via: Self.gateway(family), interface: lab.a))
        let route = try lab.kernel.route(RouteLookup(to: Self.far(family)))
        #expect(route.table == .main)
    }

    @Test(arguments: families) func `an address of this host is local`(family: AddressFamily) async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let own = try address(family == .ipv4 ? "192.0.2.1" : "2001:db8::1")
        let route = try lab.kernel.route(RouteLookup(to: own))
        #expect(route.type == .local)
        if family == .ipv6 { #expect(route.table == .local) }
    }

    @Test(arguments: [0, 1, 2, 63, 64, 65, 200]) func `settled answers come in the order of their lookups`(
        count: Int
    ) async throws {
        var lab = try await Lab()
        for number in 0..<count where number % 3 != 0 {
            let host = NetworkPrefix(host: NetworkAddress(10, 0, 0, UInt8(number)))
            try lab.kernel.addRoute(
                number % 3 == 1 ? NewRoute(host, interface: lab.a) : NewRoute(host, type: .unreachable))
        }
        let answers = try lab.kernel.settledRoutes(
            (0..<count).map { RouteLookup(to: NetworkAddress(10, 0, 0, UInt8($0))) })
        #expect(answers.count == count)
        for (number, answer) in answers.enumerated() {
            switch (number % 3, answer) {
            case (0, .failure(.networkUnreachable)), (2, .failure(.hostUnreachable)): break
            case (1, .success(let route)):
                #expect(route.destination == NetworkPrefix(host: NetworkAddress(10, 0, 0, UInt8(number))))
            default: Issue.record("\(number): \(answer)")
            }
        }
    }

    @Test func `both families can be looked up in one exchange`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        for family in Self.families {
            try lab.kernel.addRoute(
                NewRoute(.all(family.version ?? .ipv4), via: Self.gateway(family), interface: lab.a))
        }
        let answers = try lab.kernel.settledRoutes(Self.families.map { RouteLookup(to: try Self.far($0)) })
        #expect(try answers.map { try $0.get().family } == Self.families)
    }

    @Test(.requires(.tunnels)) func `a lookup sends no packet`() throws {
        let namespace = try NetworkNamespace()
        let tunnel = try namespace.run { try Tunnel(name: "tun0", carrying: .packets) }
        var kernel = try RouteNetlink(in: namespace)
        let index = try kernel.link(named: "tun0").index
        try kernel.addAddress(prefix("192.0.2.1/24"), to: index)
        try kernel.setLink(index, up: true)
        try kernel.addRoute(NewRoute(.all(.ipv4), via: address("192.0.2.2"), interface: index))
        _ = try kernel.settledRoutes([RouteLookup(to: Self.far(.ipv4))])
        var sent: [[UInt8]] = []
        while let packet = try tunnel.nextPacket() { sent.append(packet) }
        // The kernel itself may send IPv6 packets when a link comes up.
        #expect(sent.allSatisfy { ($0.first ?? 0) >> 4 == 6 })
    }
}

extension RouteNetlink {
    /// Looks up several routes, after every change that the kernel has in progress.
    mutating func settledRoutes(
        _ lookups: [RouteLookup]
    ) throws(NetlinkError) -> [Result<RouteMessage, NetlinkError.Errno>] {
        try answers(to: lookups, flags: .fibMatch, areSettled: true)
    }
}
#endif
