//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink
import TestSupport
import Testing

@testable import NetworkState

struct PathEvaluatorTests {
    private let lower = RoutingQuestions.representatives(.ipv4).prefix(2)
    private let upper = RoutingQuestions.representatives(.ipv4).suffix(2)

    @Test func `one link and one route`() {
        let path = Host(.wired()).answering(.via("192.0.2.1")).path()
        #expect(path.status == .satisfied)
        #expect(path.interfaces.map(\.name) == ["eth2"])
        #expect(path.gateways == [.init(address: "192.0.2.1", interface: 2)])
        #expect((path.supportsIPv4, path.supportsIPv6) == (true, false))
        #expect(path.usedTypes == [.wiredEthernet])
        #expect(path.obstacle == nil)
    }

    @Test func `both families`() {
        let host = Host(.wired()).answering(.via("192.0.2.1")).answering(.via("fe80::1"), for: .ipv6)
        let path = host.path()
        #expect((path.supportsIPv4, path.supportsIPv6) == (true, true))
        #expect(path.gateways.map(\.address) == ["192.0.2.1", "fe80::1"])
    }

    @Test func `what cannot be seen is unsatisfied, without a reason`() {
        let error = NetlinkError(.system, operation: "socket", errno: .notPermitted)
        let path = PathEvaluator(NetworkSnapshot(visibility: .unavailable(because: error))).evaluate()
        #expect(path == PathEvaluation(status: .unsatisfied))
    }

    @Test func `DNS counts only with a path`() {
        var host = Host(.wired()).answering(.via("192.0.2.1"))
        #expect(host.path().supportsDNS)
        host.servers = []
        #expect(!host.path().supportsDNS)
        #expect(!Host(.wired()).path().supportsDNS)
    }

    @Test func `each half by its own link`() {
        let host = Host(.wired(2), .wired(3))
            .answering(.via("192.0.2.1", on: 2, length: 1), to: lower)
            .answering(.via("192.0.2.9", on: 3, length: 1), to: upper)
        let path = host.path()
        #expect(path.status == .satisfied)
        #expect(path.interfaces.map(\.index) == [2, 3])
        #expect(path.gateways.map(\.interface) == [2, 3])
    }

    @Test func `one half alone`() {
        #expect(Host(.wired()).answering(.via("192.0.2.1", length: 1), to: lower).path().obstacle == Obstacle(.noRoute))
        #expect(Host(.wired()).answering(.via("192.0.2.1", length: 1), to: upper).path().obstacle == Obstacle(.noRoute))
    }

    @Test func `other links that would do come after those in use, by metric and number`() {
        let host = Host(.wired(2), .wired(3), .wired(4))
            .answering(.via("192.0.2.1", on: 4, metric: 10))
            .answering(.via("192.0.2.1", on: 2, metric: 300), over: 2)
            .answering(.via("192.0.2.1", on: 3, metric: 200), over: 3)
        #expect(host.path().interfaces.map(\.index) == [4, 3, 2])
        #expect(host.path().gateways.map(\.interface) == [4])
    }

    @Test func `the kernel's choice of a dead link decides, whatever else there is`() {
        let host = Host(.wired(2, flags: [.up]), .wired(3))
            .answering(.via("192.0.2.1", on: 2, metric: 10))
            .answering(.via("192.0.2.1", on: 3, metric: 20), over: 3)
        #expect(host.path().status == .unsatisfied)
        #expect(host.path().obstacle == Obstacle(.noCarrier, interface: "eth2"))
        // Bound to a type, a program is free to take the other.
        let wired = host.path(PathRequirements(requiredType: .wiredEthernet))
        #expect(wired.interfaces.map(\.index) == [3])
    }

    @Test func `a tunnel's path uses what carries it too`() {
        let host = Host(.wired(), .tunnel())
            .answering(.via(nil, on: 9))
            .answering(.via("192.0.2.1"), over: 2)
        #expect(host.path().usedTypes == [.other, .wiredEthernet])
        #expect(host.path().interfaces.map(\.index) == [9, 2])
    }

