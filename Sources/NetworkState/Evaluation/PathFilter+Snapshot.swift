// SPDX-License-Identifier: Apache-2.0

extension PathFilter {
    /// Returns whether a link may be used, considering only the link itself.
    public func allows(_ interface: NetworkInterface) -> Bool {
        (requiredType == nil || requiredType == interface.type) && !prohibited.contains(interface.type)
            && (interfaceName == nil || interfaceName == interface.name)
    }

    /// Whether the filter requires loopback explicitly; otherwise loopback is never a path.
    var asksForLoopback: Bool { requiredType == .loopback || interfaceName == "lo" }

    /// Returns whether a link may be used in a snapshot.
    ///
    /// A tunnel may not if a link that is known to carry it is prohibited.
    ///
    /// Like Apple's kernel, this looks below a tunnel only for prohibited types, not for a required one.
    func allows(_ link: NetworkInterface, in snapshot: NetworkSnapshot) -> Bool {
        guard allows(link) else { return false }
        guard !prohibited.isEmpty else { return true }
        return !snapshot.knownLinks(of: link).contains { prohibited.contains($0.type) }
    }

    /// Returns whether the filter excludes anything on this host: a type or name is required, or a link is prohibited.
    func restricts(_ snapshot: NetworkSnapshot) -> Bool {
        if isUnrestricted { return false }
        guard requiredType == nil, interfaceName == nil else { return true }
        return !snapshot.interfaces.allSatisfy { allows($0, in: snapshot) }
    }
}

extension NetworkSnapshot {
    /// A link, and if it is a tunnel, the links that are known to carry it, one after the other.
    package func knownLinks(of link: NetworkInterface) -> [NetworkInterface] {
        var links = [link]
        // Each link is added only once, so that a cycle of tunnels terminates.
        while let tunnel = links.last, tunnel.isTunnel, let carrier = tunnel.carrierIndex.flatMap(interface),
            !links.contains(where: { $0.index == carrier.index })
        {
            links.append(carrier)
        }
        return links
    }
}
