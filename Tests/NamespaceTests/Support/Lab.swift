// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Netlink
@testable import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// A private network: a namespace whose links, addresses and routes the test creates, and a second namespace, `outside`,
/// that contains the other ends of its cables.
///
/// A monitor watches the namespace from the beginning, so that every test also tests the live updates.
final class Lab: Sendable {
    let namespace: NetworkNamespace
    let outside: NetworkNamespace
    let resolver: ResolverFile
    let source: KernelSource
    /// A monitor without requirements, started while the namespace was empty.
    let live: Watch
    private let place: Place

    init(pace: KernelPace = KernelPace()) async throws {
        place = await Place()
        let (namespace, resolver) = (try NetworkNamespace(), try ResolverFile())
        let source = KernelSource(pace: pace, resolverFiles: resolver.files)
        (self.namespace, self.resolver, self.source) = (namespace, resolver, source)
        outside = try NetworkNamespace()
        live = try await Watch(source, in: namespace, resolver)
    }

    /// One of the limited number of labs that may exist at a time.
    private final class Place: Sendable {
        init() async { await Turnstile.labs.enter() }
        deinit { Turnstile.labs.leave() }
    }

    /// Runs work in the namespace.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await namespace.run(body)
    }

    /// Changes the namespace.
    @discardableResult
    func change<Value: Sendable>(
        _ body: @escaping @Sendable (inout RouteNetlink) throws -> Value
    ) async throws -> Value {
        try await namespace.run {
            var kernel = try RouteNetlink()
            return try body(&kernel)
        }
    }

    /// Changes the other ends of the cables.
    @discardableResult
    func changeStreet<Value: Sendable>(
        _ body: @escaping @Sendable (inout RouteNetlink) throws -> Value
    ) async throws -> Value {
        try await outside.run {
            var kernel = try RouteNetlink()
            return try body(&kernel)
        }
    }

    /// Starts a second monitor, with requirements.
    func watch(_ requirements: PathFilter) async throws -> Watch {
        try await Watch(source, in: namespace, resolver, requirements)
    }

    /// Sets a value under `/proc/sys/net`, such as `ipv4/conf/up/ignore_routes_with_linkdown`.
    func set(_ setting: String, _ value: Int) async throws {
        try await run { try Setting.write(setting, value) }
    }

    // MARK: Cables

    /// Plugs in a cable: a link in the namespace, with an end of the same name in the outside.
    ///
    /// - Parameters:
    ///   - isUp: whether this end is up.
    ///   - hasCarrier: whether the other end is up.
    ///   - addresses: the addresses; IPv6 addresses are usable at once.
    /// - Returns: the link's index.
    @discardableResult
    func cable(
        _ name: String, isUp: Bool = true, hasCarrier: Bool = true, addresses: [NetworkPrefix] = []
    ) async throws -> Int32 {
        let outside = outside
        let index = try await change { kernel in
            try kernel.createLink(.veth(name: name, peer: "far-\(name)"))
            let far = try kernel.link(named: "far-\(name)").index
            try kernel.setLink(far, namespace: outside)
            return try kernel.link(named: name).index
        }
        if hasCarrier { try await setCarrier(of: name, true) }
        try await change { kernel in
            if isUp { try kernel.setLink(index, up: true) }
            for address in addresses { try kernel.add(address, to: index) }
        }
        // The kernel announces the carrier a little later, from another thread.
        try await live.snapshot { snapshot in
            guard let link = snapshot.interface(named: name), link.isRunning == (isUp && hasCarrier) else {
                return false
            }
            return addresses.allSatisfy { link.addresses.map(\.prefix).contains($0) }
        }
        return index
    }

    /// Adds an address, and waits until it is usable; the kernel enables an IPv6 address later.
    func addAddress(_ prefix: NetworkPrefix, to index: Int32) async throws {
        try await change { try $0.add(prefix, to: index) }
        try await live.snapshot { $0.interface(index)?.addresses.contains { $0.prefix == prefix } ?? false }
    }

    /// Waits until the kernel has checked every IPv6 address, including link-local ones.
    func checkOfAddresses() async throws {
        try await live.snapshot { snapshot in
            snapshot.interfaces.allSatisfy { link in
                let ofIPv6 = link.addresses.filter { $0.address.family == .ipv6 }
                let hasLinkLocal = link.isLoopback || ofIPv6.contains(where: \.address.isLinkLocal)
                return !link.isRunning || (hasLinkLocal && !ofIPv6.contains(where: \.isTentative))
            }
        }
    }

    /// Plugs the cable in or unplugs it, from the namespace's point of view: switches its other end.
    func setCarrier(of name: String, _ isThere: Bool) async throws {
        try await changeStreet { kernel in
            let far = try kernel.link(named: "far-\(name)").index
            try kernel.setLink(far, up: isThere)
        }
    }
}

extension RouteNetlink {
    /// Adds an address that is usable at once.
    mutating func add(_ address: NetworkPrefix, to index: Int32) throws {
        try addAddress(address, to: index, flags: address.address.family == .ipv6 ? .noDuplicateDetection : [])
    }

    /// Adds a default route.
    mutating func addDefault(
        via gateway: NetworkAddress, on index: Int32? = nil, priority: UInt32? = nil, table: RouteTable = .main
    ) throws {
        try addRoute(
            NewRoute(.all(gateway.version), via: gateway, interface: index, priority: priority, table: table))
    }
}
#endif