    /// What carries the tunnel 9, if it is known, and which types the path uses; Ethernet is the best of the rest.
    static let carriers: [(Int32?, Set<InterfaceType>)] = [
        (nil, [.other, .wiredEthernet]), (2, [.other, .wiredEthernet]), (3, [.other, .wifi]), (4, [.other, .cellular]),
        // It is gone, or nobody has heard of it.
        (77, [.other, .wiredEthernet]),
        // A tunnel in another, carried by a modem.
        (8, [.other, .cellular]),
    ]

    @Test(arguments: PathEvaluatorTests.carriers)
    func `a tunnel's carrier, where it is known, counts instead of a guess`(
        carrier: Int32?, expected: Set<InterfaceType>
    ) {
        var (tunnel, inner) = (NetworkInterface.tunnel(), NetworkInterface.tunnel(8))
        (tunnel.carrierIndex, inner.carrierIndex) = (carrier, 4)
        var (wifi, modem) = (NetworkInterface.wired(3), NetworkInterface.wired(4))
        (wifi.type, modem.type) = (.wifi, .cellular)
        let path = Host(.wired(), wifi, modem, inner, tunnel)
            .answering(.via(nil, on: 9))
            .answering(.via("192.0.2.1", metric: 10), over: 2)
            .answering(.via("192.0.2.1", on: 3, metric: 20), over: 3)
            .path()
        #expect(path.usedTypes == expected)
        #expect(path.isExpensive == expected.contains(.cellular))
        #expect(path.interfaces.map(\.index) == [9, 2, 3])
    }

    @Test func `tunnels that carry each other come to an end`() {
        var (outer, inner) = (NetworkInterface.tunnel(9), NetworkInterface.tunnel(8))
        (outer.carrierIndex, inner.carrierIndex) = (8, 9)
        let path = Host(.wired(), inner, outer).answering(.via(nil, on: 9)).path()
        #expect(path.usedTypes == [.other])
    }

    @Test func `a modem's PPP link is carried by nothing else`() {
        var dialled = NetworkInterface.tunnel()
        (dialled.type, dialled.linkKind) = (.cellular, "ppp")
        let path = Host(.wired(), dialled)
            .answering(.via(nil, on: 9))
            .answering(.via("192.0.2.1", metric: 10), over: 2)
            .path()
        #expect(path.usedTypes == [.cellular])
    }

    @Test func `cellular is expensive`() {
        var modem = NetworkInterface.wired()
        modem.type = .cellular
        #expect(Host(modem).answering(.via("192.0.2.1")).path().isExpensive)
        #expect(!Host(.wired()).answering(.via("192.0.2.1")).path().isExpensive)
    }

    @Test func `a dormant link requires a connection`() {
        let link = NetworkInterface.wired(flags: [.up, .lowerUp, .dormant])
        for host in [Host(link), Host(link).answering(.via("192.0.2.1"))] {
            #expect(host.path().status == .requiresConnection)
            #expect(host.path().obstacle == Obstacle(.dormant, interface: "eth2"))
            #expect(host.path().interfaces.map(\.index) == [2])
        }
    }

    @Test func `a dormant link beside a good one is nothing`() {
        let host = Host(.wired(2), .wired(3, flags: [.up, .lowerUp, .dormant])).answering(.via("192.0.2.1"))
        #expect(host.path().status == .satisfied)
    }

    static let requirements: [(PathRequirements, [Int32])] = [
        (PathRequirements(), [9, 2]),
        (PathRequirements(requiredType: .wiredEthernet), [2]),
        (PathRequirements(requiredType: .other), [9]),
        (PathRequirements(requiredType: .wifi), []),
        (PathRequirements(prohibitedTypes: [.other]), [2]),
        (PathRequirements(prohibitedTypes: [.wiredEthernet]), [9]),
        (PathRequirements(prohibitedTypes: [.wiredEthernet, .other]), []),
        (PathRequirements(interfaceName: "eth2"), [2]),
        (PathRequirements(interfaceName: "nowhere"), []),
        (PathRequirements(requiredType: .loopback), [1]),
        (PathRequirements(interfaceName: "lo"), [1]),
        (PathRequirements(requiredType: .loopback, prohibitedTypes: [.loopback]), []),
    ]

