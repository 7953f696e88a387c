// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc
import Netlink
import TestSupport
import Testing

@testable import DialtoneHosts
import SystemSupport

/// A machine and its network: a neighbor on the same link, which is also the router to everything else.
///
/// | host | addresses |
/// | --- | --- |
/// | this machine, `up0` | 192.0.2.2/24, 2001:db8::2/64 |
/// | the neighbor and gateway | 192.0.2.1, 2001:db8::1 |
/// | a host behind it | 198.51.100.7, 2001:db8:7::7 |
/// | silence | every other address, which the gateway drops |
/// | forbidden | 100.64.0.0/10, by an `unreachable` route |
final class HostLab: Sendable {
    let machine: NetworkNamespace
    let far: NetworkNamespace
    let uplink: Int32

    init() async throws {
        let (machine, far) = (try NetworkNamespace(), try NetworkNamespace())
        var near = try RouteNetlink(in: machine)
        var other = try RouteNetlink(in: far)
        let (events, farEvents) = (
            try RouteEvents([.link, .ipv6Route], in: machine), try RouteEvents([.ipv6Route], in: far)
        )
        try near.createLink(.veth(name: "up0", peer: "far0"))
        try near.setLink(near.link(named: "far0").index, namespace: far)
        let (uplink, farLink) = (try near.link(named: "up0").index, try other.link(named: "far0").index)
        for index in [1, farLink] { try other.setLink(index, up: true) }
        for index in [1, uplink] { try near.setLink(index, up: true) }
        try await Self.untilUp(uplink, events)
        try near.addAddress(prefix("192.0.2.2/24"), to: uplink)
        try near.addAddress(prefix("2001:db8::2/64"), to: uplink, flags: .noDuplicateDetection)
        try other.addAddress(prefix("192.0.2.1/24"), to: farLink)
        try other.addAddress(prefix("198.51.100.7/32"), to: 1)
        try other.addAddress(prefix("2001:db8::1/64"), to: farLink, flags: .noDuplicateDetection)
        try other.addAddress(prefix("2001:db8:7::7/128"), to: 1, flags: .noDuplicateDetection)
        try await Self.untilUsable(["2001:db8::2"], events)
        try await Self.untilUsable(["2001:db8::1", "2001:db8:7::7"], farEvents)
        try near.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1), interface: uplink))
        try near.addRoute(NewRoute(.all(.ipv6), via: prefix("2001:db8::1").address, interface: uplink))
        try near.addRoute(NewRoute(prefix("100.64.0.0/10"), type: .unreachable))
        (self.machine, self.far, self.uplink) = (machine, far, uplink)
    }

    private static func untilUp(_ index: Int32, _ events: RouteEvents) async throws {
        for try await case .message(.newLink(let link)) in events
        where link.index == index && link.operationalState == .up { return }
    }

    /// The local route of an IPv6 address is the last object that the kernel creates for it.
    private static func untilUsable(_ addresses: [String], _ events: RouteEvents) async throws {
        var missing = Set(addresses.compactMap(NetworkAddress.init).map(NetworkPrefix.init(host:)))
        for try await case .message(.newRoute(let route, _)) in events where route.type == .local {
            route.destination.map { _ = missing.remove($0) }
            if missing.isEmpty { return }
        }
    }

    /// This machine's environment, with the names that the test defines.
    func environment(_ resolver: any NameResolver = TestResolver()) -> HostEnvironment {
        // It keeps the lab alive, and with it the far side.
        HostEnvironment(routing: NamespaceRouting(namespace: machine), resolver: resolver) {
            version throws(SystemError) in
            do {
                return try self.machine.run { try Sockets.openSocket(version, .stream) }
            } catch {
                throw error as? SystemError ?? SystemError(EPERM)
            }
        }
    }

    func host(
        _ text: String, connects: Bool = false, timeout: Duration = .seconds(60),
        resolver: any NameResolver = TestResolver()
    ) throws -> HostReachability {
        HostReachability(
            try HostTarget(text), connects: connects, timeout: timeout, environment: environment(resolver))
    }

    /// A TCP server on the far side; it accepts connections until it is released.
    func listen(on address: String, port: UInt16) throws -> TCPListener {
        try TCPListener(address, port: port, in: far)
    }
}

/// The routing of a namespace, from any thread.
struct NamespaceRouting: HostRouting {
    let namespace: NetworkNamespace

    func watch(_ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void) -> HostRoutingWatch
    {
        let watch = try? namespace.run { KernelRouting().watch(addresses, receive) }
        return watch ?? HostRoutingWatch(onChange: { _ in }, onCancel: {})
    }
}

func prefix(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> NetworkPrefix {
    try #require(NetworkPrefix(text), sourceLocation: sourceLocation)
}
#endif
