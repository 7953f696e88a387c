// SPDX-License-Identifier: Apache-2.0

/// The place of a fault, from near to far.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ConnectivityFault: String, Hashable, Sendable, CaseIterable {
    /// This machine has no path, rejects its own connections, or has a wrong clock or wrong certificates.
    case machine
    /// Nothing comes back through a tunnel of this machine, such as a VPN, or nothing from beyond its other end.
    case tunnel
    /// The router does not answer.
    case router
    /// Names are not resolved, or are resolved to wrong addresses.
    case nameServers
    /// The proxy does not answer, requires a login, or does not lead to the Internet.
    case proxy
    /// The network requires a login.
    case portal
    /// Something between this machine and the Internet blocks or intercepts connections.
    case filter
    /// No packet comes back from beyond this machine's own network.
    case provider
    /// The servers that the check queries do not answer as expected; what is in between works, or is not known to fail.
    case endpoints
    /// The Internet is reachable, the host that was asked about is not.
    case host
}
