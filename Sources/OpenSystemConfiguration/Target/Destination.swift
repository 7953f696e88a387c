// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Netlink
package import NetworkModel
import NetworkState
import SystemSupport

import LibC

/// The destination that a target represents.
package enum Destination: Hashable, Sendable {
    /// The default route: the all-zero address.
    case defaultPath
    /// One address.
    case address(NetworkAddress)
    /// From an address of this host to a remote one; without a remote one, to the default route.
    case pair(local: NetworkAddress?, remote: NetworkAddress?)
    /// A host name.
    case name(RawHostName)

    /// Creates an address destination, or the default route for the all-zero address.
    init(_ address: NetworkAddress) {
        self = address.isUnspecified ? .defaultPath : .address(address)
    }

    /// Creates a name destination, or an address destination if the name is a numeric address.
    package init?(_ name: RawHostName) {
        guard name.cString.count > 1 else { return nil }
        self = NumericHost.parse(name.text).map(Destination.init) ?? .name(name)
    }

    /// Creates a pair of addresses, either of which may be missing.
    package init?(local: NetworkAddress?, remote: NetworkAddress?) {
        switch (local, remote) {
        case (nil, nil): return nil
        // Nothing leaves the host from a loopback address: as on macOS, the local address is then ignored.
        case (let local?, let remote?)
        where local.version == .ipv4 && local.isLoopback && remote.version == .ipv4 && !remote.isLoopback:
            self = Destination(remote)
        default: self = .pair(local: local, remote: remote)
        }
    }

    /// Returns the lookups that determine the destination's reachability.
    ///
    /// - Parameter addresses: the addresses of the name, if the destination is one.
    func lookups(_ addresses: [NetworkAddress]) -> Set<RouteLookup> {
        switch self {
        case .defaultPath: []
        case .address(let address): [RouteLookup(to: address)]
        case .pair(let local?, let remote?) where local.version != remote.version: []
        case .pair(let local, let remote?): [RouteLookup(to: remote, source: local?.source)]
        case .pair(let local, nil): local?.source.map(AddressEvaluator.lookups(forPathFrom:)) ?? []
        case .name: Set(addresses.map { RouteLookup(to: $0) })
        }
    }
}

extension NetworkAddress {
    /// The address as the source of packets; nil for the all-zero address, which means any.
    var source: NetworkAddress? { isUnspecified ? nil : unscoped }

    /// Normalizes the address for a target: IPv4 without its IPv6 form, and a scope only on a link-local IPv6 address.
    package init(target address: NetworkAddress) {
        let address = address.embeddedIPv4 ?? address
        self = address.version == .ipv6 && address.isLinkLocal ? address : address.unscoped
    }

    /// Reads the address behind a C pointer; nil if it is neither IPv4 nor IPv6.
    init?(target pointer: UnsafePointer<sockaddr>) {
        guard let address = unsafe NetworkAddress(pointer) else { return nil }
        self.init(target: address)
    }
}

#endif
