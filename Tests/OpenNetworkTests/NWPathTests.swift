// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import FoundationEssentials
import NetworkModel
import OpenNetwork
import TestSupport
import Testing

struct NWPathTests {
    static let wlan0 = NetworkPath.Interface(name: "wlan0", index: 3, type: .wifi)
    static let tun0 = NetworkPath.Interface(name: "tun0", index: 7, type: .other)

    @Test func `the path of a monitor that has not started is empty`() {
        let path = NWPath.unstarted
        #expect(path.status == .unsatisfied)
        #expect(path.unsatisfiedReason == .notAvailable)
        #expect(path.availableInterfaces.isEmpty)
        #expect(path.gateways.isEmpty)
        #expect(!path.isExpensive && !path.isConstrained && !path.isUltraConstrained)
        #expect(!path.supportsIPv4 && !path.supportsIPv6 && !path.supportsDNS)
        #expect(path.linkQuality == .unknown)
        #expect(path.localEndpoint == nil && path.remoteEndpoint == nil)
        for type: NWInterface.InterfaceType in [.other, .wifi, .cellular, .wiredEthernet, .loopback] {
            #expect(!path.usesInterfaceType(type))
        }
    }

    @Test func `a path has all properties that it was created with`() throws {
        let value = NetworkPath(
            status: .requiresConnection, unsatisfiedReason: .vpnInactive, interfaces: [Self.tun0, Self.wlan0],
            usedInterfaceTypes: [.other, .wifi], supportsIPv4: true, supportsIPv6: true, supportsDNS: true,
            isExpensive: true, isConstrained: true,
            gateways: [.init("192.0.2.1", interface: "wlan0"), .init("fe80::1%3", interface: "wlan0")],
            isUltraConstrained: true, linkQuality: .moderate)
        let path = NWPath(value)
        #expect(path.networkPath == value)
        #expect(path.status == .requiresConnection)
        #expect(path.unsatisfiedReason == .vpnInactive)
        #expect(path.availableInterfaces == [NWInterface(Self.tun0), NWInterface(Self.wlan0)])
        #expect(path.isExpensive && path.isConstrained && path.isUltraConstrained)
        #expect(path.linkQuality == .moderate)
        #expect(path.supportsIPv4 && path.supportsIPv6 && path.supportsDNS)
        let router = IPv6Address(Data([0xfe, 0x80] + Array(repeating: 0, count: 13) + [1]), NWInterface(Self.wlan0))
        #expect(
            path.gateways == [
                .hostPort(host: "192.0.2.1", port: 0), .hostPort(host: .ipv6(try #require(router)), port: 0),
            ])
        #expect(path.localEndpoint == nil && path.remoteEndpoint == nil)
    }

    @Test func `a tunnel may use its own type and that of the link that carries it`() {
        let path = NWPath(
            NetworkPath(status: .unsatisfied, interfaces: [Self.tun0], usedInterfaceTypes: [.other, .wifi]))
        #expect(path.usesInterfaceType(.other))
        #expect(path.usesInterfaceType(.wifi))
        #expect(!path.usesInterfaceType(.cellular))
    }

    static let changes: [@Sendable (inout NetworkPath) -> Void] = [
        { $0.status = .satisfied },
        { $0.unsatisfiedReason = .wifiDenied },
        { $0.interfaces = [Self.wlan0] },
        { $0.usedInterfaceTypes = [.wifi] },
        { $0.isExpensive = true },
        { $0.isConstrained = true },
        { $0.isUltraConstrained = true },
        { $0.linkQuality = .good },
        { $0.supportsIPv4 = true },
        { $0.supportsIPv6 = true },
        { $0.supportsDNS = true },
        { $0.gateways = [.init("192.0.2.1")] },
    ]

    @Test(arguments: changes.indices)
    func `paths that differ in any property differ`(index: Int) {
        var path = NetworkPath(status: .unsatisfied)
        Self.changes[index](&path)
        #expect(NWPath(path) != .unstarted)
        #expect(NWPath(path) == NWPath(path))
    }

    @Test func `paths that differ only in an interface's type differ`() {
        let path = NetworkPath(status: .unsatisfied, interfaces: [Self.tun0, Self.wlan0], usedInterfaceTypes: [])
        var other = path
        other.interfaces[1].type = .other
        #expect(NWPath(other) != NWPath(path))
    }

    static let invisibleChanges: [@Sendable (inout NetworkPath) -> Void] = [
        { $0.diagnosis = PathDiagnosis(.noRoute) },
        { $0.interfaces[0].networkName = "Home" },
        { $0.limitation = .polling("a sandbox") },
    ]

    @Test(arguments: invisibleChanges.indices)
    func `paths that differ only in what Apple's API does not show are equal`(index: Int) {
        let path = NetworkPath(status: .unsatisfied, interfaces: [Self.wlan0])
        var other = path
        Self.invisibleChanges[index](&other)
        #expect(other != path)
        #expect(NWPath(other) == NWPath(path))
        #expect(NWPath(other).networkPath == other)
    }

    @Test func `copies share one object`() {
        let path = NWPath(NetworkPath(status: .satisfied))
        let copy = path
        #expect(copy == path)
        #expect(MemoryLayout<NWPath>.size == MemoryLayout<UnsafeRawPointer>.size)
    }
}

#endif
