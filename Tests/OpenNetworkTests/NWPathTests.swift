//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import OpenNetwork
import Testing

struct NWPathTests {
    static let wlan0 = NWInterface(type: .wifi, name: "wlan0", index: 3)
    static let tun0 = NWInterface(type: .other, name: "tun0", index: 7)

    @Test func `a path that has not started knows nothing`() {
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

    @Test func `a path shows every fact it was made of`() {
        let contents = PathContents(
            status: .requiresConnection, unsatisfiedReason: .vpnInactive,
            availableInterfaces: [Self.tun0, Self.wlan0], usedInterfaceTypes: [.other, .wifi], isExpensive: true,
            isConstrained: true, isUltraConstrained: true, linkQuality: .moderate, supportsIPv4: true,
            supportsIPv6: true, supportsDNS: true, gateways: [.hostPort(host: "192.0.2.1", port: .any)]
        )
        let path = NWPath(contents)
        #expect(path.contents == contents)
        #expect(path.status == .requiresConnection)
        #expect(path.unsatisfiedReason == .vpnInactive)
        #expect(path.availableInterfaces == [Self.tun0, Self.wlan0])
        #expect(path.isExpensive && path.isConstrained && path.isUltraConstrained)
        #expect(path.linkQuality == .moderate)
        #expect(path.supportsIPv4 && path.supportsIPv6 && path.supportsDNS)
        #expect(path.gateways == [.hostPort(host: "192.0.2.1", port: 0)])
        #expect(path.localEndpoint == nil && path.remoteEndpoint == nil)
    }

    @Test func `a tunnel may use its own type and that of the link below`() {
        let path = NWPath(PathContents(availableInterfaces: [Self.tun0], usedInterfaceTypes: [.other, .wifi]))
        #expect(path.usesInterfaceType(.other))
        #expect(path.usesInterfaceType(.wifi))
        #expect(!path.usesInterfaceType(.cellular))
    }

    static let changes: [@Sendable (inout PathContents) -> Void] = [
        { $0.status = .satisfied },
        { $0.unsatisfiedReason = .wifiDenied },
        { $0.availableInterfaces = [Self.wlan0] },
        { $0.usedInterfaceTypes = [.wifi] },
        { $0.isExpensive = true },
        { $0.isConstrained = true },
        { $0.isUltraConstrained = true },
        { $0.linkQuality = .good },
        { $0.supportsIPv4 = true },
        { $0.supportsIPv6 = true },
        { $0.supportsDNS = true },
        { $0.gateways = [.hostPort(host: "192.0.2.1", port: .any)] },
    ]

    @Test(arguments: changes.indices)
    func `a change of any fact makes a different path`(index: Int) {
        var contents = PathContents()
        Self.changes[index](&contents)
        #expect(NWPath(contents) != .unstarted)
        #expect(NWPath(contents) == NWPath(contents))
    }

    @Test func `a change of an interface's type alone makes a different path`() {
        let unknown = NWInterface(type: .other, name: Self.wlan0.name, index: Self.wlan0.index)
        let contents = PathContents(availableInterfaces: [Self.tun0, Self.wlan0], obstacleInterface: Self.wlan0)
        var available = contents
        available.availableInterfaces[1] = unknown
        var obstacle = contents
        obstacle.obstacleInterface = unknown
        #expect(NWPath(available) != NWPath(contents))
        #expect(NWPath(obstacle) != NWPath(contents))
        obstacle.obstacleInterface = Self.wlan0
        #expect(NWPath(obstacle) == NWPath(contents))
    }

    @Test func `copies share one object`() {
        let path = NWPath(PathContents(status: .satisfied))
        let copy = path
        #expect(copy == path)
        #expect(MemoryLayout<NWPath>.size == MemoryLayout<UnsafeRawPointer>.size)
    }

    @Test func `states compare by what they hold`() {
        let state = PathState(PathContents(status: .satisfied))
        #expect(state == state)
        #expect(state == PathState(PathContents(status: .satisfied)))
        #expect(state != PathState(PathContents()))
    }
}

#endif
