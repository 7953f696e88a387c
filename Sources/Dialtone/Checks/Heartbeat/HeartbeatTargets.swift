// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The addresses that a heartbeat may contact over a path.
package struct HeartbeatTargets: Hashable, Sendable {
    /// The public addresses; empty if none may be contacted, so that there is no heartbeat.
    var addresses: [NetworkAddress]
    var nameServers: [NetworkAddress]
    /// The interface or address that sockets to public addresses are bound to.
    var binding: InternetCheck.Configuration.Binding

    package init(
        _ addresses: [NetworkAddress] = [], nameServers: [NetworkAddress] = [],
        binding: InternetCheck.Configuration.Binding = .none
    ) {
        self.addresses = addresses
        self.nameServers = nameServers
        self.binding = binding
    }
}

extension InternetCheck {
    /// What a heartbeat may contact over a path: the public addresses of checks, and this machine's name servers.
    package func heartbeatTargets(over path: NetworkPath) -> HeartbeatTargets {
        var binding = configuration.binding
        if isBoundToPath {
            guard let interface = path.interfaces.first else { return HeartbeatTargets() }
            binding = .interfaceOrItsAddress(interface.name)
        }
        return HeartbeatTargets(
            publicAddresses(over: path), nameServers: NameServiceFiles.upstreamServers(), binding: binding)
    }
}

extension InternetCheck.Report {
    /// A name that the check has resolved; nil without one.
    var resolvedName: String? {
        endpoints.lazy.filter { $0.proxy == nil && $0.durations.connect != nil }
            .compactMap { try? ProbeTarget($0.url).host }.first { NetworkAddress($0) == nil }
    }

    /// The public addresses of endpoints to whose HTTPS the check has connected, in order; empty through a proxy.
    var reached: [NetworkAddress] {
        endpoints.compactMap { endpoint in
            guard endpoint.proxy == nil, endpoint.durations.connect != nil, endpoint.address?.isPrivate == false,
                let target = try? ProbeTarget(endpoint.url), target.isSecure, target.port == 443
            else { return nil }
            return endpoint.address
        }.uniqued
    }
}
