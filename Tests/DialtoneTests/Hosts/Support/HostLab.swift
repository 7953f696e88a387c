// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc
import Netlink
import TestSupport
import Testing

@testable import Dialtone
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
        // While the link-local address of a link is tentative, a router that needs it to find a neighbor reports the neighbor as
        // unreachable after three seconds. On a busy machine duplicate address detection takes longer than that.
        for host in [machine, far] { try await host.run { try Setting.write("ipv6/conf/default/accept_dad", 0) } }
        uplink = try await machine.connect("up0", to: far, as: "far0").near
        try await machine.add(["192.0.2.2/24", "2001:db8::2/64"], to: "up0")
        try await far.add(["192.0.2.1/24", "2001:db8::1/64"], to: "far0")
        try await far.add(["198.51.100.7/32", "2001:db8:7::7/128"], to: "lo")
        var near = try RouteNetlink(in: machine)
        try near.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1), interface: uplink))
        try near.addRoute(NewRoute(.all(.ipv6), via: "2001:db8::1", interface: uplink))
        try near.addRoute(NewRoute("100.64.0.0/10", type: .unreachable))
        (self.machine, self.far) = (machine, far)
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

    /// A host; if it awaits both families, it waits for the addresses of each before it connects.
    func host(
        _ text: String, connects: Bool = false, timeout: Duration = .seconds(60),
        resolver: any NameResolver = TestResolver(), awaitsBoth: Bool = false
    ) throws -> HostReachability {
        var environment = environment(resolver)
        if awaitsBoth { environment.pace.resolutionDelay = .seconds(60) }
        return HostReachability(try HostTarget(text), connects: connects, timeout: timeout, environment: environment)
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
#endif
