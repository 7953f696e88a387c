// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dispatch
import NetworkModel
import NetworkState
import OpenNetwork
import TestSupport
import Testing

struct NWPathDescriptionTests {
    static let eth0 = NetworkPath.Interface(name: "eth0", index: 2, type: .wiredEthernet)
    static let wlan0 = NetworkPath.Interface(name: "wlan0", index: 3, type: .wifi)
    static let wwan0 = NetworkPath.Interface(name: "wwan0", index: 4, type: .cellular)

    @Test(arguments: [
        (NetworkPath(status: .unsatisfied), "unsatisfied (No network route)"),
        (
            NetworkPath(status: .unsatisfied, unsatisfiedReason: .cellularDenied),
            "unsatisfied (Denied over cellular interface)"
        ),
        (
            NetworkPath(status: .unsatisfied, unsatisfiedReason: .wifiDenied),
            "unsatisfied (Denied over Wi-Fi interface)"
        ),
        (
            NetworkPath(status: .unsatisfied, unsatisfiedReason: .localNetworkDenied),
            "unsatisfied (Local network prohibited)"
        ),
        (NetworkPath(status: .unsatisfied, unsatisfiedReason: .vpnInactive), "unsatisfied (Required VPN is inactive)"),
        (NetworkPath(status: .satisfied), "satisfied (Path is satisfied)"),
        (
            NetworkPath(
                status: .satisfied, interfaces: [eth0, wlan0], usedInterfaceTypes: [.wiredEthernet],
                supportsIPv4: true, supportsIPv6: true, supportsDNS: true, isExpensive: true, isConstrained: true),
            "satisfied (Path is satisfied), interface: eth0, ipv4, ipv6, dns, expensive, constrained"
        ),
        (
            NetworkPath(
                status: .satisfied, interfaces: [wlan0], usedInterfaceTypes: [.wifi], supportsIPv4: true,
                supportsDNS: true, linkQuality: .good),
            "satisfied (Path is satisfied), interface: wlan0, ipv4, dns, uses wifi, LQM: good"
        ),
        (
            NetworkPath(
                status: .satisfied, interfaces: [wwan0], usedInterfaceTypes: [.cellular], supportsIPv6: true,
                isExpensive: true, isUltraConstrained: true),
            "satisfied (Path is satisfied), interface: wwan0, ipv6, expensive, ultra constrained, uses cell"
        ),
        (
            NetworkPath(status: .requiresConnection, interfaces: [wwan0], usedInterfaceTypes: []),
            "satisfiable (Path is satisfiable), interface: wwan0"
        ),
        (
            NetworkPath(status: .unsatisfied, interfaces: [wlan0], usedInterfaceTypes: [.wifi]),
            "unsatisfied (No network route), interface: wlan0, uses wifi"
        ),
    ])
    func `a path describes itself in the logged form`(path: NetworkPath, expected: String) {
        #expect(NWPath(path).debugDescription == expected)
        #expect("\(NWPath(path))" == expected)
    }

    @Test(arguments: [
        (PathFilter(), false), (PathFilter(prohibitedTypes: [.cellular]), false),
        (PathFilter(requiredType: .wifi), true), (PathFilter(interfaceName: "up0"), true),
    ])
    func `a path says that it is scoped if the monitor requires an interface`(
        filter: PathFilter, isScoped: Bool
    ) async throws {
        let descriptions = Recorder<String>()
        let monitor = NWPathMonitor(filter, source: ScriptedSource(ScriptedUplink(.wifi).snapshot))
        monitor.pathUpdateHandler = { descriptions.record($0.debugDescription) }
        monitor.start(queue: DispatchQueue(label: "handlers"))
        let scope = isScoped ? "scoped, " : ""
        let expected = "satisfied (Path is satisfied), interface: up0, \(scope)ipv4, dns, uses wifi"
        #expect(try await descriptions.next() == expected)
        monitor.cancel()
    }

    @Test func `a path without interfaces is not scoped`() async throws {
        let descriptions = Recorder<String>()
        let monitor = NWPathMonitor(
            PathFilter(requiredType: .cellular), source: ScriptedSource(ScriptedUplink(.wifi).snapshot))
        monitor.pathUpdateHandler = { descriptions.record($0.debugDescription) }
        monitor.start(queue: DispatchQueue(label: "handlers"))
        #expect(try await descriptions.next() == "unsatisfied (No network route)")
        monitor.cancel()
    }
}

#endif
