// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc
import Netlink
@testable import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// How soon the path follows what the kernel announces of a router.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct TimedNeighborTests {
    /// Expects that the path changes at most half a second after the kernel's announcement of a neighbour.
    private func expect(
        _ expected: Seen, in lab: Lab, within seconds: Double = 0.5, after state: NeighborState,
        of router: NetworkAddress,
        _ change: () async throws -> Void
    ) async throws {
        let events = try RouteEvents([.neighbor], in: lab.namespace)
        try await change()
        for try await case .message(.newNeighbor(let neighbor)) in events
        where neighbor.address == router && !neighbor.state.isDisjoint(with: state) {
            break
        }
        // clock: it measures.
        let start = ContinuousClock.now
        try await lab.live.path { Seen($0) == expected }
        // clock: as above.
        #expect(start.duration(to: .now) < .seconds(seconds))
        try await lab.expect(expected)
    }

    @Test func `IPv6 defaults from two routers: the path follows a router's failure and its return`() async throws {
        let lab = try await Lab()
        let routers: [NetworkAddress] = ["fe80::1", "fe80::2"]
        for number in 0...1 {
            let prefix = try #require(NetworkPrefix("2001:db8:\(number)::2/64"))
            try await lab.cable("up\(number)", addresses: [prefix])
        }
        let (first, second) = (routers[0], routers[1])
        try await lab.changeStreet { kernel in
            for (number, router) in [first, second].enumerated() {
                let far = try kernel.link(named: "far-up\(number)").index
                try kernel.add(try #require(NetworkPrefix(router, length: 64)), to: far)
            }
        }
        try await lab.checkOfAddresses()
        let indices = try await lab.change { [try $0.link(named: "up0").index, try $0.link(named: "up1").index] }
        for (number, router) in routers.enumerated() {
            try await lab.outside.run {
                try RouterAdvertisement.send(from: router, on: "far-up\(number)", seconds: 600)
            }
            try await lab.live.snapshot { snapshot in
                snapshot.routing.general.contains { answer in
                    guard case .route(let route) = answer.outcome else { return false }
                    return route.nextHops.contains { $0.gateway == router } || number == 1
                }
            }
        }
        for (router, index) in zip(routers, indices) {
            try await lab.change { try $0.setNeighbor(router, on: index, .stale) }
        }
        _ = try await lab.live.updates {}
        lab.source.reread()
        let used = Seen(try await lab.freshPath()).gateways.first == "fe80::1%up0" ? 0 : 1
        let other = 1 - used
        func expected(_ number: Int) -> Seen {
            .satisfied(
                "ipv6", over: ["up\(number)", "up\(1 - number)"], gateways: ["\(routers[number])%up\(number)"])
        }
        try await lab.expect(expected(used))
        try await expect(expected(other), in: lab, after: .failed, of: routers[used]) {
            try await lab.change { try $0.setNeighbor(routers[used], on: indices[used], .failed) }
        }
        try await expect(expected(used), in: lab, after: .reachable, of: routers[used]) {
            try await lab.change { try $0.setNeighbor(routers[used], on: indices[used], .reachable) }
        }
    }

    @Test func `IPv4 defaults of one metric: the path follows a router's failure and its return`() async throws {
        let lab = try await Lab()
        var indices: [Int32] = []
        let routers: [NetworkAddress] = ["192.0.0.1", "192.0.1.1"]
        for number in 0...1 {
            let prefix = try #require(NetworkPrefix("192.0.\(number).2/24"))
            indices.append(try await lab.cable("up\(number)", addresses: [prefix]))
            let (router, index) = (routers[number], indices[number])
            try await lab.change { kernel in
                try kernel.appendRoute(NewRoute(.all(.ipv4), via: router, interface: index, priority: 100))
                // With one that is merely known, the kernel uses the two in turn.
                try kernel.setNeighbor(router, on: index, .reachable)
            }
        }
        let first = SettingTransitionTests.seen(.ipv4, over: ["up0", "up1"], 0)
        let second = SettingTransitionTests.seen(.ipv4, over: ["up1", "up0"], 1)
        lab.source.reread()
        try await lab.expect(first)
        let (router, index) = (routers[0], indices[0])
        try await expect(second, in: lab, after: .failed, of: router) {
            try await lab.change { try $0.setNeighbor(router, on: index, .failed) }
        }
        try await expect(first, in: lab, after: .reachable, of: router) {
            try await lab.change { try $0.setNeighbor(router, on: index, .reachable) }
        }
        // At least one answers: otherwise the kernel uses the two in turn.
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            let failed = Int.random(in: 0...2, using: &generator)
            let links = indices
            try await lab.change { kernel in
                // First those that answer, so that at no time both have failed.
                for number in [0, 1] where number != failed {
                    try kernel.setNeighbor(routers[number], on: links[number], .reachable)
                }
                if failed < 2 { try kernel.setNeighbor(routers[failed], on: links[failed], .failed) }
            }
            try await lab.expect(failed == 0 ? second : first)
        }
    }

    /// Sends a datagram from the calling thread's namespace.
    private static func send(to address: NetworkAddress) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var name = sockaddr_in(address, port: 9)
        withUnsafeMutableBytes(of: &name) { name in
            let address = name.assumingMemoryBound(to: sockaddr.self).baseAddress
            _ = sendto(descriptor, [0], 1, 0, address, socklen_t(name.count))
        }
    }

    @Test(.requires(.networkSettings))
    func `the path follows a router that stops answering, and its return`() async throws {
        let lab = try await Lab()
        let routers: [NetworkAddress] = ["192.0.0.1", "192.0.1.1"]
        for number in 0...1 {
            let index = try await lab.cable(
                "up\(number)", addresses: [try #require(NetworkPrefix("192.0.\(number).2/24"))])
            let prefix = try #require(NetworkPrefix(routers[number], length: 24))
            try await lab.changeStreet { try $0.add(prefix, to: try $0.link(named: "far-up\(number)").index) }
            try await lab.change {
                try $0.appendRoute(NewRoute(.all(.ipv4), via: routers[number], interface: index, priority: 100))
            }
            // The other router stays confirmed.
            try await lab.set("ipv4/neigh/up\(number)/base_reachable_time_ms", 600_000)
        }
        try await lab.set("ipv4/neigh/up0/delay_first_probe_time", 0)
        try await lab.set("ipv4/neigh/up0/retrans_time_ms", 100)
        // Also to the router itself, because the kernel may send the other datagrams to the other router.
        let traffic = Task {
            while !Task.isCancelled {
                try await lab.run { for address in routers + ["203.0.113.7"] { Self.send(to: address) } }
                // clock: the pace of the traffic.
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        defer { traffic.cancel() }
        while try await !lab.change({ kernel in
            let neighbors = try kernel.neighbors()
            return routers.allSatisfy { router in
                neighbors.contains { $0.address == router && $0.state.contains(.reachable) }
            }
        }) { try await Task.sleep(for: .milliseconds(10)) }  // clock: the neighbors are polled
        let first = SettingTransitionTests.seen(.ipv4, over: ["up0", "up1"], 0)
        let second = SettingTransitionTests.seen(.ipv4, over: ["up1", "up0"], 1)
        lab.source.reread()
        try await lab.expect(first)
        try await expect(second, in: lab, after: .failed, of: routers[0]) {
            try await lab.changeStreet {
                try $0.deleteAddress("192.0.0.1/24", from: try $0.link(named: "far-up0").index)
            }
            // The kernel doubts the router at once instead of after minutes. It finds out by itself that nothing answers.
            try await lab.change { try $0.setNeighbor(routers[0], on: try $0.link(named: "up0").index, .stale) }
        }
        try await expect(first, in: lab, after: .reachable, of: routers[0]) {
            try await lab.changeStreet { try $0.add("192.0.0.1/24", to: try $0.link(named: "far-up0").index) }
        }
    }
}

/// A router advertisement (RFC 4861 section 4.2) without options.
private enum RouterAdvertisement {
    struct Failure: Error { let number = errno }

    /// Sends one from the calling thread's namespace to all nodes.
    static func send(from router: NetworkAddress, on link: String, seconds: UInt16) throws {
        let descriptor = socket(AF_INET6, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), Int32(IPPROTO_ICMPV6))
        guard descriptor >= 0 else { throw Failure() }
        defer { close(descriptor) }
        var (hops, index) = (Int32(255), Int32(if_nametoindex(link)))
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, &hops, size) == 0,
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, &index, size) == 0
        else { throw Failure() }
        func with<Value>(_ address: NetworkAddress, _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Value) -> Value {
            var name = sockaddr_in6()
            (name.sin6_family, name.sin6_scope_id) = (sa_family_t(AF_INET6), UInt32(index))
            withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: address.bytes) }
            return withUnsafeBytes(of: name) {
                body($0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
            }
        }
        guard with(router, { bind(descriptor, $0, $1) }) == 0 else { throw Failure() }
        let bytes: [UInt8] = [134, 0, 0, 0, 64, 0, UInt8(seconds >> 8), UInt8(seconds & 0xFF), 0, 0, 0, 0, 0, 0, 0, 0]
        let count = with("ff02::1") { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
        guard count == bytes.count else { throw Failure() }
    }
}
#endif
