// SPDX-License-Identifier: Apache-2.0

// Only on Linux: Apple's own classes observe the machine's network.

#if os(Linux) || os(Android)

import Dialtone
import Netlink
import NetworkState
public import OpenNetwork
public import OpenSystemConfiguration

/// The simulated network under Apple's APIs: the same classes as for this machine, over the simulated state.
extension SimulatedNetwork {
    /// A path monitor with Apple's API that observes the simulated paths; start it like any other.
    ///
    /// - Parameter type: the only type of interface that the path may use; nil allows any.
    public func makePathMonitor(requiredInterfaceType type: NWInterface.InterfaceType? = nil) -> NWPathMonitor {
        NWPathMonitor(PathFilter(requiredType: type), source: source)
    }

    /// A path monitor of Network's C interface that observes the simulated paths.
    public func makePathMonitorObject() -> nw_path_monitor_t { pathMonitorObject(observing: source) }

    /// A reachability target: the default route of the simulated network.
    public func makeReachability() -> SCNetworkReachability { reachability(.defaultPath) }

    /// A reachability target: a host, given as a name or a numeric address; nil for an empty text.
    ///
    /// While the simulated path is satisfied, every name resolves to an address for documentation, and every address
    /// has a route. Nothing is resolved outside the simulation, except that `localhost` is this machine.
    public func makeReachability(host: String) -> SCNetworkReachability? {
        Destination(RawHostName(host)).map(reachability)
    }

    /// A reachability target: the route from a local address to a remote one; nil if both are missing.
    public func makeReachability(
        localAddress: (any IPAddress)?, remoteAddress: (any IPAddress)?
    ) -> SCNetworkReachability? {
        Destination(local: localAddress.flatMap(Self.address), remote: remoteAddress.flatMap(Self.address))
            .map(reachability)
    }

    private func reachability(_ destination: Destination) -> SCNetworkReachability {
        let hub = ReachabilityHub(
            source: source,
            everything: { [self] lookups in
                var snapshot = path.snapshot
                for lookup in lookups { snapshot.hosts[lookup] = snapshot.simulatedAnswer(to: lookup) }
                return snapshot
            },
            // The state is read as a whole, because that costs nothing here.
            answers: { _, _ in nil }, lookup: { [self] _ in names })
        return SCNetworkReachability(destination, hub: hub)
    }

    /// The simulated resolver's answer for any name.
    private var names: NameAnswer {
        let path = path.path
        guard path.status == .satisfied, path.supportsDNS else { return .temporaryFailure }
        return .addresses((path.supportsIPv4 ? [.documentation] : []) + (path.supportsIPv6 ? [.documentationIPv6] : []))
    }

    private static func address(_ address: any IPAddress) -> NetworkAddress? {
        NetworkAddress(bytes: address.rawValue).map { NetworkAddress(target: $0) }
    }
}

extension NetworkAddress {
    // Addresses for documentation (RFC 5737, RFC 3849) that are not on the simulated link.
    fileprivate static let documentation = NetworkAddress(198, 51, 100, 1)
    fileprivate static let documentationIPv6 = NetworkAddress(version: .ipv6, bits: 0x2001_0DB8_0001 << 80 | 1)
}

#endif
