// SPDX-License-Identifier: Apache-2.0

/// Tunnels of this machine, such as VPNs: what answers through them, and what answers on the links that carry them.
extension Facts {
    /// The routers on this machine's own links: those of the path or, if it leads into a tunnel, of the link that carries it.
    var ownRouters: [InternetCheck.RouterAnswer] { routers.filter { $0.egress != .tunnel } }

    /// The name servers that are not reached as the Internet is, because it is reached through a tunnel and they are not.
    ///
    /// A name server on this machine itself may ask others in any way.
    private var serversBesideTunnel: [InternetCheck.NameServerAnswer] {
        tunnel == nil ? [] : nameServers.filter { $0.tunnel == nil && !$0.server.isLoopback }
    }

    /// Whether what carries the tunnel of the path works beyond the router: a distant name server has answered that is reached
    /// without the tunnel, or one of this network has resolved names, which it cannot do alone.
    var hasAnswerBesideTunnel: Bool {
        let besides = serversBesideTunnel
        // Then those through the tunnel, or on this machine, have not done it.
        if hasName, !besides.isEmpty, nameServers.allSatisfy({ besides.contains($0) || !$0.hasReplied }) { return true }
        return besides.contains { server in
            server.isNearby
                ? server.outcome == .answers && !failsAtNames
                : server.hasReplied
        }
    }

    /// Whether it is silent beyond the router: no name server that is reached without the tunnel has answered, or resolved a name.
    var isSilentBesideTunnel: Bool {
        !serversBesideTunnel.isEmpty && !serversBesideTunnel.contains(where: \.hasReplied) && !hasAnswerBesideTunnel
    }

    /// Whether that is not known: a name server of this network has answered, and resolves no names.
    var isUnclearBesideTunnel: Bool { !hasAnswerBesideTunnel && !isSilentBesideTunnel && !serversBesideTunnel.isEmpty }

    /// Whether a name server's answer shows that packets reach the Internet, or come back through the tunnel that leads to it.
    func isOfPath(_ server: InternetCheck.NameServerAnswer) -> Bool { tunnel == nil || server.tunnel != nil }

    /// Whether the other end of the path's tunnel, or a router behind it, has answered.
    var hasTunnelEnd: Bool {
        guard let tunnel else { return false }
        return routerReport != nil || isAnswering(tunnel)
    }

    /// Whether something has come back through a tunnel.
    private func isAnswering(_ name: String) -> Bool {
        if nameServers.contains(where: { $0.tunnel == name && $0.hasReplied }) { return true }
        guard name == tunnel else { return false }
        return hasPathAnswer || routers.contains { $0.egress == .tunnel && $0.outcome == .answers }
    }

    /// The tunnel that leads to the name servers, if names are not resolved and nothing comes back through it; nil otherwise.
    var silentNamesTunnel: String? {
        guard verdict?.reason != nil, most(failures, { $0.error?.step == .resolve }) else { return nil }
        let tunnels = nameServers.map(\.tunnel)
        guard let first = tunnels.first, let name = first, tunnels.allSatisfy({ $0 != nil }) else { return nil }
        return tunnels.contains { $0.map(isAnswering) ?? false } ? nil : name
    }

    /// The tunnel that leads to the proxy that all endpoints failed by, if nothing comes back through it; nil otherwise.
    var silentProxyTunnel: String? {
        guard let proxyTunnel, failedProxy != nil, failsOnly(at: .connect), !isAnswering(proxyTunnel) else {
            return nil
        }
        return failures.allSatisfy { $0.error?.code == .timedOut } ? proxyTunnel : nil
    }
}
