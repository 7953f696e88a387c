//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension PathRequirements {
    /// Whether a link may be used where it is: a tunnel may not when something that is known to carry it is prohibited.
    ///
    /// Apple's kernel looks below a tunnel for prohibited types only, too: a required type is the link's own.
    func allows(_ link: NetworkInterface, in snapshot: NetworkSnapshot) -> Bool {
        guard allows(link) else { return false }
        guard !prohibitedTypes.isEmpty else { return true }
        return !snapshot.knownCarriers(of: link).contains { prohibitedTypes.contains($0.type) }
    }

    /// Whether they make a difference to a host: a required type or name does, and a prohibition of a link that is there.
    func restricts(_ snapshot: NetworkSnapshot) -> Bool {
        guard requiredType == nil, interfaceName == nil else { return true }
        return !snapshot.interfaces.allSatisfy { allows($0, in: snapshot) }
    }
}

extension NetworkSnapshot {
    /// What is known to carry a tunnel, and what carries that; nothing for a link that is no tunnel.
    fileprivate func knownCarriers(of link: NetworkInterface) -> [NetworkInterface] {
        var links = [link]
        // Each link is in it once, so that tunnels inside one another come to an end.
        while let tunnel = links.last, tunnel.isTunnel, let carrier = tunnel.carrierIndex.flatMap(interface),
            !links.contains(where: { $0.index == carrier.index })
        {
            links.append(carrier)
        }
        return Array(links.dropFirst())
    }
}
