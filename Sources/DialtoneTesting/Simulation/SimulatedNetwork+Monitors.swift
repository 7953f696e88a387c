//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone

#if os(Linux) || os(Android)
import NetworkState
public import OpenNetwork
#endif

extension ConnectivityMonitor {
    /// Makes a monitor of a simulated network, on the network's clock.
    ///
    /// - Parameters:
    ///   - network: the paths, the identity and the checks.
    ///   - configuration: when to check. Without another there is no jitter.
    /// - Throws: the first value of the configuration that cannot be.
    public convenience init(
        simulating network: SimulatedNetwork, _ configuration: ConnectivityMonitor.Configuration = .withoutJitter
    ) throws(ConnectivityMonitor.ConfigurationError) {
        try self.init(
            configuration, paths: network, checker: network, identifier: network, time: network.time, random: { 0 })
    }
}

extension ConnectivityMonitor.Configuration {
    /// The usual configuration, but with waits of exact length.
    public static let withoutJitter: ConnectivityMonitor.Configuration = {
        var configuration = ConnectivityMonitor.Configuration()
        configuration.jitter = 0
        return configuration
    }()
}

#if os(Linux) || os(Android)
extension SimulatedNetwork {
    /// A monitor in Apple's words that sees the simulated paths, to be started like any other.
    ///
    /// Only on Linux: Apple's own sees the machine's.
    public func makePathMonitor() -> NWPathMonitor { NWPathMonitor(PathRequirements(), source: source) }
}
#endif