    @Test(arguments: PathEvaluatorTests.requirements)
    func `under requirements only what they allow`(requirements: PathRequirements, expected: [Int32]) {
        let host = Host(.wired(), .tunnel())
            .answering(.via(nil, on: 9))
            .answering(.via("192.0.2.1"), over: 2)
        let path = host.path(requirements)
        #expect(path.interfaces.map(\.index) == expected)
        #expect((path.status == .satisfied) == !expected.isEmpty)
    }

    /// Requirements, and whether they leave out the pulled cable that the kernel prefers to the Wi-Fi.
    static let idle: [(PathRequirements, Bool)] = [
        (PathRequirements(prohibitedTypes: [.cellular]), false),
        (PathRequirements(prohibitedTypes: [.cellular, .other]), false),
        (PathRequirements(prohibitedTypes: [.wiredEthernet]), true),
        (PathRequirements(prohibitedTypes: [.cellular, .wiredEthernet]), true),
        (PathRequirements(requiredType: .wifi), true),
        (PathRequirements(interfaceName: "eth3"), true),
    ]

    @Test(arguments: PathEvaluatorTests.idle)
    func `a prohibition of what is not there changes nothing`(requirements: PathRequirements, isFree: Bool) {
        var wifi = NetworkInterface.wired(3)
        wifi.type = .wifi
        let host = Host(.wired(2, flags: [.up]), wifi)
            .answering(.via("192.0.2.1", on: 2, metric: 10))
            .answering(.via("192.0.2.1", on: 3, metric: 20), over: 3)
        let path = host.path(requirements)
        #expect(path.status == (isFree ? .satisfied : .unsatisfied))
        #expect((path == host.path()) == !isFree)
    }

    /// What carries the tunnel 9, what is prohibited, and which links are left; the tunnel 8 is carried by the modem 4.
    static let prohibitedBelow: [(Int32?, Set<InterfaceType>, [Int32])] = [
        (4, [.cellular], [2]),
        (8, [.cellular], [2]),
        (2, [.cellular], [9, 2]),
        (4, [.wifi], [9, 2]),
        (2, [.wiredEthernet], []),
        (4, [.cellular, .wiredEthernet], []),
        // What is not known, or gone, is not guessed.
        (nil, [.cellular], [9, 2]),
        (77, [.cellular], [9, 2]),
        (nil, [.wiredEthernet], [9]),
        // Itself: it comes to an end.
        (9, [.cellular], [9, 2]),
    ]

    @Test(arguments: PathEvaluatorTests.prohibitedBelow)
    func `a tunnel over a prohibited link is prohibited`(
        carrier: Int32?, prohibited: Set<InterfaceType>, expected: [Int32]
    ) {
        var (tunnel, inner) = (NetworkInterface.tunnel(), NetworkInterface.tunnel(8))
        (tunnel.carrierIndex, inner.carrierIndex) = (carrier, 4)
        var modem = NetworkInterface.wired(4)
        modem.type = .cellular
        let host = Host(.wired(), modem, inner, tunnel)
            .answering(.via(nil, on: 9))
            .answering(.via("192.0.2.1"), over: 2)
        let path = host.path(PathRequirements(prohibitedTypes: prohibited))
        #expect(path.interfaces.map(\.index) == expected)
        #expect((path.status == .satisfied) == !expected.isEmpty)
    }

    @Test func `a required type is the link's own`() {
        var (tunnel, modem) = (NetworkInterface.tunnel(), NetworkInterface.wired())
        (tunnel.carrierIndex, modem.type) = (2, .cellular)
        let host = Host(modem, tunnel).answering(.via(nil, on: 9))
        #expect(host.path(PathRequirements(requiredType: .other)).interfaces.map(\.index) == [9])
        #expect(host.path(PathRequirements(requiredType: .cellular)).status == .unsatisfied)
    }

    @Test func `multipath over an allowed and a prohibited link uses the allowed one`() {
        let hops = [NextHop(interface: 2, gateway: "192.0.2.1"), NextHop(interface: 9)]
        let both = RouteAnswer.Outcome.route(FoundRoute(nextHops: hops))
        let host = Host(.wired(), .tunnel()).answering(both).answering(both, over: 2).answering(both, over: 9)
        #expect(host.path().interfaces.map(\.index) == [2, 9])
        #expect(host.path(PathRequirements(prohibitedTypes: [.other])).interfaces.map(\.index) == [2])
    }
}
