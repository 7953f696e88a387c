// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RouteTests {
    @Test(arguments: [
        ("0.0.0.0/0", "192.0.2.254"), ("203.0.113.0/24", "192.0.2.254"),
        ("::/0", "2001:db8::fe"), ("2001:db8:1::/48", "2001:db8::fe"),
    ])
    func `an added unicast route is read back unchanged`(destination: String, gateway: String) async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let (destination, gateway) = (try prefix(destination), try address(gateway))
        try lab.kernel.addRoute(NewRoute(destination, via: gateway, interface: lab.a, priority: 77))
        let route = try #require(try lab.kernel.routes(gateway.family).first { $0.priority == 77 })
        #expect(route.destination == (destination.length == 0 ? nil : destination))
        #expect(route.destinationLength == destination.length)
        #expect(route.type == .unicast)
        #expect(route.table == .main)
        #expect(route.protocol == .boot)
        #expect(route.nextHops == [NextHop(interface: lab.a, gateway: gateway)])
        #expect(route.expires == nil)
        try lab.kernel.deleteRoute(NewRoute(destination, via: gateway, interface: lab.a, priority: 77))
        let left = try lab.kernel.routes(gateway.family)
        #expect(!left.contains { $0.priority == 77 })
    }

    @Test(arguments: [RouteType.unreachable, .blackhole, .prohibit], [AddressFamily.ipv4, .ipv6])
    func `a route that discards packets has no next hop`(type: RouteType, family: AddressFamily) async throws {
        var lab = try await Lab()
        try lab.kernel.addRoute(NewRoute(.all(family.version ?? .ipv4), type: type, priority: 5))
        let route = try #require(try lab.kernel.routes(family).first { $0.priority == 5 })
        #expect(route.type == type)
        #expect(route.nextHops.allSatisfy { $0.gateway == nil && $0.interface == 1 })
    }

    @Test func `an on-link gateway needs no address in its network`() async throws {
        var lab = try await Lab()
        let gateway = try address("198.51.100.1")
        try lab.kernel.addRoute(NewRoute(.all(.ipv4), via: gateway, interface: lab.a, onLink: true))
        let route = try #require(try lab.kernel.routes(.ipv4, table: .main).first)
        #expect(route.nextHops == [NextHop(interface: lab.a, gateway: gateway, flags: .onLink)])
    }

    @Test func `a route without a gateway is on-link`() async throws {
        var lab = try await Lab()
        try lab.kernel.addRoute(NewRoute(prefix("203.0.113.0/24"), interface: lab.a))
        let route = try #require(try lab.kernel.routes(.ipv4, table: .main).first)
        #expect(route.scope == .link)
        #expect(route.nextHops == [NextHop(interface: lab.a)])
    }

    @Test func `an IPv4 multipath route keeps its weights`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let hops = [
            NextHop(interface: lab.a, gateway: try address("192.0.2.2"), weight: 1),
            NextHop(interface: lab.a, gateway: try address("192.0.2.3"), weight: 256),
            NextHop(interface: lab.a, gateway: try address("2001:db8::4"), weight: 7),
        ]
        try lab.kernel.addRoute(NewRoute(.all(.ipv4), nextHops: hops))
        let route = try lab.kernel.routes(.ipv4).first { $0.destinationLength == 0 }
        #expect(route?.nextHops == hops)
    }

    @Test func `an IPv6 multipath route is a single route, however it was added`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let gateways = try ["2001:db8::2", "2001:db8::3"].map { try address($0) }
        for gateway in gateways {
            try lab.kernel.appendRoute(NewRoute(.all(.ipv6), via: gateway, interface: lab.a, priority: 9))
        }
        let defaults = try lab.kernel.routes(.ipv6, table: .main).filter { $0.destinationLength == 0 }
        #expect(defaults.count == 1)
        #expect(defaults.first?.nextHops.map(\.gateway) == gateways)
    }

    @Test func `an appended IPv4 route comes after the first`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let gateways = try ["192.0.2.2", "192.0.2.3"].map { try address($0) }
        for gateway in gateways { try lab.kernel.appendRoute(NewRoute(.all(.ipv4), via: gateway, interface: lab.a)) }
        let defaults = try lab.kernel.routes(.ipv4, table: .main).filter { $0.destinationLength == 0 }
        #expect(defaults.map { $0.nextHops.first?.gateway } == gateways)
    }

    @Test func `a replaced route no longer has its old gateway`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        try lab.kernel.addRoute(NewRoute(.all(.ipv4), via: address("192.0.2.2"), interface: lab.a))
        try lab.kernel.replaceRoute(NewRoute(.all(.ipv4), via: address("192.0.2.3"), interface: lab.a))
        let defaults = try lab.kernel.routes(.ipv4, table: .main).filter { $0.destinationLength == 0 }
        #expect(defaults.map { $0.nextHops.first?.gateway?.description } == ["192.0.2.3"])
    }

    @Test func `an IPv4 route may have an IPv6 router`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let gateway = try address("2001:db8::fe")
        try lab.kernel.addRoute(NewRoute(.all(.ipv4), via: gateway, interface: lab.a))
        let route = try lab.kernel.routes(.ipv4, table: .main).first { $0.destinationLength == 0 }
        #expect(route?.nextHops == [NextHop(interface: lab.a, gateway: gateway)])
    }

    @Test func `routes can use nexthop objects, which form groups`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let (first, second) = (try address("192.0.2.2"), try address("192.0.2.3"))
        try lab.kernel.setNextHop(
            NextHopObjectMessage(id: 1, family: .ipv4, hop: NextHop(interface: lab.a, gateway: first)))
        try lab.kernel.setNextHop(
            NextHopObjectMessage(id: 2, family: .ipv4, hop: NextHop(interface: lab.a, gateway: second)))
        try lab.kernel.setNextHop(
            NextHopObjectMessage(
                id: 3, family: .unspecified, group: [.init(id: 1, weight: 1), .init(id: 2, weight: 256)]))
        try lab.kernel.setNextHop(NextHopObjectMessage(id: 4, family: .ipv4, isBlackhole: true))
        let objects = try lab.kernel.nextHops()
        #expect(objects.map(\.id) == [1, 2, 3, 4])
        #expect(objects.first?.hop == NextHop(interface: lab.a, gateway: first))
        #expect(objects[2].group == [.init(id: 1, weight: 1), .init(id: 2, weight: 256)])
        #expect(objects[2].hop == nil)
        #expect(objects[3].isBlackhole)

        try lab.kernel.addRoute(NewRoute(.all(.ipv4), nextHopID: 3))
        let route = try lab.kernel.routes(.ipv4, table: .main).first { $0.destinationLength == 0 }
        #expect(route?.nextHopID == 3)
        #expect(route?.nextHops.map(\.gateway) == [first, second])
        try lab.kernel.deleteNextHop(id: 3)
        let left = try lab.kernel.routes(.ipv4, table: .main)
        #expect(!left.contains { $0.destinationLength == 0 })
    }

    @Test func `an IPv6 route can expire`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        try lab.kernel.addRoute(
            NewRoute(
                .all(.ipv6), nextHops: [NextHop(interface: lab.a, gateway: address("2001:db8::fe"))], expires: 600))
        let route = try lab.kernel.routes(.ipv6, table: .main).first { $0.destinationLength == 0 }
        let expires = try #require(route?.expires)
        #expect((590...600).contains(expires))
    }

    @Test(arguments: [RouteTable(rawValue: 200), RouteTable(rawValue: 70_000)], [AddressFamily.ipv4, .ipv6])
    func `a dump can be limited to a table`(table: RouteTable, family: AddressFamily) async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let before = try lab.kernel.routes(family, table: table)
        #expect(before.isEmpty)
        try lab.kernel.addRoute(NewRoute(.all(family.version ?? .ipv4), interface: lab.a, table: table))
        let routes = try lab.kernel.routes(family, table: table)
        #expect(routes.map(\.table) == [table])
        let all = try lab.kernel.routes(family)
        #expect(all.count > 1 && all.contains { $0.table == table })
    }

    @Test func `a dump can be limited to a link`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        try lab.kernel.addRoute(NewRoute(prefix("203.0.113.0/24"), interface: lab.b))
        let routes = try lab.kernel.routes(.ipv4, interface: lab.b)
        #expect(routes.map(\.destination?.description) == ["203.0.113.0/24"])
    }

    @Test func `a dump longer than one datagram is complete`() async throws {
        var lab = try await Lab()
        let count = 3000
        for number in 0..<count {
            let network = NetworkAddress(10, UInt8(number / 256), UInt8(number % 256), 0)
            try lab.kernel.addRoute(NewRoute(try #require(NetworkPrefix(network, length: 24)), interface: lab.a))
        }
        let routes = try lab.kernel.routes(.ipv4, table: .main)
        #expect(Set(routes.compactMap(\.destination)).count == count)
    }

    @Test func `the kernel's message explains a rejection`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let far = try refusal { try lab.kernel.addRoute(NewRoute(.all(.ipv4), via: address("203.0.113.1"))) }
        #expect(far.errno == .networkUnreachable)
        #expect(far.message == "Nexthop has invalid gateway")
        #expect(far.description.contains("RTM_NEWROUTE 0.0.0.0/0: "))
        let missing = try refusal { try lab.kernel.deleteRoute(NewRoute(.all(.ipv4))) }
        #expect(missing.errno?.rawValue == 3)
        let badObject = try refusal { try lab.kernel.addRoute(NewRoute(.all(.ipv4), nextHopID: 99)) }
        #expect(badObject.message == "Nexthop id does not exist")
    }
}
#endif
