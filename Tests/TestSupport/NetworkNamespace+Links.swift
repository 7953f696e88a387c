// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import FoundationEssentials
public import Netlink
public import NetlinkTesting

extension NetworkNamespace {
    /// Connects this namespace with another, or with itself; both ends and both loopback links are up when this returns.
    ///
    /// - Parameters:
    ///   - name: the link at this end.
    ///   - other: the namespace of the other end.
    ///   - peer: the link at the other end.
    /// - Returns: the indexes of both ends.
    /// - Throws: the kernel's error.
    @discardableResult
    public func connect(
        _ name: String, to other: NetworkNamespace, as peer: String
    ) async throws -> (near: Int32, far: Int32) {
        var kernel = try RouteNetlink(in: self)
        var farKernel = try RouteNetlink(in: other)
        let (events, farEvents) = (try RouteEvents([.link], in: self), try RouteEvents([.link], in: other))
        try kernel.createLink(.veth(name: name, peer: peer))
        try kernel.setLink(kernel.link(named: peer).index, namespace: other)
        let (near, far) = (try kernel.link(named: name).index, try farKernel.link(named: peer).index)
        for index in [1, near] { try kernel.setLink(index, up: true) }
        for index in [1, far] { try farKernel.setLink(index, up: true) }
        // The kernel announces the carrier a little later, from another thread.
        for (index, events) in [(near, events), (far, farEvents)] {
            for try await case .message(.newLink(let link)) in events
            where link.index == index && link.operationalState == .up { break }
        }
        return (near, far)
    }

    /// Adds addresses to a link; they can be used when this returns.
    ///
    /// - Throws: the kernel's error.
    public func add(_ prefixes: [NetworkPrefix], to link: String) async throws {
        let events = try RouteEvents([.ipv6Route], in: self)
        var kernel = try RouteNetlink(in: self)
        let index = try kernel.link(named: link).index
        var missing: Set<NetworkPrefix> = []
        for prefix in prefixes {
            let isIPv6 = prefix.address.version == .ipv6
            try kernel.addAddress(prefix, to: index, flags: isIPv6 ? .noDuplicateDetection : [])
            if isIPv6 { missing.insert(NetworkPrefix(host: prefix.address)) }
        }
        if missing.isEmpty { return }
        // The local route of an IPv6 address is the last object that the kernel creates for it.
        for try await case .message(.newRoute(let route, _)) in events where route.type == .local {
            route.destination.map { _ = missing.remove($0) }
            if missing.isEmpty { return }
        }
    }
}

/// The kernel's settings of the calling thread's namespace.
public enum Setting {
    /// Sets a value below `/proc/sys/net`, such as `ipv4/ip_forward`.
    public static func write(_ setting: String, _ value: some CustomStringConvertible) throws {
        try "\(value)".write(toFile: "/proc/sys/net/\(setting)", atomically: false, encoding: .utf8)
    }
}
#endif
