// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct FilterTests {
    static let watched = ["1.1.1.1", "203.0.113.9", "2606:4700::1111", "2001:db8:9::9"]

    static func heard(_ subscription: inout NetlinkSubscription) throws -> Set<String> {
        let (messages, outcome) = try SubscriptionTests.read(&subscription)
        #expect(outcome == .empty)
        return Set(
            messages.map { message in
                switch message {
                case .newRoute(let route, _): "\(route.destination?.description ?? "default \(route.family)")"
                case .deletedRoute(let route): "-\(route.destination?.description ?? "default \(route.family)")"
                default: "not a route"
                }
            })
    }

    @Test func `only routes that cover a watched address are delivered`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        var subscription = try NetlinkSubscription([.ipv4Route, .ipv6Route], in: lab.namespace)
        let watched = try Self.watched.map { try address($0) }
        let isLimited = subscription.limitRoutes(toThoseCovering: watched)
        #expect(isLimited)
        let covering = [
            "0.0.0.0/0", "0.0.0.0/1", "128.0.0.0/1", "1.0.0.0/8", "1.1.1.0/24", "1.1.1.1/32", "203.0.113.0/29",
            "203.0.113.8/29", "::/0", "::/1", "2606:4700::/32", "2606:4700::1111/128", "2001:db8:9::/48", "2000::/3",
        ]
        let elsewhere = [
            "128.0.0.0/2", "1.1.0.0/24", "1.1.1.0/32", "1.1.1.2/31", "2.0.0.0/8", "10.0.0.0/8", "203.0.113.16/28",
            "8000::/1", "2606:4701::/32", "2800::/6", "fd00::/8",
        ]
        for text in covering + elsewhere { try lab.kernel.addRoute(NewRoute(prefix(text), interface: lab.a)) }
        for text in covering + elsewhere { try lab.kernel.deleteRoute(NewRoute(prefix(text), interface: lab.a)) }
        var expected: Set<String> = []
        for text in covering where text != "203.0.113.0/29" {
            let name = text == "0.0.0.0/0" ? "default IPv4" : text == "::/0" ? "default IPv6" : text
            expected.formUnion([name, "-" + name])
        }
        let heard = try Self.heard(&subscription)
        #expect(heard == expected)
    }

    @Test func `a storm of other routes neither wakes the watcher nor overflows its socket`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        var subscription = try NetlinkSubscription(
            [.ipv4Route, .ipv6Route], in: lab.namespace, receiveBuffer: 4096)
        let isLimited = subscription.limitRoutes(toThoseCovering: try Self.watched.map { try address($0) })
        #expect(isLimited)
        try lab.storm(2000)
        for number in 0..<2000 {
            let network = try prefix("2001:db9:\(String(number, radix: 16))::/48")
            try lab.kernel.addRoute(NewRoute(network, interface: lab.a))
        }
        let (noise, outcome) = try SubscriptionTests.read(&subscription)
        // A link may announce its carrier late; only routes must be absent.
        let routes = noise.filter { if case .newLink = $0 { false } else { true } }
        #expect(routes.isEmpty)
        #expect(outcome == .empty)
        try lab.kernel.addRoute(NewRoute(.all(.ipv4), via: address("192.0.2.2"), interface: lab.a))
        let heard = try Self.heard(&subscription)
        #expect(heard == ["default IPv4"])
    }

    @Test func `of ten thousand neighbour events, only the failure of a router wakes the watcher`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        var subscription = try NetlinkSubscription([], in: lab.namespace, receiveBuffer: 4096)
        subscription.limit(routesTo: [], neighbors: [NeighborWatch(try address("192.0.2.254"), on: lab.a)])
        let a = lab.a
        func set(_ address: NetworkAddress, _ state: NeighborState) throws {
            try lab.kernel.setNeighbor(address, on: a, state)
        }
        for number in 0..<5000 {
            // All namespaces share the kernel's limit of neighbours.
            let neighbor = NetworkAddress(10, 1, 0, UInt8(number % 200))
            try set(neighbor, .reachable)
            try set(neighbor, .failed)
        }
        try set(try address("192.0.2.254"), .reachable)
        let (noise, outcome) = try SubscriptionTests.read(&subscription)
        #expect(noise.isEmpty && outcome == .empty)
        try set(try address("192.0.2.254"), .failed)
        let (messages, _) = try SubscriptionTests.read(&subscription)
        guard case .newNeighbor(let neighbor) = messages.first, messages.count == 1 else {
            Issue.record("\(messages)")
            return
        }
        #expect(neighbor.address?.description == "192.0.2.254" && neighbor.state == .failed)
    }

    @Test func `a filter replaces one beside which the socket's memory has no room for it`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        // Before Linux 6.8 this is the default, for all namespaces.
        try? await lab.namespace.run { try Setting.write("core/optmem_max", 20_480) }
        var subscription = try NetlinkSubscription([.ipv4Route], in: lab.namespace)
        let router = try address("192.0.2.254")
        for count in [200, 201] {
            let addresses = (0..<count).map { NetworkAddress(11, 0, UInt8($0), 1) }
            subscription.limit(routesTo: addresses, neighbors: [NeighborWatch(router, on: lab.a)])
        }
        for text in ["12.0.0.0/8", "11.0.200.0/24"] {
            try lab.kernel.addRoute(NewRoute(prefix(text), interface: lab.a))
        }
        for neighbor in [NetworkAddress(192, 0, 2, 99), router] {
            // The kernel announces only the failure of a neighbour that has answered.
            for state in [NeighborState.reachable, .failed] { try lab.kernel.setNeighbor(neighbor, on: lab.a, state) }
        }
        let (messages, _) = try SubscriptionTests.read(&subscription)
        guard messages.count == 2, case .newRoute(let route, _) = messages[0],
            case .newNeighbor(let neighbor) = messages[1]
        else {
            Issue.record("\(messages)")
            return
        }
        #expect(route.destination?.description == "11.0.200.0/24" && neighbor.address == router)
    }

    @Test func `everything but routes is still delivered`() async throws {
        var lab = try await Lab()
        var subscription = try NetlinkSubscription(MulticastGroup.routing, in: lab.namespace)
        let isLimited = subscription.limitRoutes(toThoseCovering: [])
        #expect(isLimited)
        try lab.kernel.addAddress(prefix("192.0.2.1/24"), to: lab.a)
        try lab.kernel.addRule(RuleMessage(family: .ipv4, table: RouteTable(rawValue: 7), priority: 9))
        try lab.kernel.setLink(lab.a, up: false)
        let (messages, _) = try SubscriptionTests.read(&subscription)
        #expect(messages.contains { if case .newAddress = $0 { true } else { false } })
        #expect(messages.contains { if case .newRule = $0 { true } else { false } })
        #expect(messages.contains { if case .newLink = $0 { true } else { false } })
        #expect(!messages.contains { if case .newRoute = $0 { true } else { false } })
    }

    @Test func `a new limit replaces the old one`() async throws {
        var lab = try await Lab()
        var subscription = try NetlinkSubscription([.ipv4Route], in: lab.namespace)
        let isLimited = subscription.limitRoutes(toThoseCovering: [NetworkAddress(1, 1, 1, 1)])
        #expect(isLimited)
        let isLimitedAgain = subscription.limitRoutes(toThoseCovering: [NetworkAddress(2, 2, 2, 2)])
        #expect(isLimitedAgain)
        for text in ["1.0.0.0/8", "2.0.0.0/8"] { try lab.kernel.addRoute(NewRoute(prefix(text), interface: lab.a)) }
        let heard = try Self.heard(&subscription)
        #expect(heard == ["2.0.0.0/8"])
    }

    @Test func `the maximum number of addresses is accepted, and more are rejected`() async throws {
        var lab = try await Lab()
        var subscription = try NetlinkSubscription([.ipv4Route], in: lab.namespace)
        let many = (0..<250).map { NetworkAddress(11, 0, UInt8($0), 1) }
        let isLimited = subscription.limitRoutes(toThoseCovering: many + [NetworkAddress(1, 1, 1, 1)])
        #expect(!isLimited)
        let isLimitedAgain = subscription.limitRoutes(toThoseCovering: many)
        #expect(isLimitedAgain)
        for text in ["11.0.0.0/24", "11.0.249.0/24", "11.0.250.0/24"] {
            try lab.kernel.addRoute(NewRoute(prefix(text), interface: lab.a))
        }
        let heard = try Self.heard(&subscription)
        #expect(heard == ["11.0.0.0/24", "11.0.249.0/24"])
    }
}
#endif
