// SPDX-License-Identifier: Apache-2.0

public import DialtoneConnectivity

#if os(Linux) || os(Android)
import NetworkState
public import OpenNetwork
#endif

extension ConnectivityMonitor {
    /// Creates a monitor of a simulated network, on the network's clock.
    ///
    /// - Parameters:
    ///   - network: the source of paths, identities and check results.
    ///   - configuration: when to check. The default has no jitter.
    /// - Throws: the first invalid value of the configuration.
    public convenience init(
        simulating network: SimulatedNetwork, _ configuration: ConnectivityMonitor.Configuration = .withoutJitter
    ) throws(ConnectivityMonitor.ConfigurationError) {
        try self.init(
            configuration, paths: network, checker: network, identifier: network, time: network.time, random: { 0 })
    }
}

extension ConnectivityMonitor.Configuration {
    /// The default configuration, but with exact waits.
    public static let withoutJitter: ConnectivityMonitor.Configuration = {
        var configuration = ConnectivityMonitor.Configuration()
        configuration.jitter = 0
        return configuration
    }()
}

#if os(Linux) || os(Android)
extension SimulatedNetwork {
    /// A path monitor with Apple's API that observes the simulated paths; start it like any other.
    ///
    /// Only on Linux: Apple's own monitor observes the machine's network.
    public func makePathMonitor() -> NWPathMonitor { NWPathMonitor(PathFilter(), source: source) }
}
#endif
