// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// A hop whose answers a heartbeat follows.
package enum HeartbeatHop: String, Codable, Hashable, Sendable, CaseIterable {
    /// The first router.
    case router
    /// The name servers.
    case nameServers
    /// The public addresses beyond the router and the provider.
    case beyond
}

/// One datagram, or one connection, whose answer shows that a hop works.
struct HeartbeatQuestion: Hashable, Sendable {
    /// The kind of packet, the cheapest first.
    enum Means: Hashable, Sendable, CaseIterable {
        /// An ICMP echo request, which Linux allows to the groups of `ping_group_range` (icmp(7)).
        case echo
        /// A DNS query.
        case query
        /// A UDP datagram to a port on which nothing listens, which the host itself reports.
        case datagram
        /// A UDP datagram that expires at the first router, which reports that.
        case expiringDatagram
        /// A TCP connection to port 443, which is reset at once.
        case connection
    }

    /// The hop that answers.
    let hop: HeartbeatHop
    /// The kind of packet.
    let means: Means
    /// The address to which it is sent.
    let address: NetworkAddress
    /// The interface that leads to a router, if known.
    let interface: String?
    /// The router at which a datagram expires.
    let router: NetworkAddress?
    /// The name that a name server is asked for.
    let name: String?

    init(
        _ hop: HeartbeatHop, _ means: Means, _ address: NetworkAddress, over interface: String? = nil,
        through router: NetworkAddress? = nil, about name: String? = nil
    ) {
        self.hop = hop
        self.means = means
        self.address = address
        self.name = name
        self.interface = interface
        self.router = router
    }
}

extension HeartbeatQuestion {
    /// An address that no host has: only a box that answers for every address answers for it.
    ///
    /// It is in a prefix for documentation, or in the one whose packets are discarded (RFC 5737, RFC 6666).
    static func unusedAddress(_ version: IPVersion) -> NetworkAddress {
        version == .ipv4 ? NetworkAddress(198, 51, 100, 77) : NetworkAddress("100::77") ?? .any(.ipv6)
    }

    /// The DNS query to send; nil for an invalid name.
    var query: NameQuery? {
        switch hop {
        case .router: .local
        case .nameServers: name.flatMap { NameQuery($0) }
        case .beyond: NameQuery("\(String(UInt64.random(in: .min ... .max), radix: 16)).\(zone)")
        }
    }

    /// A zone of the address's operator, which answers for it without asking another operator.
    private var zone: String {
        let zones = ["cloudflare.com", "google.com", "quad9.net"]
        return Self.resolvers.firstIndex(of: address).map { zones[$0 % zones.count] } ?? "example.com"
    }

    /// The first address of an address's operator; of one that is not known to have several, the address itself.
    static func operatorAddress(of address: NetworkAddress) -> NetworkAddress {
        resolvers.firstIndex(of: address).map { resolvers[$0 % 3] } ?? address
    }

    private static let resolvers = [NetworkAddress].publicResolvers
}
