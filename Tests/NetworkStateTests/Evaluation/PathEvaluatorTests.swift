// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

@testable import NetworkState

struct PathEvaluatorTests {
    private let lower = ReferenceLookups.representatives(.ipv4).prefix(2)
    private let upper = ReferenceLookups.representatives(.ipv4).suffix(2)

    @Test func `a path over one link and one route`() {
        let path = Host(.wired()).answering(.via("192.0.2.1")).path()
        #expect(path.status == .satisfied)
        #expect(path.interfaces.map(\.name) == ["eth2"])
        #expect(path.gateways == [.init("192.0.2.1", interface: "eth2")])
        #expect((path.supportsIPv4, path.supportsIPv6) == (true, false))
        #expect(path.usedInterfaceTypes == [.wiredEthernet])
        #expect(path.diagnosis == nil)
    }

    @Test func `a path with both families`() {
        let host = Host(.wired()).answering(.via("192.0.2.1")).answering(.via("fe80::1"), for: .ipv6)
        let path = host.path()
        #expect((path.supportsIPv4, path.supportsIPv6) == (true, true))
        #expect(path.gateways.map(\.address.unscoped) == ["192.0.2.1", "fe80::1"])
    }

    @Test func `an unavailable state is unsatisfied, without a reason`() {
        let error = NetlinkError(.system, operation: "socket", errno: .notPermitted)
        let path = PathEvaluator(NetworkSnapshot(visibility: .unavailable(because: error))).evaluate()
        #expect(path.isUnknown)
        #expect(path == NetworkPath(status: .unsatisfied, limitation: path.limitation))
    }

    @Test func `DNS counts only with a path`() {
        var host = Host(.wired()).answering(.via("192.0.2.1"))
        #expect(host.path().supportsDNS)
        host.servers = []
        #expect(!host.path().supportsDNS)
        #expect(!Host(.wired()).path().supportsDNS)
    }

    @Test func `each half may use its own link`() {
        let host = Host(.wired(2), .wired(3))
            .answering(.via("192.0.2.1", on: 2, length: 1), to: lower)
            .answering(.via("192.0.2.9", on: 3, length: 1), to: upper)
        let path = host.path()
        #expect(path.status == .satisfied)
        #expect(path.interfaces.map(\.index) == [2, 3])
        #expect(path.gateways.map(\.interface) == ["eth2", "eth3"])
    }

