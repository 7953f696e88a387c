//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Dispatch
import Netlink
@testable import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// A network of one's own: a namespace whose links, addresses and routes the test makes, and a second one, the street,
/// where the other ends of its cables are.
///
/// A monitor watches the namespace from the beginning, so that every test is also a test of what is announced live.
final class Lab: Sendable {
    let namespace: NetworkNamespace
    let street: NetworkNamespace
    let resolver: ResolverFile
    let source: KernelSource
    /// Watches without restrictions since the namespace was empty.
    let live: Watch
    private let place: Place

    init(pace: KernelPace = KernelPace()) async throws {
        place = await Place()
        let (namespace, resolver) = (try NetworkNamespace(), try ResolverFile())
        let source = KernelSource(pace: pace, resolverFiles: resolver.files)
        (self.namespace, self.resolver, self.source) = (namespace, resolver, source)
        street = try NetworkNamespace()
        live = try await Watch(source, in: namespace, resolver)
    }

    /// A place among the labs that there may be at a time.
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
        try await street.run {
            var kernel = try RouteNetlink()
            return try body(&kernel)
        }
    }

    /// A second monitor, under requirements.
    func watch(_ requirements: PathRequirements) async throws -> Watch {
        try await Watch(source, in: namespace, resolver, requirements)
    }

    /// Sets a value under `/proc/sys/net`, such as `ipv4/conf/up/ignore_routes_with_linkdown`.
    func set(_ setting: String, _ value: Int) async throws {
        try await run { try Setting.write(setting, value) }
    }

    // MARK: Cables

    /// Plugs in a cable: a link in the namespace whose other end, of the same name, is in the street.
    ///
    /// - Parameters:
    ///   - isUp: whether this end is switched on.
    ///   - hasCarrier: whether the other end is.
    ///   - addresses: IPv6 ones are usable at once.
    /// - Returns: the link's number.
    @discardableResult
    func cable(
        _ name: String, isUp: Bool = true, hasCarrier: Bool = true, addresses: [InetPrefix] = []
    ) async throws -> Int32 {
        let street = street
        let index = try await change { kernel in
            try kernel.createLink(.veth(name: name, peer: "far-\(name)"))
            let far = try kernel.link(named: "far-\(name)").index
            try kernel.setLink(far, namespace: street)
            return try kernel.link(named: name).index
        }
        if hasCarrier { try await setCarrier(of: name, true) }
        try await change { kernel in
            if isUp { try kernel.setLink(index, up: true) }
            for address in addresses { try kernel.add(address, to: index) }
        }
        // The kernel tells of carrier a little later, from a thread of its own.
        try await live.snapshot { snapshot in
            guard let link = snapshot.interface(named: name), link.isRunning == (isUp && hasCarrier) else {
                return false
            }
            return addresses.allSatisfy { link.addresses.map(\.prefix).contains($0) }
        }
        return index
    }

    /// Adds an address, and waits until it can be used: of IPv6 the kernel makes it so later.
    func addAddress(_ prefix: InetPrefix, to index: Int32) async throws {
        try await change { try $0.add(prefix, to: index) }
        try await live.snapshot { $0.interface(index)?.addresses.contains { $0.prefix == prefix } ?? false }
    }

    /// Waits until the kernel has checked every IPv6 address, its own link-local ones too.
    func checkOfAddresses() async throws {
        try await live.snapshot { snapshot in
            snapshot.interfaces.allSatisfy { link in
                let ofIPv6 = link.addresses.filter { $0.address.family == .ipv6 }
                let hasLinkLocal = link.isLoopback || ofIPv6.contains(where: \.address.isLinkLocal)
                return !link.isRunning || (hasLinkLocal && !ofIPv6.contains(where: \.isTentative))
            }
        }
    }

    /// Plugs the cable in or pulls it, as seen from the namespace: switches its other end.
    func setCarrier(of name: String, _ isThere: Bool) async throws {
        try await changeStreet { kernel in
            let far = try kernel.link(named: "far-\(name)").index
            try kernel.setLink(far, up: isThere)
        }
    }
}

extension RouteNetlink {
    /// Adds an address that can be used at once.
    mutating func add(_ address: InetPrefix, to index: Int32) throws {
        try addAddress(address, to: index, flags: address.address.family == .ipv6 ? .noDuplicateDetection : [])
    }

    /// Adds a default route.
    mutating func addDefault(
        via gateway: InetAddress, on index: Int32? = nil, priority: UInt32? = nil, table: RouteTable = .main
    ) throws {
        try addRoute(
            NewRoute(.all(gateway.family), via: gateway, interface: index, priority: priority, table: table))
    }
}
#endif
