//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import OpenNetwork
import Testing

struct NWPathDescriptionTests {
    static let eth0 = NWInterface(type: .wiredEthernet, name: "eth0", index: 2)
    static let wlan0 = NWInterface(type: .wifi, name: "wlan0", index: 3)
    static let wwan0 = NWInterface(type: .cellular, name: "wwan0", index: 4)

    @Test(arguments: [
        (PathContents(), "unsatisfied (No network route)"),
        (PathContents(unsatisfiedReason: .cellularDenied), "unsatisfied (Denied over cellular interface)"),
        (PathContents(unsatisfiedReason: .wifiDenied), "unsatisfied (Denied over Wi-Fi interface)"),
        (PathContents(unsatisfiedReason: .localNetworkDenied), "unsatisfied (Local network prohibited)"),
        (PathContents(unsatisfiedReason: .vpnInactive), "unsatisfied (Required VPN is inactive)"),
        (PathContents(status: .satisfied), "satisfied (Path is satisfied)"),
        (
            PathContents(
                status: .satisfied, availableInterfaces: [eth0, wlan0], usedInterfaceTypes: [.wiredEthernet],
                isExpensive: true, isConstrained: true, supportsIPv4: true, supportsIPv6: true, supportsDNS: true),
            "satisfied (Path is satisfied), interface: eth0, ipv4, ipv6, dns, expensive, constrained"
        ),
        (
            PathContents(
                status: .satisfied, availableInterfaces: [wlan0], usedInterfaceTypes: [.wifi], linkQuality: .good,
                supportsIPv4: true, supportsDNS: true),
            "satisfied (Path is satisfied), interface: wlan0, ipv4, dns, uses wifi, LQM: good"
        ),
        (
            PathContents(
                status: .satisfied, availableInterfaces: [wwan0], usedInterfaceTypes: [.cellular], isExpensive: true,
                isUltraConstrained: true, supportsIPv6: true),
            "satisfied (Path is satisfied), interface: wwan0, ipv6, expensive, ultra constrained, uses cell"
        ),
        (
            PathContents(status: .requiresConnection, availableInterfaces: [wwan0]),
            "satisfiable (Path is satisfiable), interface: wwan0"
        ),
        (
            PathContents(availableInterfaces: [wlan0], usedInterfaceTypes: [.wifi]),
            "unsatisfied (No network route), interface: wlan0, uses wifi"
        ),
    ])
    func `a path describes itself in the logged form`(contents: PathContents, expected: String) {
        #expect(NWPath(contents).debugDescription == expected)
        #expect("\(NWPath(contents))" == expected)
    }
}

#endif