    @Test func `one half alone is not enough`() {
        #expect(
            Host(.wired()).answering(.via("192.0.2.1", length: 1), to: lower).path().diagnosis?.cause == Cause(.noRoute)
        )
        #expect(
            Host(.wired()).answering(.via("192.0.2.1", length: 1), to: upper).path().diagnosis?.cause == Cause(.noRoute)
        )
    }

    @Test func `other usable links come after those in use, by metric and index`() {
        let host = Host(.wired(2), .wired(3), .wired(4))
            .answering(.via("192.0.2.1", on: 4, metric: 10))
            .answering(.via("192.0.2.1", on: 2, metric: 300), over: 2)
            .answering(.via("192.0.2.1", on: 3, metric: 200), over: 3)
        #expect(host.path().interfaces.map(\.index) == [4, 3, 2])
        #expect(host.path().gateways.map(\.interface) == ["eth4"])
    }

    @Test func `a dead link that the kernel prefers makes the path unsatisfied, even if another works`() {
        let host = Host(.wired(2, flags: [.up]), .wired(3))
            .answering(.via("192.0.2.1", on: 2, metric: 10))
            .answering(.via("192.0.2.1", on: 3, metric: 20), over: 3)
        #expect(host.path().status == .unsatisfied)
        #expect(host.path().diagnosis?.cause == Cause(.noCarrier, interface: "eth2"))
        // With a required type, the other link can be used.
        let wired = host.path(PathFilter(requiredType: .wiredEthernet))
        #expect(wired.interfaces.map(\.index) == [3])
    }

    @Test func `a tunnel's path also uses the type of the link that carries it`() {
        let host = Host(.wired(), .tunnel())
            .answering(.via(nil, on: 9))
            .answering(.via("192.0.2.1"), over: 2)
        #expect(host.path().usedInterfaceTypes == [.other, .wiredEthernet])
        #expect(host.path().interfaces.map(\.index) == [9, 2])
    }

    /// The link that carries tunnel 9, if it is known, and the types that the path uses; Ethernet is the best of the other links.
    static let carriers: [(Int32?, Set<InterfaceType>)] = [
        (nil, [.other, .wiredEthernet]), (2, [.other, .wiredEthernet]), (3, [.other, .wifi]), (4, [.other, .cellular]),
        // The link is gone, or was never announced.
        (77, [.other, .wiredEthernet]),
        // A tunnel in another one, which a modem carries.
        (8, [.other, .cellular]),
    ]

    @Test(arguments: PathEvaluatorTests.carriers)
    func `the known carrier of a tunnel takes precedence over a guess`(
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
        #expect(path.usedInterfaceTypes == expected)
        #expect(path.isExpensive == expected.contains(.cellular))
        #expect(path.interfaces.map(\.index) == [9, 2, 3])
    }

    @Test func `tunnels that carry each other do not cause an endless loop`() {
        var (outer, inner) = (NetworkInterface.tunnel(9), NetworkInterface.tunnel(8))
        (outer.carrierIndex, inner.carrierIndex) = (8, 9)
        let path = Host(.wired(), inner, outer).answering(.via(nil, on: 9)).path()
        #expect(path.usedInterfaceTypes == [.other])
    }

    @Test func `a modem's PPP link has no other carrier`() {
        var dialled = NetworkInterface.tunnel()
        (dialled.type, dialled.linkKind) = (.cellular, "ppp")
        let path = Host(.wired(), dialled)
            .answering(.via(nil, on: 9))
            .answering(.via("192.0.2.1", metric: 10), over: 2)
            .path()
        #expect(path.usedInterfaceTypes == [.cellular])
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
            #expect(host.path().diagnosis?.cause == Cause(.dormant, interface: "eth2"))
            #expect(host.path().interfaces.map(\.index) == [2])
        }
    }

    @Test func `a dormant link beside a working one has no effect`() {
        let host = Host(.wired(2), .wired(3, flags: [.up, .lowerUp, .dormant])).answering(.via("192.0.2.1"))
        #expect(host.path().status == .satisfied)
    }

    static let requirements: [(PathFilter, [Int])] = [
        (PathFilter(), [9, 2]),
        (PathFilter(requiredType: .wiredEthernet), [2]),
        (PathFilter(requiredType: .other), [9]),
        (PathFilter(requiredType: .wifi), []),
        (PathFilter(prohibitedTypes: [.other]), [2]),
        (PathFilter(prohibitedTypes: [.wiredEthernet]), [9]),
        (PathFilter(prohibitedTypes: [.wiredEthernet, .other]), []),
        (PathFilter(interfaceName: "eth2"), [2]),
        (PathFilter(interfaceName: "nowhere"), []),
        (PathFilter(requiredType: .loopback), [1]),
        (PathFilter(interfaceName: "lo"), [1]),
        (PathFilter(requiredType: .loopback, prohibitedTypes: [.loopback]), []),
    ]

    @Test(arguments: PathEvaluatorTests.requirements)
    func `requirements restrict the path to the allowed links`(requirements: PathFilter, expected: [Int]) {
        let host = Host(.wired(), .tunnel())
            .answering(.via(nil, on: 9))
            .answering(.via("192.0.2.1"), over: 2)
        let path = host.path(requirements)
        #expect(path.interfaces.map(\.index) == expected)
        #expect((path.status == .satisfied) == !expected.isEmpty)
    }

    /// Requirements, and whether they exclude the unplugged cable that the kernel prefers to the Wi-Fi.
    static let idle: [(PathFilter, Bool)] = [
        (PathFilter(prohibitedTypes: [.cellular]), false),
        (PathFilter(prohibitedTypes: [.cellular, .other]), false),
        (PathFilter(prohibitedTypes: [.wiredEthernet]), true),
        (PathFilter(prohibitedTypes: [.cellular, .wiredEthernet]), true),
        (PathFilter(requiredType: .wifi), true),
        (PathFilter(interfaceName: "eth3"), true),
    ]

    @Test(arguments: PathEvaluatorTests.idle)
    func `prohibiting an absent type changes nothing`(requirements: PathFilter, isFree: Bool) {
        var wifi = NetworkInterface.wired(3)
        wifi.type = .wifi
        let host = Host(.wired(2, flags: [.up]), wifi)
            .answering(.via("192.0.2.1", on: 2, metric: 10))
            .answering(.via("192.0.2.1", on: 3, metric: 20), over: 3)
        let path = host.path(requirements)
        #expect(path.status == (isFree ? .satisfied : .unsatisfied))
        #expect((path == host.path()) == !isFree)
    }

    /// The carrier of tunnel 9, the prohibited types, and the remaining links; modem 4 carries tunnel 8.
    static let prohibitedBelow: [(Int32?, Set<InterfaceType>, [Int])] = [
        (4, [.cellular], [2]),
        (8, [.cellular], [2]),
        (2, [.cellular], [9, 2]),
        (4, [.wifi], [9, 2]),
        (2, [.wiredEthernet], []),
        (4, [.cellular, .wiredEthernet], []),
        // An unknown or missing carrier is not guessed.
        (nil, [.cellular], [9, 2]),
        (77, [.cellular], [9, 2]),
        (nil, [.wiredEthernet], [9]),
        // Its own carrier: this must not loop.
        (9, [.cellular], [9, 2]),
    ]

    @Test(arguments: PathEvaluatorTests.prohibitedBelow)
    func `a tunnel over a prohibited link is prohibited`(
        carrier: Int32?, prohibited: Set<InterfaceType>, expected: [Int]
    ) {
        var (tunnel, inner) = (NetworkInterface.tunnel(), NetworkInterface.tunnel(8))
        (tunnel.carrierIndex, inner.carrierIndex) = (carrier, 4)
        var modem = NetworkInterface.wired(4)
        modem.type = .cellular
        let host = Host(.wired(), modem, inner, tunnel)
            .answering(.via(nil, on: 9))
            .answering(.via("192.0.2.1"), over: 2)
        let path = host.path(PathFilter(prohibitedTypes: prohibited))
        #expect(path.interfaces.map(\.index) == expected)
        #expect((path.status == .satisfied) == !expected.isEmpty)
    }

    @Test func `a required type applies to the link's own type`() {
        var (tunnel, modem) = (NetworkInterface.tunnel(), NetworkInterface.wired())
        (tunnel.carrierIndex, modem.type) = (2, .cellular)
        let host = Host(modem, tunnel).answering(.via(nil, on: 9))
        #expect(host.path(PathFilter(requiredType: .other)).interfaces.map(\.index) == [9])
        #expect(host.path(PathFilter(requiredType: .cellular)).status == .unsatisfied)
    }

    @Test func `multipath over an allowed and a prohibited link uses the allowed one`() {
        let hops = [NextHop(interface: 2, gateway: "192.0.2.1"), NextHop(interface: 9)]
        let both = RouteAnswer.Outcome.route(FoundRoute(nextHops: hops))
        let host = Host(.wired(), .tunnel()).answering(both).answering(both, over: 2).answering(both, over: 9)
        #expect(host.path().interfaces.map(\.index) == [2, 9])
        #expect(host.path(PathFilter(prohibitedTypes: [.other])).interfaces.map(\.index) == [2])
    }
}
