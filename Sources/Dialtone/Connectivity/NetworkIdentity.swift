// SPDX-License-Identifier: Apache-2.0

/// The network that a path leads into, as far as this machine can determine it.
///
/// Two networks may use the same addresses and routers; the link address of the router, or the name of the Wi-Fi
/// network, distinguishes them. Any part may be missing, and a missing part proves nothing.
public struct NetworkIdentity: Hashable, Sendable {
    /// The link addresses of the routers, such as `00:00:5e:00:53:01`.
    ///
    /// A router is missing until it has sent a frame. On a link without such addresses, the set is empty.
    public var gatewayLinkAddresses: Set<String>
    /// The networks of the preferred interface's own addresses, such as `192.0.2.0/24`, in order, without link-local
    /// ones.
    public var prefixes: [String]
    /// The name of the Wi-Fi network, if the system reports it.
    public var ssid: String?

    /// Creates an identity; an omitted part is unknown.
    public init(gatewayLinkAddresses: Set<String> = [], prefixes: [String] = [], ssid: String? = nil) {
        self.gatewayLinkAddresses = gatewayLinkAddresses
        self.prefixes = prefixes
        self.ssid = ssid
    }

    /// Whether both may be the same network, by everything that is known of them.
    ///
    /// A Wi-Fi network with several access points and one router is one network; a name that two routers serve counts
    /// as two networks. Networks without a router or a name to compare are distinguished by their prefixes.
    public func canBeSameNetwork(as other: NetworkIdentity) -> Bool {
        if let ssid, let otherSSID = other.ssid, ssid != otherSSID { return false }
        if !gatewayLinkAddresses.isEmpty, !other.gatewayLinkAddresses.isEmpty {
            return !gatewayLinkAddresses.isDisjoint(with: other.gatewayLinkAddresses)
        }
        // One family's addresses may arrive later than the other's, so networks differ only if they share no prefix.
        return prefixes.isEmpty || other.prefixes.isEmpty || !Set(prefixes).isDisjoint(with: other.prefixes)
    }

    /// This identity, with missing parts filled in from an earlier reading of the same network.
    func completed(by other: NetworkIdentity) -> NetworkIdentity {
        NetworkIdentity(
            gatewayLinkAddresses: gatewayLinkAddresses.union(other.gatewayLinkAddresses),
            prefixes: prefixes.isEmpty ? other.prefixes : prefixes, ssid: ssid ?? other.ssid)
    }
}

/// Identifies the network that a path leads into.
package protocol NetworkIdentifying: Sendable {
    /// Identifies the network now, from what the system knows, without sending packets.
    ///
    /// - Returns: nil if nothing is known about the network.
    func identity(of path: NetworkPath) -> NetworkIdentity?

    /// Identifies the network now, and must not block the calling thread, because the paths of all monitors wait for it.
    ///
    /// The monitor calls this once for each new path and after each check, never under a lock. Its next path waits for the
    /// identity. By default `identity(of:)` is called at once.
    ///
    /// - Parameters:
    ///   - path: the path whose network is asked for.
    ///   - receive: to be called once, on any thread.
    func identify(_ path: NetworkPath, _ receive: @escaping @Sendable (NetworkIdentity?) -> Void)
}

extension NetworkIdentifying {
    package func identify(_ path: NetworkPath, _ receive: @escaping @Sendable (NetworkIdentity?) -> Void) {
        receive(identity(of: path))
    }
}
