// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// An ICMP error by which a router reports that it does not forward a packet (RFC 792, RFC 1812, RFC 4443).
///
/// Errors that this machine's own kernel makes, because its neighbor does not answer, are no reports.
struct RouterReport: Hashable, Sendable {
    /// Why a router does not forward a packet.
    enum Reason: String, Hashable, Sendable, CaseIterable {
        /// It has no route to the destination.
        case noRoute
        /// It has a route, but the destination, or the next router, does not answer.
        case hostUnreachable
        /// Its administrator forbids it.
        case prohibited
    }

    /// The address from which the router reports.
    let router: NetworkAddress
    let reason: Reason

    /// Creates a report, also for tests.
    init(_ reason: Reason, by router: NetworkAddress) {
        self.reason = reason
        self.router = router
    }

    /// Creates the report from a packet; nil for any other packet of ICMP.
    init?(_ error: Sockets.ReportedError) {
        let isIPv4 = error.sender.version == .ipv4
        guard error.type == (isIPv4 ? 3 : 1) else { return nil }
        switch (isIPv4, error.code) {
        // Net unreachable and unknown; no route.
        case (true, 0), (true, 6), (false, 0): self.init(.noRoute, by: error.sender)
        // Host unreachable and unknown; address unreachable.
        case (true, 1), (true, 7), (false, 3): self.init(.hostUnreachable, by: error.sender)
        // Network, host and communication prohibited; prohibited, source address policy, and reject route.
        case (true, 9), (true, 10), (true, 13), (false, 1), (false, 5), (false, 6):
            self.init(.prohibited, by: error.sender)
        default: return nil
        }
    }
}

extension RouterReport: CustomStringConvertible {
    /// One sentence for a user.
    var description: String {
        switch reason {
        case .noRoute: "A router (\(router)) reports that it has no route to the Internet."
        case .hostUnreachable: "A router (\(router)) reports that the next router does not answer."
        case .prohibited: "A router (\(router)) refuses to forward: administratively prohibited."
        }
    }
}
