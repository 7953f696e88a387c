//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Which network a path leads into, as far as this machine can tell.
///
/// Two networks may hand out the same addresses and routers; the link address of the router, or the name of the Wi-Fi
/// network, tells them apart. Every part may be missing, and a part that is missing proves nothing.
public struct NetworkIdentity: Hashable, Sendable {
    /// The link addresses of the routers, such as `00:00:5e:00:53:01`.
    ///
    /// A router is missing until it has spoken, and on a link without such addresses there is none.
    public var gatewayLinkAddresses: Set<String>
    /// The networks of the preferred interface's own addresses, such as `192.0.2.0/24`, in order; link-local ones are left
    /// out.
    public var prefixes: [String]
    /// The name of the Wi-Fi network, where the system tells it.
    public var ssid: String?

    /// Makes an identity.
    public init(gatewayLinkAddresses: Set<String> = [], prefixes: [String] = [], ssid: String? = nil) {
        self.gatewayLinkAddresses = gatewayLinkAddresses
        self.prefixes = prefixes
        self.ssid = ssid
    }

    /// Whether nothing known speaks against both being the same network.
    ///
    /// A Wi-Fi network with several access points and one router is one network; a name that is offered by two routers is
    /// two. Networks without a router or a name that could be compared are told apart by their prefixes.
    public func canBeSameNetwork(as other: NetworkIdentity) -> Bool {
        if let ssid, let otherSSID = other.ssid, ssid != otherSSID { return false }
        if !gatewayLinkAddresses.isEmpty, !other.gatewayLinkAddresses.isEmpty {
            return !gatewayLinkAddresses.isDisjoint(with: other.gatewayLinkAddresses)
        }
        // One family's addresses may come later than the other's: networks differ when they share none.
        return prefixes.isEmpty || other.prefixes.isEmpty || !Set(prefixes).isDisjoint(with: other.prefixes)
    }

    /// This, with what it lacks from an earlier look at the same network.
    func completed(by other: NetworkIdentity) -> NetworkIdentity {
        NetworkIdentity(
            gatewayLinkAddresses: gatewayLinkAddresses.union(other.gatewayLinkAddresses),
            prefixes: prefixes.isEmpty ? other.prefixes : prefixes, ssid: ssid ?? other.ssid)
    }
}

/// Tells which network a path leads into.
public protocol NetworkIdentifying: Sendable {
    /// Looks now.
    ///
    /// Called once for each new path and after each check, never under a lock. It should answer at once, from what the
    /// system knows, and send no packet.
    ///
    /// - Returns: nil where nothing can be told.
    func identity(of path: NetworkPath) -> NetworkIdentity?
}
