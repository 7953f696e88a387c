// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc
import Netlink
@testable import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// A tunnel's packets use the link that leads to its remote end, and the path includes that link's type.
@Suite(.requires(.networkNamespaces), .requires(.vxlan), .timeLimit(.minutes(5)))
struct TunnelCarrierTests {
    /// Two uplinks, the second of which leads to the tunnel's remote end, and a VXLAN for all traffic.
    private func lab() async throws -> Lab {
        let lab = try await Lab()
        let first = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        let second = try await lab.cable("up1", addresses: ["198.51.100.2/24"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1", on: first, priority: 50)
            try kernel.addDefault(via: "198.51.100.1", on: second, priority: 60)
            try kernel.addRoute(NewRoute("203.0.113.9/32", via: "198.51.100.1", interface: second))
        }
        try await lab.addVXLAN()
        return lab
    }

    private func carrier(_ snapshot: NetworkSnapshot) -> String? {
        snapshot.interface(named: "vxlan0")?.carrierIndex.flatMap(snapshot.interface)?.name
    }

    @Test func `the link that leads to the remote end carries the tunnel, and changes with the route`() async throws {
        let lab = try await lab()
        try await lab.live.snapshot { carrier($0) == "up1" }
        // A change of a route to a single host is reported because the program has looked up that host.
        try await lab.change { kernel in
            let first = try kernel.link(named: "up0").index
            try kernel.replaceRoute(NewRoute("203.0.113.9/32", via: "192.0.2.1", interface: first))
        }
        try await lab.live.snapshot { carrier($0) == "up0" }
        // Without the route the tunnel's packets would enter the tunnel itself: its carrier is unknown.
        try await lab.change { kernel in try kernel.deleteRoute(NewRoute("203.0.113.9/32")) }
        try await lab.live.snapshot { carrier($0) == nil }
    }

    @Test func `a program that starts later has the carrier at once`() async throws {
        let lab = try await lab()
        try await lab.live.snapshot { carrier($0) == "up1" }
        let fresh = try await lab.run { KernelSource.currentSnapshot() }
        #expect(carrier(fresh) == "up1")
        #expect(PathEvaluator(fresh).evaluate().usedInterfaceTypes == [.other, .wiredEthernet])
    }

    @Test func `a tunnel without a path into it is not looked up`() async throws {
        let lab = try await lab()
        try await lab.live.snapshot { carrier($0) == "up1" }
        try await lab.change { kernel in
            let tunnel = try kernel.link(named: "vxlan0").index
            try kernel.deleteRoute(NewRoute(.all(.ipv4), interface: tunnel, priority: 5))
        }
        try await lab.live.snapshot { carrier($0) == nil }
        // Unless a watched host is behind it: then its carrier is followed, too.
        let host = RouteLookup(to: "10.7.0.9")
        let updates = Recorder<NetworkSnapshot>()
        let source = lab.source
        let subscription = try await lab.run { source.subscribe(watching: [host]) { updates.record($0.snapshot) } }
        let first = try await updates.next { $0.hosts[host] != nil }
        #expect(carrier(first) == "up1")
        try await lab.change { kernel in
            let first = try kernel.link(named: "up0").index
            try kernel.replaceRoute(NewRoute("203.0.113.9/32", via: "192.0.2.1", interface: first))
        }
        _ = try await updates.next { carrier($0) == "up0" }
        let fresh = try await lab.run { KernelSource.currentSnapshot(hosts: [host]) }
        #expect(carrier(fresh) == "up0")
        subscription.cancel()
    }
}

extension Capability {
    /// VXLAN links, created by `ip`.
    static let vxlan = Capability("link kind vxlan") {
        let namespace = try NetworkNamespace()
        try namespace.run {
            try IP.run("link add probe type vxlan id 7 remote 203.0.113.9 dstport 4789")
            var kernel = try RouteNetlink()
            _ = try kernel.link(named: "probe")
        }
    }
}

/// Runs `ip` of iproute2 in the calling thread's namespace, and waits for it.
private enum IP {
    static func run(_ words: String) throws {
        guard let stream = popen("ip \(words) 2>&1", "r") else { return }
        pclose(stream)
    }
}

extension Lab {
    /// Adds a VXLAN to 203.0.113.9 for all traffic.
    fileprivate func addVXLAN() async throws {
        try await run { try IP.run("link add vxlan0 type vxlan id 7 remote 203.0.113.9 dstport 4789") }
        try await change { kernel in
            let tunnel = try kernel.link(named: "vxlan0").index
            try kernel.add("10.7.0.2/24", to: tunnel)
            try kernel.setLink(tunnel, up: true)
            try kernel.addRoute(NewRoute(.all(.ipv4), interface: tunnel, priority: 5))
        }
    }
}
#endif
