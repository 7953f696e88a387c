//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Netlink
import NetworkState

/// What a target stands for.
package enum Destination: Hashable, Sendable {
    /// Anywhere: the all-zero address.
    case defaultPath
    /// One address.
    case address(HostAddress)
    /// From an address of this host to another, or with no other, to anywhere.
    case pair(local: HostAddress?, remote: HostAddress?)
    /// A name.
    case name(HostName)

    /// An address, or anywhere.
    init(_ address: HostAddress) {
        self = address.address.isUnspecified ? .defaultPath : .address(address)
    }

    /// A name, or the address that it spells.
    package init?(_ name: HostName) {
        guard name.cString.count > 1 else { return nil }
        self = AddressLiteral.parse(name.text).map(Destination.init) ?? .name(name)
    }

    /// Two addresses, of which one may be missing.
    init?(local: HostAddress?, remote: HostAddress?) {
        switch (local, remote) {
        case (nil, nil): return nil
        // From loopback nothing leaves the host: as on macOS, the local address is left out then.
        case (let local?, let remote?)
        where local.address.family == .ipv4 && local.address.isLoopback && remote.address.family == .ipv4
            && !remote.address.isLoopback:
            self = Destination(remote)
        default: self = .pair(local: local, remote: remote)
        }
    }

    /// The questions whose answers tell about it.
    ///
    /// - Parameter addresses: those of the name, if it is one.
    func questions(_ addresses: [HostAddress]) -> Set<RouteLookup> {
        switch self {
        case .defaultPath: []
        case .address(let address): [address.lookup()]
        case .pair(let local?, let remote?) where local.address.family != remote.address.family: []
        case .pair(let local, let remote?): [remote.lookup(from: local?.source)]
        case .pair(let local, nil): local?.source.map(HostEvaluator.questions(aboutPathFrom:)) ?? []
        case .name: Set(addresses.map { $0.lookup() })
        }
    }
}

extension HostAddress {
    /// The address as the source of packets: the all-zero one stands for any.
    var source: InetAddress? { address.isUnspecified ? nil : address }
}

#endif
