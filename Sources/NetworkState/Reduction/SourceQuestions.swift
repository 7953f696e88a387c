// SPDX-License-Identifier: Apache-2.0

import Netlink

/// Decides for which answers it is open whether packets can leave until the kernel has chosen their source address.
///
/// A lookup without a source address finds no route that is limited to some sources, and does not report which address
/// the kernel borrows for a link without one. Only an unbound socket makes the kernel choose. On most hosts there is no
/// such question.
struct SourceQuestions {
    /// The links that could carry packets and have no address of their own that is valid beyond the link, by family.
    private let ipv4: [Int32]
    private let ipv6: [Int32]
    /// Whether any link has an IPv6 address that is valid beyond it.
    private let hasIPv6: Bool
    /// Whether an IPv4 rule is for packets from some addresses only.
    ///
    /// A socket that connects looks up twice: without a source, and then with the one that it has chosen. Only the second
    /// lookup meets these rules.
    let hasIPv4Rules: Bool

    init(_ interfaces: [NetworkInterface], hasIPv4Rules: Bool = false) {
        self.hasIPv4Rules = hasIPv4Rules
        var ipv4: [Int32] = []
        var ipv6: [Int32] = []
        var hasIPv6 = false
        for place in interfaces.indices {
            var ownsIPv4 = false
            var ownsIPv6 = false
            for address in interfaces[place].addresses where address.canReachBeyondLink {
                if address.address.version == .ipv4 { ownsIPv4 = true } else { ownsIPv6 = true }
            }
            hasIPv6 = hasIPv6 || ownsIPv6
            guard ReferenceLookups.isCandidate(place, of: interfaces) else { continue }
            if !ownsIPv4 { ipv4.append(interfaces[place].index) }
            if !ownsIPv6 { ipv6.append(interfaces[place].index) }
        }
        self.ipv4 = ipv4
        self.ipv6 = ipv6
        self.hasIPv6 = hasIPv6
    }

    /// Returns whether any answer of an IP version may depend on the source address.
    func mayArise(for version: IPVersion) -> Bool {
        version == .ipv4 ? hasIPv4Rules || !ipv4.isEmpty : hasIPv6 || !ipv6.isEmpty
    }

    /// Returns whether an answer depends on the source address that the kernel chooses.
    ///
    /// IPv4 has no routes for some sources only.
    func contains(_ outcome: RouteAnswer.Outcome, for version: IPVersion) -> Bool {
        guard case .route(let route) = outcome else { return version == .ipv6 && hasIPv6 }
        if version == .ipv4, hasIPv4Rules { return true }
        let unnumbered = version == .ipv4 ? ipv4 : ipv6
        guard !unnumbered.isEmpty, route.type == .unicast, route.preferredSource == nil else { return false }
        return route.nextHops.contains { $0.interface.map(unnumbered.contains) ?? false }
    }
}
