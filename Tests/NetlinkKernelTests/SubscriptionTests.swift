// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct SubscriptionTests {
    /// Everything that is queued, as typed messages.
    static func read(
        _ subscription: inout NetlinkSubscription, most: Int = .max
    ) throws -> (messages: [RouteNetlinkMessage], outcome: NetlinkSubscription.DrainResult) {
        var messages: [RouteNetlinkMessage] = []
        let outcome = try subscription.drain(most: most) { (header, payload) throws(NetlinkError) in
            messages.append(try RouteNetlinkMessage(header, payload))
        }
        return (messages, outcome)
    }

    @Test func `nothing is queued in a quiet namespace`() throws {
        var subscription = try NetlinkSubscription(MulticastGroup.routing, in: NetworkNamespace())
        #expect(subscription.refused.isEmpty)
        let (messages, outcome) = try Self.read(&subscription)
        #expect(messages.isEmpty && outcome == .empty)
    }

    @Test func `each kind of change is delivered`() async throws {
        var lab = try await Lab()
        var subscription = try NetlinkSubscription(MulticastGroup.routing, in: lab.namespace)
        try await lab.addAddresses()
        try lab.kernel.addRoute(NewRoute(.all(.ipv4), via: address("192.0.2.2"), interface: lab.a))
        try lab.kernel.addRoute(NewRoute(.all(.ipv6), via: address("2001:db8::2"), interface: lab.a))
        for family in [AddressFamily.ipv4, .ipv6] {
            let rule = RuleMessage(family: family, table: RouteTable(rawValue: 7), priority: 9)
            try lab.kernel.addRule(rule)
            try lab.kernel.deleteRule(rule)
        }
        try lab.kernel.setNextHop(
            NextHopObjectMessage(id: 1, family: .ipv4, hop: NextHop(interface: lab.a, gateway: address("192.0.2.2"))))
        try lab.kernel.deleteNextHop(id: 1)
        try lab.kernel.deleteLink(lab.a)
        let (messages, outcome) = try Self.read(&subscription)
        #expect(outcome == .empty)
        var kinds: [String: Int] = [:]
        for message in messages {
            let kind =
                switch message {
                case .newLink(let link): "link \(link.name ?? "")"
                case .deletedLink(let link): "-link \(link.name ?? "")"
                case .newAddress(let address): "address \(address.prefix)"
                case .deletedAddress(let address): "-address \(address.prefix)"
                case .newRoute(let route, _): "route \(route.family) \(route.destinationLength)"
                case .deletedRoute(let route): "-route \(route.family) \(route.destinationLength)"
                case .newRule(let rule): "rule \(rule.family)"
                case .deletedRule(let rule): "-rule \(rule.family)"
                case .newNextHop(let object): "nexthop \(object.id)"
                case .deletedNextHop(let object): "-nexthop \(object.id)"
                default: "other"
                }
            kinds[kind, default: 0] += 1
        }
        for kind in [
            "-link a", "-link b", "address 192.0.2.1/24", "address 2001:db8::1/64", "-address 192.0.2.1/24",
            "-address 2001:db8::1/64", "route IPv4 0", "route IPv6 0", "-route IPv6 0", "rule IPv4", "rule IPv6",
            "-rule IPv4", "-rule IPv6", "nexthop 1", "-nexthop 1",
        ] {
            #expect(kinds[kind] != nil, "\(kind) is missing in \(kinds)")
        }
        // The IPv4 default route vanished silently: that is why a watcher must read it again.
        #expect(kinds["-route IPv4 0"] == nil)
    }

    @Test func `flags distinguish a replaced route from an appended one`() async throws {
        var lab = try await Lab()
        try await lab.addAddresses()
        let gateways = try ["192.0.2.2", "192.0.2.3", "192.0.2.4"].map { try address($0) }
        var subscription = try NetlinkSubscription([.ipv4Route], in: lab.namespace)
        try lab.kernel.addRoute(NewRoute(.all(.ipv4), via: gateways[0], interface: lab.a))
        try lab.kernel.replaceRoute(NewRoute(.all(.ipv4), via: gateways[1], interface: lab.a))
        try lab.kernel.appendRoute(NewRoute(.all(.ipv4), via: gateways[2], interface: lab.a))
        let (messages, _) = try Self.read(&subscription)
        let heard = messages.compactMap { message -> (NetworkAddress?, MessageFlags)? in
            guard case .newRoute(let route, let flags) = message else { return nil }
            return (route.nextHops.first?.gateway, flags)
        }
        #expect(heard.map(\.0) == gateways)
        #expect(heard.map { $0.1.contains(.replace) } == [false, true, false])
        #expect(heard.map { $0.1.contains(.append) } == [false, false, true])
    }

    @Test func `the limit on datagrams is observed`() async throws {
        var lab = try await Lab()
        var subscription = try NetlinkSubscription([.ipv4Route], in: lab.namespace)
        for number in 1...5 {
            try lab.kernel.addRoute(
                NewRoute(NetworkPrefix(host: NetworkAddress(10, 0, 0, UInt8(number))), interface: lab.a))
        }
        for expected in [2, 2] {
            let (messages, outcome) = try Self.read(&subscription, most: 2)
            #expect((messages.count, outcome) == (expected, .more))
        }
        let (last, outcome) = try Self.read(&subscription, most: 2)
        #expect((last.count, outcome) == (1, .empty))
    }

    @Test func `an overflow is reported once, and later events are delivered`() async throws {
        var lab = try await Lab()
        var subscription = try NetlinkSubscription([.ipv4Route], in: lab.namespace, receiveBuffer: 2048)
        try lab.storm(500)
        let (before, lost) = try Self.read(&subscription)
        #expect(lost == .lost)
        #expect(before.count < 500)
        let (silence, empty) = try Self.read(&subscription)
        #expect(silence.isEmpty && empty == .empty)

        let marker = try prefix("198.51.100.0/24")
        try lab.kernel.addRoute(NewRoute(marker, interface: lab.a))
        let (after, outcome) = try Self.read(&subscription)
        #expect(outcome == .empty)
        guard case .newRoute(let route, _)? = after.last else {
            Issue.record("\(after)")
            return
        }
        #expect(route.destination == marker)
    }

    @Test func `what is dropped without notice after an overflow is reported once the queue is empty`() async throws {
        var lab = try await Lab()
        var subscription = try NetlinkSubscription([.ipv4Route], in: lab.namespace, receiveBuffer: 2048)
        try lab.storm(500)
        let (none, overflow) = try Self.read(&subscription, most: 1)
        #expect(none.isEmpty && overflow == .lost)
        let marker = try prefix("198.51.100.0/24")
        try lab.kernel.addRoute(NewRoute(marker, interface: lab.a))
        var queued: [RouteNetlinkMessage] = []
        var outcome = NetlinkSubscription.DrainResult.more
        while outcome == .more {
            let (messages, next) = try Self.read(&subscription, most: 1)
            (queued, outcome) = (queued + messages, next)
        }
        #expect(!queued.isEmpty && outcome == .lost)
        // It would never be delivered: the state must be read now.
        let hasMarker = queued.contains { message in
            if case .newRoute(let route, _) = message { route.destination == marker } else { false }
        }
        #expect(!hasMarker)
        let (silence, empty) = try Self.read(&subscription)
        #expect(silence.isEmpty && empty == .empty)
    }

    @Test func `a message from another process is ignored`() async throws {
        var lab = try await Lab()
        var subscription = try NetlinkSubscription([.ipv4Route], in: lab.namespace)
        let (descriptor, port) = (subscription.descriptorNumber, subscription.portNumber)
        #expect(port != 0 && descriptor >= 0)
        try await lab.namespace.run { try Spoofer().send(Spoofer.deletedDefaultRoute, to: port) }
        let (spoofed, outcome) = try Self.read(&subscription)
        #expect(spoofed.isEmpty && outcome == .empty)
        try lab.kernel.addRoute(NewRoute(.all(.ipv4), interface: lab.a))
        let (genuine, _) = try Self.read(&subscription)
        #expect(genuine.count == 1)
    }
}

extension Lab {
    /// Adds `count` routes to /24 networks of 10/8 over `a`.
    mutating func storm(_ count: Int) throws {
        for number in 0..<count {
            let network = NetworkAddress(10, UInt8(number / 256), UInt8(number % 256), 0)
            try kernel.addRoute(NewRoute(try #require(NetworkPrefix(network, length: 24)), interface: a))
        }
    }
}
#endif
