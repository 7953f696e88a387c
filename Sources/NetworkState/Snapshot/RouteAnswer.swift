// SPDX-License-Identifier: Apache-2.0

public import Netlink

/// The kernel's answer to one lookup: where a packet to an address would go.
public struct RouteAnswer: Hashable, Sendable {
    /// The address that was looked up.
    public var destination: NetworkAddress
    /// The result of the lookup.
    public var outcome: Outcome

    /// The possible results of a lookup.
    public enum Outcome: Hashable, Sendable {
        /// Packets take this route.
        case route(FoundRoute)
        /// No route matches, or a rule says unreachable.
        case noRoute
        /// An explicit `unreachable`, `prohibit` or `blackhole` route rejects the packet.
        case rejected
    }

    var isRoute: Bool { if case .route = outcome { true } else { false } }

    /// Creates an answer for an address.
    public init(_ destination: NetworkAddress, _ outcome: Outcome) {
        self.destination = destination
        self.outcome = outcome
    }
}

/// The relevant part of a matching route, without counters and timers.
public struct FoundRoute: Hashable, Sendable {
    /// The length of the prefix that matched: 0 for a default route.
    public var prefixLength: UInt8
    /// The metric; a smaller one is preferred.
    public var priority: UInt32
    /// The type of the route: unicast, local and so on.
    public var type: RouteType
    /// The next hops that packets are sent to.
    public var nextHops: [NextHop]
    /// The source address that the route prefers.
    public var preferredSource: NetworkAddress?
    /// The source address that the kernel chooses for an unbound socket; nil if the kernel was not asked, because the
    /// link has an address or the route prefers one.
    public var chosenSource: NetworkAddress?
    /// Whether the route came from a router advertisement on a host that does not forward packets: then the address of
    /// another link does not make a path; set together with ``chosenSource``.
    public var isAdvertisedToHost: Bool

    /// Creates a route, also for tests and scripts.
    public init(
        prefixLength: UInt8 = 0, priority: UInt32 = 0, type: RouteType = .unicast, nextHops: [NextHop],
        preferredSource: NetworkAddress? = nil, chosenSource: NetworkAddress? = nil, isAdvertisedToHost: Bool = false
    ) {
        self.prefixLength = prefixLength
        self.priority = priority
        self.type = type
        self.nextHops = nextHops
        self.preferredSource = preferredSource
        self.chosenSource = chosenSource
        self.isAdvertisedToHost = isAdvertisedToHost
    }
}

extension RouteAnswer {
    /// Creates the answer from the kernel's route.
    init(_ destination: NetworkAddress, _ route: RouteMessage) {
        let found = FoundRoute(
            prefixLength: route.destinationLength, priority: route.priority ?? 0, type: route.type,
            nextHops: route.nextHops, preferredSource: route.preferredSource)
        self.init(destination, .route(found))
    }

    /// Creates the answer from the kernel's error.
    ///
    /// - Throws: `kernel` if the error does not establish whether there is a route: a kernel that is short of memory
    ///   must not look like a network that is gone.
    init(_ lookup: RouteLookup, _ errno: NetlinkError.Errno) throws(NetlinkError) {
        let destination = lookup.destination
        switch errno {
        // For a packet that must use a given link, IPv4 also returns this error if it has no route at all.
        case .hostUnreachable where lookup.interface != nil && destination.family == .ipv4:
            self.init(destination, .noRoute)
        case .hostUnreachable, .permissionDenied, .invalidArgument: self.init(destination, .rejected)
        // A kernel without IPv6 does not support this lookup.
        case _ where errno.saysNothingOfRoutes && (errno != .notSupported || destination.family == .ipv4):
            throw NetlinkError(.kernel, operation: "RTM_GETROUTE \(destination)", errno: errno)
        default: self.init(destination, .noRoute)
        }
    }
}

extension NetlinkError.Errno {
    /// Whether the error says nothing about routes, because the kernel could not run the lookup.
    fileprivate var saysNothingOfRoutes: Bool {
        switch self {
        case .noBufferSpace, .noMemory, .wouldBlock, .notSupported: true
        default: false
        }
    }
}

/// The kernel's answers for the reference addresses.
public struct RoutingAnswers: Hashable, Sendable {
    /// The answers for a packet that may use any link.
    public var general: [RouteAnswer]
    /// The answers for a packet that must use a given link, for the links that were looked up.
    package var byLink = LinkTable<[RouteAnswer]>()

    /// Creates answers for a packet that may use any link.
    public init(general: [RouteAnswer] = []) { self.general = general }
}
